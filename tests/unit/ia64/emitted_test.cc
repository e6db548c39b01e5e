// Which instructions the translator leaves to the interpreter. One that is common and left to it
// makes a program many times slower, and gives no wrong result by which it would be found. The
// names are those that were found when this was written: shorter lists are better ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "isa/ia64/isa.h"
#include "isa/ia64/machine.h"
#include "isa/ia64/resources.h"
#include "tests/unit/ia64/instances.h"
#include "tests/unit/ia64/slot_texts.h"
#include "tests/unit/translator/emitted.h"

namespace hardclock::ia64 {
namespace {

constexpr const char* names =
    "br_cexit br_ctop br_wexit br_wtop chk_a_clr chk_a_clr_f chk_a_nc chk_a_nc_f clrrrb "
    "clrrrb_pr cmpxchg1_acq cmpxchg1_rel cmpxchg2_acq cmpxchg2_rel cmpxchg4_acq "
    "cmpxchg4_rel cmpxchg8_acq cmpxchg8_rel cover czx1_l czx1_r czx2_l czx2_r famax famin "
    "fand fandcm fc fc_i fchkf fclass_m fclass_m_unc fclrf fcmp_eq fcmp_eq_unc fcmp_le "
    "fcmp_le_unc fcmp_lt fcmp_lt_unc fcmp_unord fcmp_unord_unc fcvt_fx fcvt_fx_trunc "
    "fcvt_fxu fcvt_fxu_trunc fcvt_xf fetchadd4_acq fetchadd4_rel fetchadd8_acq "
    "fetchadd8_rel flushrs fma fma_d fma_s fmax fmerge_ns fmerge_s fmerge_se fmin fmix_l "
    "fmix_lr fmix_r fms fms_d fms_s fnma fnma_d fnma_s for fpack fpamax fpamin fpcmp_eq "
    "fpcmp_le fpcmp_lt fpcmp_neq fpcmp_nle fpcmp_nlt fpcmp_ord fpcmp_unord fpcvt_fx "
    "fpcvt_fx_trunc fpcvt_fxu fpcvt_fxu_trunc fpma fpmax fpmerge_ns fpmerge_s fpmerge_se "
    "fpmin fpms fpnma fprcpa fprsqrta frcpa frsqrta fselect fsetc fswap fswap_nl fswap_nr "
    "fsxt_l fsxt_r fxor getf_d getf_exp getf_s invala invala_e invala_e_f ld1_a ld1_a_imm "
    "ld1_a_reg ld1_c_clr ld1_c_clr_acq ld1_c_clr_acq_imm ld1_c_clr_acq_reg ld1_c_clr_imm "
    "ld1_c_clr_reg ld1_c_nc ld1_c_nc_imm ld1_c_nc_reg ld1_s ld1_s_imm ld1_s_reg ld1_sa "
    "ld1_sa_imm ld1_sa_reg ld2_a ld2_a_imm ld2_a_reg ld2_c_clr ld2_c_clr_acq "
    "ld2_c_clr_acq_imm ld2_c_clr_acq_reg ld2_c_clr_imm ld2_c_clr_reg ld2_c_nc ld2_c_nc_imm "
    "ld2_c_nc_reg ld2_s ld2_s_imm ld2_s_reg ld2_sa ld2_sa_imm ld2_sa_reg ld4_a ld4_a_imm "
    "ld4_a_reg ld4_c_clr ld4_c_clr_acq ld4_c_clr_acq_imm ld4_c_clr_acq_reg ld4_c_clr_imm "
    "ld4_c_clr_reg ld4_c_nc ld4_c_nc_imm ld4_c_nc_reg ld4_s ld4_s_imm ld4_s_reg ld4_sa "
    "ld4_sa_imm ld4_sa_reg ld8_a ld8_a_imm ld8_a_reg ld8_c_clr ld8_c_clr_acq "
    "ld8_c_clr_acq_imm ld8_c_clr_acq_reg ld8_c_clr_imm ld8_c_clr_reg ld8_c_nc ld8_c_nc_imm "
    "ld8_c_nc_reg ld8_s ld8_s_imm ld8_s_reg ld8_sa ld8_sa_imm ld8_sa_reg ldf8_a ldf8_a_imm "
    "ldf8_a_reg ldf8_c_clr ldf8_c_clr_imm ldf8_c_clr_reg ldf8_c_nc ldf8_c_nc_imm "
    "ldf8_c_nc_reg ldf8_s ldf8_s_imm ldf8_s_reg ldf8_sa ldf8_sa_imm ldf8_sa_reg ldf_fill "
    "ldf_fill_imm ldf_fill_reg ldfd ldfd_a ldfd_a_imm ldfd_a_reg ldfd_c_clr ldfd_c_clr_imm "
    "ldfd_c_clr_reg ldfd_c_nc ldfd_c_nc_imm ldfd_c_nc_reg ldfd_imm ldfd_reg ldfd_s "
    "ldfd_s_imm ldfd_s_reg ldfd_sa ldfd_sa_imm ldfd_sa_reg ldfe ldfe_a ldfe_a_imm "
    "ldfe_a_reg ldfe_c_clr ldfe_c_clr_imm ldfe_c_clr_reg ldfe_c_nc ldfe_c_nc_imm "
    "ldfe_c_nc_reg ldfe_imm ldfe_reg ldfe_s ldfe_s_imm ldfe_s_reg ldfe_sa ldfe_sa_imm "
    "ldfe_sa_reg ldfp8 ldfp8_a ldfp8_a_inc ldfp8_c_clr ldfp8_c_clr_inc ldfp8_c_nc "
    "ldfp8_c_nc_inc ldfp8_inc ldfp8_s ldfp8_s_inc ldfp8_sa ldfp8_sa_inc ldfpd ldfpd_a "
    "ldfpd_a_inc ldfpd_c_clr ldfpd_c_clr_inc ldfpd_c_nc ldfpd_c_nc_inc ldfpd_inc ldfpd_s "
    "ldfpd_s_inc ldfpd_sa ldfpd_sa_inc ldfps ldfps_a ldfps_a_inc ldfps_c_clr "
    "ldfps_c_clr_inc ldfps_c_nc ldfps_c_nc_inc ldfps_inc ldfps_s ldfps_s_inc ldfps_sa "
    "ldfps_sa_inc ldfs ldfs_a ldfs_a_imm ldfs_a_reg ldfs_c_clr ldfs_c_clr_imm "
    "ldfs_c_clr_reg ldfs_c_nc ldfs_c_nc_imm ldfs_c_nc_reg ldfs_imm ldfs_reg ldfs_s "
    "ldfs_s_imm ldfs_s_reg ldfs_sa ldfs_sa_imm ldfs_sa_reg lfetch_fault lfetch_fault_excl "
    "lfetch_fault_excl_imm lfetch_fault_excl_reg lfetch_fault_imm lfetch_fault_reg loadrs "
    "mix1_l mix1_r mix2_l mix2_r mix4_l mix4_r mov_from_ar_m mov_from_cpuid mov_from_psr_um "
    "mov_to_ar_imm8_m mov_to_ar_m mov_to_psr_um mux1 mux2 pack2_sss pack2_uss pack4_sss "
    "padd1 padd1_sss padd1_uus padd1_uuu padd2 padd2_sss padd2_uus padd2_uuu padd4 pavg1 "
    "pavg1_raz pavg2 pavg2_raz pavgsub1 pavgsub2 pcmp1_eq pcmp1_gt pcmp2_eq pcmp2_gt "
    "pcmp4_eq pcmp4_gt pmax1_u pmax2 pmin1_u pmin2 pmpy2_l pmpy2_r pmpyshr2 pmpyshr2_u "
    "popcnt probe_r probe_r_fault probe_r_imm2 probe_rw_fault probe_w probe_w_fault "
    "probe_w_imm2 psad1 pshl2 pshl2_imm pshl4 pshl4_imm pshladd2 pshr2 pshr2_imm pshr2_u "
    "pshr2_u_imm pshr4 pshr4_imm pshr4_u pshr4_u_imm pshradd2 psub1 psub1_sss psub1_uus "
    "psub1_uuu psub2 psub2_sss psub2_uus psub2_uuu psub4 rum setf_d setf_exp setf_s "
    "stf_spill stf_spill_imm stfd stfd_imm stfe stfe_imm stfs stfs_imm sum unpack1_h "
    "unpack1_l unpack2_h unpack2_l unpack4_h unpack4_l xchg1 xchg2 xchg4 xchg8 xma_h xma_hu";

// With a frame that there may be, none of it rotating, and a target outside it.
Word legal_alloc(Word word) {
  constexpr unsigned r1 = 6, sof = 13, sol = 20, end = 31;
  constexpr Word fields = (Word{1} << end) - (Word{1} << r1);
  const Word frame = bit_field(word, sof, 7) % 97, locals = bit_field(word, sol, 7) % (frame + 1);
  const Word target = 1 + bit_field(word, r1, 7) % 31;
  return (word & ~fields) | target << r1 | frame << sof | locals << sol;
}

// Not one that is illegal when its predicate is true; nor one of a rotating floating-point
// register, which has no place of its own.
bool is_of_interest(const Recording& recording, const GuestMode& mode) {
  return std::none_of(recording.steps.begin(), recording.steps.end(), [&](const Step& step) {
    const bool is_register =
        step.operation == Operation::read_register || step.operation == Operation::write_register;
    return step.operation == Operation::trap ||
           (is_register && step.resource >= significand_resource(first_rotating_fr) &&
            step.resource < significand_resource(128) && !mode.place(step.resource).is_known());
  });
}

TEST(Emitted, NamesWhatFallsBack) {
  const Isa isa{Settings{}};
  constexpr std::uint64_t bundle_at = 0x4000'0000'0000'1000;
  const GuestMode mode = isa.guest_mode();
  FallingBack falling_back(with_each_table(mode));
  for (const Opcode opcode : all_opcodes()) {
    for (const Word word : instances(opcode, 120, 3)) {
      if (decode(word).opcode != opcode) continue;  // another pattern comes first
      const SlotText text = legal_text(opcode == Opcode::alloc ? legal_alloc(word) : word);
      const std::uint64_t pc = bundle_at + text.slot;
      if (isa.predecode(text, pc).always_traps) continue;
      const Recording recording = isa.recording(text, pc);
      if (is_of_interest(recording, mode)) falling_back.add(info(opcode).name, {recording}, pc);
    }
  }
  EXPECT_EQ(falling_back.names(), names);
}

}  // namespace
}  // namespace hardclock::ia64
