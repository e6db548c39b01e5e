// The part of semantics_fpu.h that converts between formats: FCNV, which PA-RISC 1.1 calls FCNVFF,
// FCNVXF, FCNVFX and FCNVFXT. By the rounding mode or, with _t, toward zero.
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 6; Kane, "PA-RISC 2.0 Architecture" (1996), chapter 8.
#pragma once

#include "isa/pa_risc/floating_point.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/semantics_fpu_operands.h"

namespace hardclock::pa_risc {

// ---- Major opcode 0C.
template <class M>
void fcnv_s_d(M& m, const FpRr& i) {
  compute(m, fp::sgl_to_dbl, Double{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_d_s(M& m, const FpRr& i) {
  compute(m, fp::dbl_to_sgl, Single{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_w_s(M& m, const FpRr& i) {
  compute(m, fp::w_to_sgl, Single{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_w_d(M& m, const FpRr& i) {
  compute(m, fp::w_to_dbl, Double{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_dw_s(M& m, const FpRr& i) {
  compute(m, fp::dw_to_sgl, Single{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_dw_d(M& m, const FpRr& i) {
  compute(m, fp::dw_to_dbl, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_s_w(M& m, const FpRr& i) {
  compute(m, fp::sgl_to_w, Single{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_s_dw(M& m, const FpRr& i) {
  compute(m, fp::sgl_to_dw, Double{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_d_w(M& m, const FpRr& i) {
  compute(m, fp::dbl_to_w, Single{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_d_dw(M& m, const FpRr& i) {
  compute(m, fp::dbl_to_dw, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_t_s_w(M& m, const FpRr& i) {
  compute(m, fp::truncate_sgl_to_w, Single{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_t_s_dw(M& m, const FpRr& i) {
  compute(m, fp::truncate_sgl_to_dw, Double{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_t_d_w(M& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_w, Single{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_t_d_dw(M& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_dw, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_uw_s(M& m, const FpRr& i) {
  compute(m, fp::uw_to_sgl, Single{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_uw_d(M& m, const FpRr& i) {
  compute(m, fp::uw_to_dbl, Double{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_udw_s(M& m, const FpRr& i) {
  compute(m, fp::udw_to_sgl, Single{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_udw_d(M& m, const FpRr& i) {
  compute(m, fp::udw_to_dbl, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_s_uw(M& m, const FpRr& i) {
  compute(m, fp::sgl_to_uw, Single{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_s_udw(M& m, const FpRr& i) {
  compute(m, fp::sgl_to_udw, Double{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_d_uw(M& m, const FpRr& i) {
  compute(m, fp::dbl_to_uw, Single{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_d_udw(M& m, const FpRr& i) {
  compute(m, fp::dbl_to_udw, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_t_s_uw(M& m, const FpRr& i) {
  compute(m, fp::truncate_sgl_to_uw, Single{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_t_s_udw(M& m, const FpRr& i) {
  compute(m, fp::truncate_sgl_to_udw, Double{i.ft}, Single{i.fr1});
}
template <class M>
void fcnv_t_d_uw(M& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_uw, Single{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_t_d_udw(M& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_udw, Double{i.ft}, Double{i.fr1});
}

// ---- Major opcode 0E.
template <class M>
void fcnv_s_d_0e(M& m, const FpWiden& i) {
  compute(m, fp::sgl_to_dbl, Double{i.ft}, Single{i.fr1h});
}
template <class M>
void fcnv_d_s_0e(M& m, const FpNarrow& i) {
  compute(m, fp::dbl_to_sgl, Single{i.fth}, Double{i.fr1});
}
template <class M>
void fcnv_w_s_0e(M& m, const FpRrHalf& i) {
  compute(m, fp::w_to_sgl, Single{i.fth}, Single{i.fr1h});
}
template <class M>
void fcnv_w_d_0e(M& m, const FpWiden& i) {
  compute(m, fp::w_to_dbl, Double{i.ft}, Single{i.fr1h});
}
template <class M>
void fcnv_dw_s_0e(M& m, const FpNarrow& i) {
  compute(m, fp::dw_to_sgl, Single{i.fth}, Double{i.fr1});
}
template <class M>
void fcnv_dw_d_0e(M& m, const FpRr& i) {
  compute(m, fp::dw_to_dbl, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_s_w_0e(M& m, const FpRrHalf& i) {
  compute(m, fp::sgl_to_w, Single{i.fth}, Single{i.fr1h});
}
template <class M>
void fcnv_s_dw_0e(M& m, const FpWiden& i) {
  compute(m, fp::sgl_to_dw, Double{i.ft}, Single{i.fr1h});
}
template <class M>
void fcnv_d_w_0e(M& m, const FpNarrow& i) {
  compute(m, fp::dbl_to_w, Single{i.fth}, Double{i.fr1});
}
template <class M>
void fcnv_d_dw_0e(M& m, const FpRr& i) {
  compute(m, fp::dbl_to_dw, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_t_s_w_0e(M& m, const FpRrHalf& i) {
  compute(m, fp::truncate_sgl_to_w, Single{i.fth}, Single{i.fr1h});
}
template <class M>
void fcnv_t_s_dw_0e(M& m, const FpWiden& i) {
  compute(m, fp::truncate_sgl_to_dw, Double{i.ft}, Single{i.fr1h});
}
template <class M>
void fcnv_t_d_w_0e(M& m, const FpNarrow& i) {
  compute(m, fp::truncate_dbl_to_w, Single{i.fth}, Double{i.fr1});
}
template <class M>
void fcnv_t_d_dw_0e(M& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_dw, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_uw_s_0e(M& m, const FpRrHalf& i) {
  compute(m, fp::uw_to_sgl, Single{i.fth}, Single{i.fr1h});
}
template <class M>
void fcnv_uw_d_0e(M& m, const FpWiden& i) {
  compute(m, fp::uw_to_dbl, Double{i.ft}, Single{i.fr1h});
}
template <class M>
void fcnv_udw_s_0e(M& m, const FpNarrow& i) {
  compute(m, fp::udw_to_sgl, Single{i.fth}, Double{i.fr1});
}
template <class M>
void fcnv_udw_d_0e(M& m, const FpRr& i) {
  compute(m, fp::udw_to_dbl, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_s_uw_0e(M& m, const FpRrHalf& i) {
  compute(m, fp::sgl_to_uw, Single{i.fth}, Single{i.fr1h});
}
template <class M>
void fcnv_s_udw_0e(M& m, const FpWiden& i) {
  compute(m, fp::sgl_to_udw, Double{i.ft}, Single{i.fr1h});
}
template <class M>
void fcnv_d_uw_0e(M& m, const FpNarrow& i) {
  compute(m, fp::dbl_to_uw, Single{i.fth}, Double{i.fr1});
}
template <class M>
void fcnv_d_udw_0e(M& m, const FpRr& i) {
  compute(m, fp::dbl_to_udw, Double{i.ft}, Double{i.fr1});
}
template <class M>
void fcnv_t_s_uw_0e(M& m, const FpRrHalf& i) {
  compute(m, fp::truncate_sgl_to_uw, Single{i.fth}, Single{i.fr1h});
}
template <class M>
void fcnv_t_s_udw_0e(M& m, const FpWiden& i) {
  compute(m, fp::truncate_sgl_to_udw, Double{i.ft}, Single{i.fr1h});
}
template <class M>
void fcnv_t_d_uw_0e(M& m, const FpNarrow& i) {
  compute(m, fp::truncate_dbl_to_uw, Single{i.fth}, Double{i.fr1});
}
template <class M>
void fcnv_t_d_udw_0e(M& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_udw, Double{i.ft}, Double{i.fr1});
}

}  // namespace hardclock::pa_risc
