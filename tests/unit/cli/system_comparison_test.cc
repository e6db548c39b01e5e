// hardclock systems --compare: what its experiments find is what the manual pages and the kernels'
// sources say. "Section" is one of docs/observed.md, ids are those of the conformance cases.
#include "cli/system_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/page_answers.h"
#include "cli/system_text.h"

namespace hardclock {
namespace {

using profil::find_system;
using profil::SystemRules;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

using Names = std::vector<std::string_view>;

// Those whose pages and sources the expectations below are from.
const Names compared = {"v7",   "4.1bsd",     "4.2bsd",  "4.3bsd", "2.11bsd", "4.4bsd",
                        "irix", "solaris2.5", "solaris", "aix",    "hpux"};
const Names rounding_up = {"v7", "2.11bsd", "4.1bsd", "aix"};
const Names pdp11 = {"v7", "2.11bsd"};
const Names vax = {"4.1bsd", "4.2bsd", "4.3bsd"};
const Names sun_line = {"solaris2.5", "solaris"};

bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string answer_of(const SystemRules& system, std::string_view question) {
  for (const Question& each : comparison_questions()) {
    if (each.text == question) return each.answer(system);
  }
  ADD_FAILURE() << "no such question: " << question;
  return {};
}

std::vector<const SystemRules*> compared_systems() {
  std::vector<const SystemRules*> systems;
  for (const std::string_view name : compared) systems.push_back(find_system(name));
  return systems;
}

// Every system in `names` answers `answer`, and no other that is compared does.
void expect_only(std::string_view question, const std::string& answer, const Names& names) {
  for (const SystemRules* const system : compared_systems()) {
    const std::string found = answer_of(*system, question);
    EXPECT_EQ(found == answer, contains(names, system->name))
        << question << ": " << system->name << " answers " << found;
  }
}

void expect_all(std::string_view question, const std::string& answer) {
  for (const SystemRules* const system : profil::systems()) {
    EXPECT_EQ(answer_of(*system, question), answer) << question << ": " << system->name;
  }
}

// profil(2) of V7 and 4.1BSD: 0177777 is 1-1, in kernels that round up; AIX's page rounds up, too.
// 4.2BSD: 0x10000, since commit 7d8653673c. Case V-010: 0xffff merges the first two.
TEST(Comparison, ScalesNearOne) {
  const std::string_view almost = "Scale 0xffff: elements for pc-offset = 0, 2, 4, 6";
  expect_only(almost, "0, 1, 2, 3", rounding_up);
  expect_only(almost, "0, 0, 1, 2",
              {"4.2bsd", "4.3bsd", "4.4bsd", "irix", "solaris2.5", "solaris"});
  // A-H10: without their privilege bits the pcs are 0, 0, 4, 4.
  expect_only(almost, "0, 0, 1, 1", {"hpux"});
  const std::string_view exact = "Scale 0x10000: elements for pc-offset = 0, 2, 4, 6";
  expect_only(exact, "0, 0, 2, 2", {"hpux"});
  expect_only(exact, "off", {"aix"});  // its page: only the low 16 bits of scale count
  expect_only(exact, "no such 16-bit number", pdp11);
}

// `incl` makes 4.1BSD's pairs begin one word late with 0x8000; 4.2BSD(5.1): pairs.
TEST(Comparison, PairsOfWords) {
  const std::string_view half = "Scale 0x8000: elements for pc-offset = 0, 2, 4, 6";
  expect_only(half, "0, 1, 1, 2", rounding_up);
}

// The low bit of the difference is lost before the product; 3*0xc000>>16 is 2.
TEST(Comparison, OddDifferences) {
  const std::string_view odd = "Scale 0xc000: elements for pc-offset = 1, 3, 5";
  expect_only(odd, "0, 0, 1", {"4.2bsd", "4.3bsd", "hpux"});
  expect_only(odd, "0, 1, 1", {"4.4bsd", "irix", "solaris2.5", "solaris"});
  expect_only(odd, "0, 1, 2", rounding_up);
}

// Cases B-004 (EINVAL above 65536) and AIX's page (the low 16 bits).
TEST(Comparison, ScalesAboveOne) {
  const std::string_view two = "Scale 0x20000: elements for pc-offset = 0, 2, 4";
  expect_only(two, "EINVAL", {"4.4bsd"});
  expect_only(two, "off", {"aix"});
  expect_only(two, "no such 16-bit number", pdp11);
  expect_only(two, "0, 2, 4", {"4.1bsd", "4.2bsd", "4.3bsd", "irix", "solaris2.5", "solaris"});
  expect_only(two, "0, 0, 4", {"hpux"});
}

// A-B5 (V7 from 32 KiB, 4.2BSD from 64 KiB into the second), A-I3, A-S3, A-H11, A-A3.
TEST(Comparison, Scale2) {
  const std::string_view tiny = "Scale 2: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000";
  expect_only(tiny, "0, 1, -, -", pdp11);
  expect_only(tiny, "0, 0, 0, 0", {"irix", "solaris2.5", "solaris"});
  expect_only(tiny, "0, 0, 1, 2", {"4.2bsd", "4.3bsd", "4.4bsd", "hpux"});
  expect_only(tiny, "0, 1, 1, 2", {"4.1bsd", "aix"});
}

// A-B2: V7 to 4.4BSD test for 0 only; the others' pages turn profiling off with 0 or 1.
TEST(Comparison, OffScales) {
  expect_all("Scale 0", "off");
  const std::string_view one = "Scale 1: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000";
  expect_only(one, "off", {"irix", "solaris2.5", "solaris", "hpux", "aix"});
  expect_only(one, "0, 0, 0, 0", vax);  // scale>>1 is 0
}

// Section 1, column "pc below offset"; section 2: on the VAX an offset above 2^31 wraps to a
// positive difference (observed on 4.3BSD).
TEST(Comparison, BelowOffset) {
  expect_only("Scale 0x100: element for pc = offset - 2", "128", pdp11);  // 0xfffe/512, up
  expect_only(
      "Scale 0x100: element for pc = offset - 2", "-",
      {"4.1bsd", "4.2bsd", "4.3bsd", "4.4bsd", "irix", "solaris2.5", "solaris", "aix", "hpux"});
  const std::string_view far = "Scale 0x8000, offset 0xfffff000: element for pc = 0x1000";
  // 0x2000/2 bytes; so on IRIX, whose kernel was observed to take the difference modulo 2^32.
  expect_only(far, "2048", {"4.1bsd", "4.2bsd", "4.3bsd", "irix"});
  expect_only(far, "-", {"4.4bsd", "solaris2.5", "solaris", "aix", "hpux"});
}

// Cases I-024, U-008, L-009, I-007, I-008; AIX compares what is rounded up (A-A1).
TEST(Comparison, Sizes) {
  expect_all("Scale 0x8000, bufsiz 5: elements for pc-offset = 0, 4, 8, 12", "0, 1, 2, -");
  expect_only("Scale 0x8000, bufsiz 2: elements for pc-offset = 0, 2", "0, -", rounding_up);
  expect_all("Scale 0x8000, bufsiz 0: element for pc = offset", "-");
  expect_only("Scale 2, bufsiz 0: element for pc = offset", "0", sun_line);
}

// Section 1, column "a full counter"; cases L-004, L-019, H-040, X-001, U-010.
TEST(Comparison, Overflow) {
  const std::string_view full = "A counter of 65535, one tick later";
  expect_only(full, "stays at 65535", {"aix", "hpux"});
  expect_only(
      full, "wraps to 0",
      {"v7", "2.11bsd", "4.1bsd", "4.2bsd", "4.3bsd", "4.4bsd", "irix", "solaris2.5", "solaris"});
  expect_only("A counter of 32767, one tick later", "keeps 32767, and profiling stops", sun_line);
  // The pages of these do not say that the kernel's ticks count anywhere.
  expect_only("A counter of 65534 that is charged 3 ticks in one step", "is never charged so",
              {"aix", "hpux"});
  const std::string_view widest = "The widest counter of sprofil, full, one tick later";
  expect_only(widest, "4 bytes: wraps to 0", {"irix"});
  expect_only(widest, "8 bytes: stays at 18446744073709551615", {"hpux"});  // case H-042
}

// sprofil(2) of IRIX (PROF_USHORT, PROF_UINT) and HP-UX (PROF_UINT64, too).
TEST(Comparison, Calls) {
  expect_only("Bytes of a counter", "profil 2; sprofil 2, 4", {"irix"});
  expect_only("Bytes of a counter", "profil 2; sprofil 2, 4, 8", {"hpux"});
  expect_only("The calls", "profil, pcsample", {"solaris"});
  // A-H6: HP-UX refuses, IRIX takes the largest offset.
  const std::string_view overlap = "sprofil of two regions that overlap: a pc of both counts in";
  expect_only(overlap, "EINVAL", {"hpux"});
  expect_only(overlap, "the higher one", {"irix"});
  // IRIX sprofil(2): "the largest offset less than the value of the program counter".
  expect_only("sprofil of two regions that overlap: the first pc of both counts in",
              "the lower one", {"irix"});
}

// Section 2, as observed: odd buffers fault on the PDP-11 and count on the VAX; the fault rule of
// every page; 60 and 100 ticks; kernel exits. The pmax has 64 Hz.
TEST(Comparison, FaultsAndTicks) {
  expect_only("An odd buffer address", "counted", {"4.1bsd", "4.2bsd", "4.3bsd", "4.4bsd", "aix"});
  expect_all("A tick while the buffer is not mapped",
             "off, and does not count when it is mapped again");
  // V7 sys/trap.c; the IRIX 6.2 kernel as observed.
  expect_only("A system call without a tick while the buffer is not mapped", "off",
              {"v7", "2.11bsd", "irix"});
  expect_only("Ticks", "60 a second", {"v7", "2.11bsd", "4.1bsd"});
  expect_only("Ticks", "64 a second", {"4.4bsd"});
  expect_only("Ticks", "100 a second, 1000 with PROF_FAST", {"irix"});
  expect_only("Ticks in the kernel are counted", "nowhere", {"aix", "hpux"});
  expect_only("Ticks in the kernel are counted", "at the pc of the system call", {"4.4bsd"});
  // Section 3, rule 23; illumos post_syscall(); psig() before addupc() in the trap.c of the others.
  const std::string_view caught =
      "Ticks in the kernel are counted, if the call ends with a caught signal";
  expect_only(caught, "at the pc behind the call", {"irix", "solaris2.5", "solaris"});
  expect_only(caught, "at the start of the handler or its trampoline",
              {"v7", "2.11bsd", "4.1bsd", "4.2bsd", "4.3bsd"});
  expect_only(caught, "at the pc of the system call", {"4.4bsd"});
}

// Every page: on in both after fork, off after exec; Solaris 11.4 profil(2), NOTES, on LWPs.
TEST(Comparison, Inheritance) {
  expect_all("After fork", "on in both");
  expect_all("After exec", "off");
  expect_only("The profile belongs to", "each thread, by its own call", {"solaris2.5"});
}

TEST(Comparison, TableOfAllSystems) {
  const std::string text = compare_systems(compared_systems());
  std::istringstream stream(text);
  std::size_t questions = 0;
  for (std::string line; std::getline(stream, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    EXPECT_THAT(line, Not(EndsWith(" ")));
    if (!line.empty() && line[0] != ' ' && line[0] != '*') ++questions;
  }
  EXPECT_EQ(questions, comparison_questions().size());
  EXPECT_THAT(text, HasSubstr("\nScale 0\n  off: all\n"));
  EXPECT_THAT(
      text,
      HasSubstr("\nThe widest counter of sprofil, full, one tick later\n"
                "  there is no sprofil: v7, 4.1bsd, 4.2bsd, 4.3bsd, 2.11bsd, 4.4bsd, solaris2.5,\n"
                "    solaris, aix\n"
                "  4 bytes: wraps to 0: irix\n"));
}

// The sentences are those of the systems' headers in syscalls/profil. An answer by the page that is
// the system's own would be no difference.
TEST(Comparison, PagesDifferFromTheirKernels) {
  for (const PageAnswer& page : page_answers()) {
    const SystemRules* const system = find_system(page.system);
    ASSERT_NE(system, nullptr) << page.system;
    EXPECT_NE(answer_of(*system, page.question), page.answer) << page.question << page.system;
    const std::size_t at = page.sentence.find("(A-");
    ASSERT_NE(at, std::string_view::npos) << page.sentence;
    const std::string_view id = page.sentence.substr(at + 1, page.sentence.size() - at - 2);
    EXPECT_NE(std::ranges::find(system->contradictions, id, &profil::Contradiction::id),
              system->contradictions.end())
        << page.system << " " << id;
  }
  const std::vector<const SystemRules*> three = {find_system("v7"), find_system("4.3bsd"),
                                                 find_system("4.4bsd")};
  EXPECT_THAT(compare_systems(three),
              HasSubstr("\nScale 1: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000\n"
                        "  0, 0, -, -: v7\n  0, 0, 0, 0: 4.3bsd\n  0, 0, 0, 1: 4.4bsd\n"
                        "  by the page, off: v7, 4.3bsd\n"));
}

// Of AIX's page (sections 1.10 and 7) fork, exec and the fault are readings; of Solaris before 2.6
// there are only the NOTES of a later page.
TEST(Comparison, MarksWhatIsInferred) {
  const auto is_marked = [](std::string_view system, std::string_view topic) {
    return grade_of(*find_system(system), topic) == Grade::inferred;
  };
  for (const char* const topic : {"fault", "fork", "exec", "system time"}) {
    EXPECT_TRUE(is_marked("aix", topic)) << topic;
    EXPECT_FALSE(is_marked("v7", topic)) << topic;
  }
  EXPECT_FALSE(is_marked("aix", "overflow"));
  EXPECT_TRUE(is_marked("hpux", "tick"));
  EXPECT_FALSE(is_marked("hpux", "overflow"));
  EXPECT_TRUE(is_marked("solaris2.5", "arithmetic"));
  EXPECT_FALSE(is_marked("solaris2.5", "threads"));
  EXPECT_FALSE(is_marked("solaris", "arithmetic"));
  EXPECT_EQ(grade_of(*find_system("solaris"), "arithmetic"), Grade::source);
  EXPECT_EQ(grade_of(*find_system("hpux"), "overflow"), Grade::page);
  const std::string text = compare_systems(compared_systems());
  EXPECT_THAT(text, HasSubstr("  keeps 32767, and profiling stops: solaris2.5*, solaris\n"));
  EXPECT_THAT(text, HasSubstr("\nAfter exec\n  off: all; aix*\n"));
  EXPECT_THAT(text, HasSubstr("\n\n* inferred: "));
}

// glibc's functions, as they were seen to behave natively (2.36 on x86-64).
TEST(Comparison, ALibraryIsNoKernel) {
  const SystemRules& glibc = *find_system("glibc");
  EXPECT_EQ(answer_of(glibc, "Scale 0"), "0");
  EXPECT_EQ(answer_of(glibc, "A counter of 65535, one tick later"), "wraps to 0");
  EXPECT_EQ(answer_of(glibc, "The widest counter of sprofil, full, one tick later"),
            "4 bytes: stays at 4294967295");
  EXPECT_EQ(answer_of(glibc, "A tick while the buffer is not mapped"), "SIGSEGV ends the program");
  EXPECT_EQ(answer_of(glibc, "After fork"), "off in the child");
  EXPECT_EQ(answer_of(glibc, "After exec"), "the next tick's SIGPROF ends the program");
}

TEST(Comparison, TableOfTwo) {
  const std::vector<const SystemRules*> two = {find_system("solaris"), find_system("v7")};
  const std::string text = compare_systems(two);
  EXPECT_THAT(text, HasSubstr("\nScale 0\n  off: solaris, v7\n"));
  EXPECT_THAT(text,
              HasSubstr("\nAn odd buffer address\n  a fault, profiling is off: solaris, v7\n"));
  EXPECT_THAT(text, Not(HasSubstr("irix")));
}

}  // namespace
}  // namespace hardclock
