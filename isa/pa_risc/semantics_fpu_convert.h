// The part of semantics_fpu.h that converts between formats: FCNV, which PA-RISC 1.1 calls FCNVFF,
// FCNVXF, FCNVFX and FCNVFXT. By the rounding mode or, with _t, toward zero.
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 6; Kane, "PA-RISC 2.0 Architecture" (1996), chapter 8.
#pragma once

#include "isa/pa_risc/floating_point.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/semantics_fpu_operands.h"

namespace hardclock::pa_risc {

void fcnv_s_d(auto& m, const auto& i) { single_to_double(m, fp::sgl_to_dbl, i); }
void fcnv_d_s(auto& m, const auto& i) { double_to_single(m, fp::dbl_to_sgl, i); }
void fcnv_w_s(auto& m, const auto& i) { single_to_single(m, fp::w_to_sgl, i); }
void fcnv_w_d(auto& m, const auto& i) { single_to_double(m, fp::w_to_dbl, i); }
void fcnv_dw_s(auto& m, const auto& i) { double_to_single(m, fp::dw_to_sgl, i); }
void fcnv_dw_d(auto& m, const auto& i) { double_to_double(m, fp::dw_to_dbl, i); }
void fcnv_s_w(auto& m, const auto& i) { single_to_single(m, fp::sgl_to_w, i); }
void fcnv_s_dw(auto& m, const auto& i) { single_to_double(m, fp::sgl_to_dw, i); }
void fcnv_d_w(auto& m, const auto& i) { double_to_single(m, fp::dbl_to_w, i); }
void fcnv_d_dw(auto& m, const auto& i) { double_to_double(m, fp::dbl_to_dw, i); }
void fcnv_t_s_w(auto& m, const auto& i) { single_to_single(m, fp::truncate_sgl_to_w, i); }
void fcnv_t_s_dw(auto& m, const auto& i) { single_to_double(m, fp::truncate_sgl_to_dw, i); }
void fcnv_t_d_w(auto& m, const auto& i) { double_to_single(m, fp::truncate_dbl_to_w, i); }
void fcnv_t_d_dw(auto& m, const auto& i) { double_to_double(m, fp::truncate_dbl_to_dw, i); }
void fcnv_uw_s(auto& m, const auto& i) { single_to_single(m, fp::uw_to_sgl, i); }
void fcnv_uw_d(auto& m, const auto& i) { single_to_double(m, fp::uw_to_dbl, i); }
void fcnv_udw_s(auto& m, const auto& i) { double_to_single(m, fp::udw_to_sgl, i); }
void fcnv_udw_d(auto& m, const auto& i) { double_to_double(m, fp::udw_to_dbl, i); }
void fcnv_s_uw(auto& m, const auto& i) { single_to_single(m, fp::sgl_to_uw, i); }
void fcnv_s_udw(auto& m, const auto& i) { single_to_double(m, fp::sgl_to_udw, i); }
void fcnv_d_uw(auto& m, const auto& i) { double_to_single(m, fp::dbl_to_uw, i); }
void fcnv_d_udw(auto& m, const auto& i) { double_to_double(m, fp::dbl_to_udw, i); }
void fcnv_t_s_uw(auto& m, const auto& i) { single_to_single(m, fp::truncate_sgl_to_uw, i); }
void fcnv_t_s_udw(auto& m, const auto& i) { single_to_double(m, fp::truncate_sgl_to_udw, i); }
void fcnv_t_d_uw(auto& m, const auto& i) { double_to_single(m, fp::truncate_dbl_to_uw, i); }
void fcnv_t_d_udw(auto& m, const auto& i) { double_to_double(m, fp::truncate_dbl_to_udw, i); }

}  // namespace hardclock::pa_risc
