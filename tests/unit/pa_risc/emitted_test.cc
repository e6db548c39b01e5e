// Which instructions the translator leaves to the interpreter. One that is common and left to it
// makes a program many times slower, and gives no wrong result by which it would be found. The
// names are those that were found when this was written: shorter lists are better ones.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "isa/pa_risc/isa.h"
#include "isa/pa_risc/machine.h"
#include "tests/unit/pa_risc/instances.h"
#include "tests/unit/translator/emitted.h"

namespace hardclock::pa_risc {
namespace {

struct Setting {
  const char* name;
  Level level;
  Mode mode;
  const char* names;
};

constexpr Setting settings[] = {
    {"pa1_1",
     Level::pa1_1,
     {},
     "add add_c addi copr dcor dcor_i ds fid frem_d frem_d_0e frem_s frem_s_0e ftest_queue ldcws "
     "mfctl probe probei shladd shladd_tsv sub_b"},
    {"pa2_0",
     Level::pa2_0,
     {},
     "add add_c add_c_dw add_c_tsv add_c_tsv_dw add_dw add_tsv add_tsv_dw addi addi_tsv dcor "
     "dcor_dw dcor_i dcor_i_dw ds fcnv_d_udw fcnv_d_udw_0e fcnv_d_uw fcnv_d_uw_0e fcnv_s_udw "
     "fcnv_s_udw_0e fcnv_s_uw fcnv_s_uw_0e fcnv_t_d_udw fcnv_t_d_udw_0e fcnv_t_d_uw fcnv_t_d_uw_0e "
     "fcnv_t_s_udw fcnv_t_s_udw_0e fcnv_t_s_uw fcnv_t_s_uw_0e fcnv_udw_d fcnv_udw_d_0e fcnv_udw_s "
     "fcnv_udw_s_0e fid frem_d frem_d_0e frem_s frem_s_0e ftest_ca ftest_queue ldcds ldcws mfctl "
     "probe probei shladd shladd_dw shladd_tsv shladd_tsv_dw sub_b sub_b_dw sub_b_tsv "
     "sub_b_tsv_dw"},
    {"pa2_0_wide",
     Level::pa2_0,
     {.wide = true},
     "add add_c add_c_dw add_c_tsv add_c_tsv_dw add_dw add_tsv add_tsv_dw addi addi_tsv dcor "
     "dcor_dw dcor_i dcor_i_dw ds fcnv_d_udw fcnv_d_udw_0e fcnv_d_uw fcnv_d_uw_0e fcnv_s_udw "
     "fcnv_s_udw_0e fcnv_s_uw fcnv_s_uw_0e fcnv_t_d_udw fcnv_t_d_udw_0e fcnv_t_d_uw fcnv_t_d_uw_0e "
     "fcnv_t_s_udw fcnv_t_s_udw_0e fcnv_t_s_uw fcnv_t_s_uw_0e fcnv_udw_d fcnv_udw_d_0e fcnv_udw_s "
     "fcnv_udw_s_0e fid frem_d frem_d_0e frem_s frem_s_0e ftest_ca ftest_queue ldcds ldcws mfctl "
     "probe probei shladd shladd_dw shladd_tsv shladd_tsv_dw sub_b sub_b_dw sub_b_tsv "
     "sub_b_tsv_dw"},
};

class Emitted : public testing::TestWithParam<Setting> {};

TEST_P(Emitted, NamesWhatFallsBack) {
  const Setting& setting = GetParam();
  const Isa isa(setting.level, setting.mode);
  constexpr std::uint64_t pc = 0x40'0000;
  constexpr std::uint32_t nop = 0x08000240;
  FallingBack falling_back(with_each_table(isa.guest_mode()));
  for (const Opcode opcode : all_opcodes()) {
    for (const std::uint32_t word : instances(opcode, 60, 3)) {
      if (isa.predecode(word, pc).always_traps) continue;
      std::vector<Recording> block = {isa.recording(word, pc)};
      if (block[0].has(Operation::branch)) block.push_back(isa.recording(nop, pc + 4));
      falling_back.add(info(opcode).name, block, pc);
    }
  }
  EXPECT_EQ(falling_back.names(), setting.names);
}

INSTANTIATE_TEST_SUITE_P(PaRisc, Emitted, testing::ValuesIn(settings),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace hardclock::pa_risc
