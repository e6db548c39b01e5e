// The arithmetic of the program of --emit-c, which knows only 32-bit words, against the functions
// of syscalls/profil, which have 128 bits and sources of their own (tests/unit/profil).
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <variant>

#include "syscalls/profil/system.h"

// As in program/system.c.
#define V7_UNIX 1
#define BSD_4_1 2
#define BSD_4_2 3
#define BSD_4_3 4
#define BSD_2_11 5
#define BSD_4_4 6
#define IRIX 7
#define SOLARIS_2_5 8
#define SOLARIS 9
#define AIX 10
#define HP_UX 11
#define GLIBC 12
#define WORD_OF_32_BITS \
  (CONFORM_SYSTEM == V7_UNIX || CONFORM_SYSTEM == BSD_2_11 ? 0xffffUL : 0xffffffffUL)
#define WORD (CONFORM_SYSTEM == GLIBC ? ~0UL : WORD_OF_32_BITS)
#define HAS_SPROFIL (CONFORM_SYSTEM == IRIX || CONFORM_SYSTEM == HP_UX)

namespace program_v7 {
#define CONFORM_SYSTEM V7_UNIX
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_v7

namespace program_bsd41 {
#define CONFORM_SYSTEM BSD_4_1
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_bsd41

namespace program_bsd42 {
#define CONFORM_SYSTEM BSD_4_2
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_bsd42

namespace program_bsd43 {
#define CONFORM_SYSTEM BSD_4_3
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_bsd43

namespace program_bsd211 {
#define CONFORM_SYSTEM BSD_2_11
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_bsd211

namespace program_bsd44 {
#define CONFORM_SYSTEM BSD_4_4
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_bsd44

namespace program_irix {
#define CONFORM_SYSTEM IRIX
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_irix

namespace program_solaris {
#define CONFORM_SYSTEM SOLARIS
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_solaris

namespace program_aix {
#define CONFORM_SYSTEM AIX
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_aix

namespace program_hpux {
#define CONFORM_SYSTEM HP_UX
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_hpux

namespace program_glibc {
#define CONFORM_SYSTEM GLIBC
#include "guest/agents/rules.c"
int find(const region& in, unsigned long pc, unsigned long* at) {
  return find_byte(&in, pc & WORD, 2, at);
}
#undef CONFORM_SYSTEM
#undef FINEST_SCALE
}  // namespace program_glibc

namespace hardclock::profil {
namespace {

struct Numbers {
  std::uint32_t size, offset, scale, pc;
};

// What a random case may well look like: scales around the powers of two, pcs near the region's
// ends.
Numbers numbers(std::mt19937& random, unsigned word_bits) {
  const auto any = [&] { return static_cast<std::uint32_t>(random()); };
  const std::uint32_t mask = word_bits == 16 ? 0xffff : 0xffffffff;
  Numbers made;
  made.size = any() >> (any() % 32);
  made.offset = any() >> (any() % 32);
  made.scale = (1U << (any() % 18)) + any() % 5 - 2;
  if (any() % 4 == 0) made.scale = any() >> (any() % 32);
  const std::uint64_t text = made.scale == 0 ? 0 : (std::uint64_t{made.size} << 16) / made.scale;
  made.pc = made.offset + any() % 16 - 8;
  if (any() % 2 == 0) made.pc += static_cast<std::uint32_t>(text);
  if (any() % 4 == 0) made.pc = any();
  return {made.size & mask, made.offset & mask, made.scale & mask, made.pc & mask};
}

// `find` is the program's: whether a region has a counter for the pc, and at which byte.
template <class Region, class Find>
void compare(const char* name, Find find) {
  const SystemRules& system = *find_system(name);
  std::mt19937 random(1);
  int counted = 0;
  for (int i = 0; i < 200000; ++i) {
    const Numbers given = numbers(random, system.word_bits);
    const auto state =
        system.profil(State{}, {0x1000, given.size, given.offset, given.scale}, system.word_bits);
    if (!state) continue;
    const Lookup lookup = system.lookup(*state, GuestAddr(given.pc));
    const Access* const access = std::get_if<Access>(&lookup);
    const Region region = {0x1000, given.size, given.offset, given.scale};
    unsigned long at = 0;
    const bool is_found = find(region, given.pc, &at) != 0;
    ASSERT_EQ(is_found, access != nullptr)
        << std::hex << given.size << " " << given.offset << " " << given.scale << " " << given.pc;
    if (access == nullptr) continue;
    ++counted;
    ASSERT_EQ(at, access->byte_offset)
        << std::hex << given.size << " " << given.offset << " " << given.scale << " " << given.pc;
  }
  EXPECT_GT(counted, 10000);
}

TEST(EmitCRules, V7) {
  compare<program_v7::region>("v7", program_v7::find);
}
TEST(EmitCRules, Bsd41) {
  compare<program_bsd41::region>("4.1bsd", program_bsd41::find);
}
TEST(EmitCRules, Bsd42) {
  compare<program_bsd42::region>("4.2bsd", program_bsd42::find);
}
TEST(EmitCRules, Bsd43) {
  compare<program_bsd43::region>("4.3bsd", program_bsd43::find);
}
TEST(EmitCRules, Bsd211) {
  compare<program_bsd211::region>("2.11bsd", program_bsd211::find);
}
TEST(EmitCRules, Bsd44) {
  compare<program_bsd44::region>("4.4bsd", program_bsd44::find);
}
TEST(EmitCRules, Irix) {
  compare<program_irix::region>("irix", program_irix::find);
}
TEST(EmitCRules, Solaris) {
  compare<program_solaris::region>("solaris", program_solaris::find);
}
TEST(EmitCRules, Aix) {
  compare<program_aix::region>("aix", program_aix::find);
}
TEST(EmitCRules, Glibc) {
  compare<program_glibc::region>("glibc", program_glibc::find);
}
TEST(EmitCRules, Hpux) {
  compare<program_hpux::region>("hpux", program_hpux::find);
}

}  // namespace
}  // namespace hardclock::profil
