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
void fcnv_s_d(auto& m, const FpRr& i) { compute(m, fp::sgl_to_dbl, Double{i.ft}, Single{i.fr1}); }
void fcnv_d_s(auto& m, const FpRr& i) { compute(m, fp::dbl_to_sgl, Single{i.ft}, Double{i.fr1}); }
void fcnv_w_s(auto& m, const FpRr& i) { compute(m, fp::w_to_sgl, Single{i.ft}, Single{i.fr1}); }
void fcnv_w_d(auto& m, const FpRr& i) { compute(m, fp::w_to_dbl, Double{i.ft}, Single{i.fr1}); }
void fcnv_dw_s(auto& m, const FpRr& i) { compute(m, fp::dw_to_sgl, Single{i.ft}, Double{i.fr1}); }
void fcnv_dw_d(auto& m, const FpRr& i) { compute(m, fp::dw_to_dbl, Double{i.ft}, Double{i.fr1}); }
void fcnv_s_w(auto& m, const FpRr& i) { compute(m, fp::sgl_to_w, Single{i.ft}, Single{i.fr1}); }
void fcnv_s_dw(auto& m, const FpRr& i) { compute(m, fp::sgl_to_dw, Double{i.ft}, Single{i.fr1}); }
void fcnv_d_w(auto& m, const FpRr& i) { compute(m, fp::dbl_to_w, Single{i.ft}, Double{i.fr1}); }
void fcnv_d_dw(auto& m, const FpRr& i) { compute(m, fp::dbl_to_dw, Double{i.ft}, Double{i.fr1}); }
void fcnv_t_s_w(auto& m, const FpRr& i) {
  compute(m, fp::truncate_sgl_to_w, Single{i.ft}, Single{i.fr1});
}
void fcnv_t_s_dw(auto& m, const FpRr& i) {
  compute(m, fp::truncate_sgl_to_dw, Double{i.ft}, Single{i.fr1});
}
void fcnv_t_d_w(auto& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_w, Single{i.ft}, Double{i.fr1});
}
void fcnv_t_d_dw(auto& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_dw, Double{i.ft}, Double{i.fr1});
}
void fcnv_uw_s(auto& m, const FpRr& i) { compute(m, fp::uw_to_sgl, Single{i.ft}, Single{i.fr1}); }
void fcnv_uw_d(auto& m, const FpRr& i) { compute(m, fp::uw_to_dbl, Double{i.ft}, Single{i.fr1}); }
void fcnv_udw_s(auto& m, const FpRr& i) { compute(m, fp::udw_to_sgl, Single{i.ft}, Double{i.fr1}); }
void fcnv_udw_d(auto& m, const FpRr& i) { compute(m, fp::udw_to_dbl, Double{i.ft}, Double{i.fr1}); }
void fcnv_s_uw(auto& m, const FpRr& i) { compute(m, fp::sgl_to_uw, Single{i.ft}, Single{i.fr1}); }
void fcnv_s_udw(auto& m, const FpRr& i) { compute(m, fp::sgl_to_udw, Double{i.ft}, Single{i.fr1}); }
void fcnv_d_uw(auto& m, const FpRr& i) { compute(m, fp::dbl_to_uw, Single{i.ft}, Double{i.fr1}); }
void fcnv_d_udw(auto& m, const FpRr& i) { compute(m, fp::dbl_to_udw, Double{i.ft}, Double{i.fr1}); }
void fcnv_t_s_uw(auto& m, const FpRr& i) {
  compute(m, fp::truncate_sgl_to_uw, Single{i.ft}, Single{i.fr1});
}
void fcnv_t_s_udw(auto& m, const FpRr& i) {
  compute(m, fp::truncate_sgl_to_udw, Double{i.ft}, Single{i.fr1});
}
void fcnv_t_d_uw(auto& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_uw, Single{i.ft}, Double{i.fr1});
}
void fcnv_t_d_udw(auto& m, const FpRr& i) {
  compute(m, fp::truncate_dbl_to_udw, Double{i.ft}, Double{i.fr1});
}

// ---- Major opcode 0E.
void fcnv_s_d_0e(auto& m, const FpWiden& i) { compute_0e(m, fp::sgl_to_dbl, i); }
void fcnv_d_s_0e(auto& m, const FpNarrow& i) { compute_0e(m, fp::dbl_to_sgl, i); }
void fcnv_w_s_0e(auto& m, const FpRrHalf& i) { compute_0e(m, fp::w_to_sgl, i); }
void fcnv_w_d_0e(auto& m, const FpWiden& i) { compute_0e(m, fp::w_to_dbl, i); }
void fcnv_dw_s_0e(auto& m, const FpNarrow& i) { compute_0e(m, fp::dw_to_sgl, i); }
void fcnv_dw_d_0e(auto& m, const FpRr& i) { compute_0e(m, fp::dw_to_dbl, i); }
void fcnv_s_w_0e(auto& m, const FpRrHalf& i) { compute_0e(m, fp::sgl_to_w, i); }
void fcnv_s_dw_0e(auto& m, const FpWiden& i) { compute_0e(m, fp::sgl_to_dw, i); }
void fcnv_d_w_0e(auto& m, const FpNarrow& i) { compute_0e(m, fp::dbl_to_w, i); }
void fcnv_d_dw_0e(auto& m, const FpRr& i) { compute_0e(m, fp::dbl_to_dw, i); }
void fcnv_t_s_w_0e(auto& m, const FpRrHalf& i) { compute_0e(m, fp::truncate_sgl_to_w, i); }
void fcnv_t_s_dw_0e(auto& m, const FpWiden& i) { compute_0e(m, fp::truncate_sgl_to_dw, i); }
void fcnv_t_d_w_0e(auto& m, const FpNarrow& i) { compute_0e(m, fp::truncate_dbl_to_w, i); }
void fcnv_t_d_dw_0e(auto& m, const FpRr& i) { compute_0e(m, fp::truncate_dbl_to_dw, i); }
void fcnv_uw_s_0e(auto& m, const FpRrHalf& i) { compute_0e(m, fp::uw_to_sgl, i); }
void fcnv_uw_d_0e(auto& m, const FpWiden& i) { compute_0e(m, fp::uw_to_dbl, i); }
void fcnv_udw_s_0e(auto& m, const FpNarrow& i) { compute_0e(m, fp::udw_to_sgl, i); }
void fcnv_udw_d_0e(auto& m, const FpRr& i) { compute_0e(m, fp::udw_to_dbl, i); }
void fcnv_s_uw_0e(auto& m, const FpRrHalf& i) { compute_0e(m, fp::sgl_to_uw, i); }
void fcnv_s_udw_0e(auto& m, const FpWiden& i) { compute_0e(m, fp::sgl_to_udw, i); }
void fcnv_d_uw_0e(auto& m, const FpNarrow& i) { compute_0e(m, fp::dbl_to_uw, i); }
void fcnv_d_udw_0e(auto& m, const FpRr& i) { compute_0e(m, fp::dbl_to_udw, i); }
void fcnv_t_s_uw_0e(auto& m, const FpRrHalf& i) { compute_0e(m, fp::truncate_sgl_to_uw, i); }
void fcnv_t_s_udw_0e(auto& m, const FpWiden& i) { compute_0e(m, fp::truncate_sgl_to_udw, i); }
void fcnv_t_d_uw_0e(auto& m, const FpNarrow& i) { compute_0e(m, fp::truncate_dbl_to_uw, i); }
void fcnv_t_d_udw_0e(auto& m, const FpRr& i) { compute_0e(m, fp::truncate_dbl_to_udw, i); }

}  // namespace hardclock::pa_risc
