// Kernels with one broken rule. The true counters are those of docs/profil.md, section 13, and of
// profil(2); what the broken kernels count is worked out beside each test.
#include "cli/lab_rules.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <variant>

#include "cli/lab_profile.h"

namespace hardclock {
namespace {

const BrokenRule& rule_named(std::string_view name) {
  for (const BrokenRule& rule : broken_rules()) {
    if (rule.name == name) return rule;
  }
  ADD_FAILURE() << name;
  return broken_rules().front();
}

RuleContext kernel(std::string_view name) {
  return {*profil::find_system(name), 4};
}

// Section 13's call: 64 bytes of counters at 0x4000 for the text from 0x1000 on, scale one half.
profil::State state_of(const RuleContext& context, std::uint64_t scale = 0x8000) {
  return *context.system.profil({}, {0x4000, 64, 0x1000, scale}, context.system.word_bits);
}

// The element that is counted; -1: none.
std::int64_t element(const Looked& looked) {
  const auto* const access = std::get_if<profil::Access>(&looked.lookup);
  return access == nullptr ? -1 : static_cast<std::int64_t>(access->byte_offset / access->width);
}

std::int64_t true_element(std::string_view system, std::uint64_t pc) {
  const RuleContext context = kernel(system);
  return element(look(context, state_of(context), GuestAddr(pc)));
}

std::int64_t broken_element(std::string_view rule, std::string_view system, std::uint64_t pc) {
  const RuleContext context = kernel(system);
  return element(look(rule_named(rule), context, state_of(context), GuestAddr(pc)));
}

// (0x1002 - 0x1000) / 2 = 1 byte: IRIX counts in element 0, V7 in element 1.
TEST(BrokenRules, Rounding) {
  EXPECT_EQ(true_element("irix", 0x1002), 0);
  EXPECT_EQ(broken_element("rounding", "irix", 0x1002), 1);
  EXPECT_EQ(true_element("v7", 0x1002), 1);
  EXPECT_EQ(broken_element("rounding", "v7", 0x1002), 0);
  EXPECT_EQ(broken_element("rounding", "irix", 0x1004), 1) << "nothing to round";
  // Byte 63 of 64 is the last counter's; rounded up it is behind the buffer.
  EXPECT_EQ(true_element("irix", 0x107e), 31);
  EXPECT_EQ(broken_element("rounding", "irix", 0x107e), -1);
}

// 2 * 0x8000 without the shift is byte 0x10000.
TEST(BrokenRules, Shift) {
  EXPECT_EQ(broken_element("shift", "irix", 0x1002), -1);
  EXPECT_EQ(broken_element("shift", "irix", 0x1000), 0);
}

// 0x1004 / 2 = byte 0x802 of 64.
TEST(BrokenRules, Offset) {
  EXPECT_EQ(true_element("irix", 0x1004), 1);
  EXPECT_EQ(broken_element("offset", "irix", 0x1004), -1);
  EXPECT_EQ(true_element("irix", 0x10), -1) << "below offset";
  EXPECT_EQ(broken_element("offset", "irix", 0x10), 4);
}

// Byte 8 is element 4; element 8 is byte 16. Byte 32 as an element is byte 64, behind the buffer.
TEST(BrokenRules, Element) {
  EXPECT_EQ(true_element("irix", 0x1010), 4);
  EXPECT_EQ(broken_element("element", "irix", 0x1010), 8);
  EXPECT_EQ(broken_element("element", "irix", 0x1040), -1);
}

// 0x100 / 2 = byte 128 of 64.
TEST(BrokenRules, Bound) {
  EXPECT_EQ(true_element("irix", 0x1100), -1);
  EXPECT_EQ(broken_element("bound", "irix", 0x1100), 64);
  EXPECT_EQ(broken_element("bound", "irix", 0x800), -1) << "below offset is another rule";
}

TEST(BrokenRules, Late) {
  EXPECT_EQ(broken_element("late", "irix", 0x1000), 1);
  EXPECT_EQ(broken_element("late", "irix", 0xffc), 0);
}

// The others look where the true kernel looks.
TEST(BrokenRules, TheOthersLookTheSameWay) {
  for (const profil::SystemRules* const system : profil::systems()) {
    const RuleContext context{*system, 4};
    const profil::State state = state_of(context);
    for (const std::string_view rule : {"byte", "full", "fault"}) {
      for (std::uint64_t pc = 0xff0; pc < 0x10a0; ++pc) {
        EXPECT_EQ(element(look(rule_named(rule), context, state, GuestAddr(pc))),
                  element(look(context, state, GuestAddr(pc))));
      }
    }
  }
}

bool writable(GuestAddr, unsigned) {
  return true;
}

std::uint64_t count_after(std::string_view rule, std::string_view system, std::uint64_t ticks) {
  const RuleContext context = kernel(system);
  BrokenKernel kernel(rule_named(rule), context);
  kernel.begin(state_of(context));
  for (std::uint64_t i = 0; i < ticks; ++i) kernel.charge(GuestAddr(0x1000), Ticks(1), writable);
  return kernel.counters().at(GuestAddr(0x4000));
}

TEST(BrokenRules, Byte) {
  EXPECT_EQ(count_after("byte", "irix", 255), 255U);
  EXPECT_EQ(count_after("byte", "irix", 256), 0U);
  EXPECT_EQ(count_after("byte", "irix", 300), 44U);
}

// 65535 and one: IRIX wraps to 0, HP-UX and AIX stay (docs/profil.md, section 12).
TEST(BrokenRules, Full) {
  EXPECT_EQ(count_after("full", "irix", 65'535), 65'535U);
  EXPECT_EQ(count_after("full", "irix", 65'536), 65'535U);
  EXPECT_EQ(count_after("full", "hpux", 65'536), 0U);
  EXPECT_EQ(count_after("full", "aix", 65'536), 0U);
  EXPECT_EQ(count_after("full", "solaris", 32'768), 32'768U) << "it does not stop at 32767";
}

// A page that is gone for one tick: the true kernels stop for good.
TEST(BrokenRules, Fault) {
  const RuleContext context = kernel("irix");
  for (const auto& [name, counted] :
       {std::pair<std::string_view, std::uint64_t>{"late", 0}, {"fault", 2}}) {
    BrokenKernel kernel(rule_named(name), context);
    kernel.begin(state_of(context));
    const auto gone = [](GuestAddr, unsigned) { return false; };
    EXPECT_TRUE(kernel.charge(GuestAddr(0x1000), Ticks(1), gone).faulted);
    kernel.charge(GuestAddr(0x1000), Ticks(1), writable);
    kernel.charge(GuestAddr(0x1000), Ticks(1), writable);
    std::uint64_t sum = 0;
    for (const auto& [address, count] : kernel.counters()) sum += count;
    EXPECT_EQ(sum, counted) << name;
  }
}

// Whatever a program asks for.
TEST(BrokenRules, TakeAnyState) {
  constexpr std::uint64_t awkward[] = {
      0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  for (const profil::SystemRules* const system : profil::systems_and_libraries()) {
    const RuleContext context{*system, 4};
    for (const std::uint64_t base : awkward) {
      for (const std::uint64_t size : awkward) {
        for (const std::uint64_t scale : awkward) {
          const auto state = system->profil({}, {base, size, base, scale}, system->word_bits);
          if (!state) continue;
          for (const BrokenRule& rule : broken_rules()) {
            for (const std::uint64_t pc : awkward) {
              const Looked looked = look(rule, context, *state, GuestAddr(pc));
              EXPECT_FALSE(verdict_of(std::string(rule.name), looked, true).steps.empty());
            }
          }
        }
      }
    }
  }
}

// The steps end where `hardclock systems` ends.
TEST(LabProfile, SaysTheArithmeticStepByStep) {
  const RuleContext context = kernel("4.2bsd");
  const KernelProfile profile(state_of(context), context);
  EXPECT_EQ(profile.summary(), "buffer 0x00004000, 64 bytes; text from 0x00001000; scale 0x8000");
  EXPECT_EQ(profile.verdict(GuestAddr(0x1006)).steps,
            (std::vector<std::string>{
                "pc - offset = 0x00001006 - 0x00001000 = 0x6", "both halved: 0x3 * 0x4000 = 0xc000",
                ">> 14 = 0x3", "rounded down to 0x2, a counter has 2 bytes",
                "0x2 is below size 0x40", "buffer 0x00004000 + 0x2 = 0x00004002: counter 1"}));
  EXPECT_EQ(profile.verdict(GuestAddr(0x1080)).steps.back(), "not below size 0x40: not counted");
  const auto systems = profile.systems(GuestAddr(0x1006));
  ASSERT_EQ(systems.size(), profil::systems_and_libraries().size());
  EXPECT_EQ(systems.front().kernel, "v7");
  EXPECT_EQ(systems.front().counter, 2U) << "it rounds up";
}

TEST(LabProfile, SaysWhyThereIsNone) {
  const RuleContext context = kernel("irix");
  const KernelProfile never(profil::State{}, context);
  EXPECT_EQ(never.summary(), "profiling is off: never started");
  EXPECT_TRUE(never.systems(GuestAddr(0x1000)).empty());
  const KernelProfile stopped(profil::stopped(profil::State::Stop::by_fault), context);
  EXPECT_EQ(stopped.summary(), "profiling is off: a counter update faulted");
}

}  // namespace
}  // namespace hardclock
