// The cases of tests/conformance/disputed.json in both backends: of 228 that were written from the
// manual pages alone, the 26 that needed a decision. Those that must not pass are listed with the
// reason; one of them that passes is a failure.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/conform/case_parser.h"
#include "syscalls/conform/compare.h"
#include "syscalls/conform/guest_backend.h"
#include "syscalls/conform/model_backend.h"
#include "tests/unit/conform/case_files.h"
#include "tests/unit/conform/case_maker.h"

namespace hardclock::conform {
namespace {

using Reasons = std::map<std::string_view, std::string_view>;

// The page's sentence against its own kernel: the kernel's is in force.
const Reasons page_against_kernel = {
    {"P-I23", "IRIX's page has offset as the region's start, the kernel's difference wraps"},
    {"P-B03", "A-B3: 4.4BSD's page has EFAULT, the kernel never looks at the buffer in the call"},
    {"P-B05", "A-B1: 4.4BSD's page halves the difference first, the kernel the product"},
    {"P-B08", "A-B4: 4.4BSD's page takes any scale, the kernel answers EINVAL above 65536"},
    {"P-L03",
     "A-S3: Solaris's page gives scale 2 a counter for 65536 bytes, the kernel one for all"},
    {"P-L04", "A-S1: Solaris's page stops at 32767, the kernel at the hit behind it"},
    {"P-L05", "A-S4: Solaris's page makes bufsiz 0 ineffective, the kernel not with scale 2"},
    {"P-V03", "A-B5: 4.2BSD's page maps all onto the first word with scale 2, the kernel 64 KiB"},
    {"P-V04", "A-B5: 4.1BSD's page maps all onto the first word with scale 2, the kernel 32 KiB"},
    {"P-V0541", "A-B2: the page turns profiling off with scale 1, the kernel with 0 only"},
    {"P-V0542", "A-B2"},
    {"P-V0543", "A-B2"},
    {"P-V13", "A-B9: 4.1BSD's page calls 0177777 1-1, the kernel's words meet at 32 KiB"},
    {"P-Y03",
     "A-S8: a 64-bit kernel's word; solaris's is that of the program, as a 32-bit kernel's"},
};

// Open in the pages: the case is the literal reading, ours is another one.
const Reasons open = {
    {"P-H24", "A-H8: a failing call disables profiling; here it changes nothing"},
    {"P-H25", "A-H11: profil with a bufsiz that sprofil refuses; here it counts"},
    {"P-H26", "A-H11: profil with a bin of the wrong size; here it counts"},
};

bool passes(const Case& of, Backend& backend, std::string& why) {
  if (!of.defect.empty()) {
    why = of.defect;
    return false;
  }
  const Observation seen = backend.run(of);
  const std::vector<std::string> differences = compare(of, seen);
  why = seen.error.empty() ? (differences.empty() ? "" : differences.front()) : seen.error;
  return why.empty();
}

TEST(DisputedCases, PassButForThoseThatAreListed) {
  const auto cases = parse_cases(case_file("disputed.json"), "disputed.json");
  ASSERT_TRUE(cases.ok()) << cases.error();
  EXPECT_EQ(cases->size(), 26U);
  std::map<std::string, std::string_view, std::less<>> listed;
  for (const Reasons* const reasons : {&page_against_kernel, &open}) {
    for (const auto& [id, reason] : *reasons) {
      EXPECT_TRUE(listed.emplace(id, reason).second) << id << " is listed twice";
    }
  }
  ModelBackend model;
  GuestBackend guest(make_case_cpu);
  for (const Case& each : *cases) {
    const auto found = listed.find(each.id);
    for (Backend* const backend : std::initializer_list<Backend*>{&model, &guest}) {
      std::string why;
      const bool has_passed = passes(each, *backend, why);
      if (found == listed.end()) {
        EXPECT_TRUE(has_passed) << each.id << " " << backend->name() << ": " << why;
      } else {
        EXPECT_FALSE(has_passed) << each.id << " " << backend->name()
                                 << " passes and is listed: " << found->second;
      }
    }
    if (found != listed.end()) listed.erase(found);
  }
  for (const auto& [id, reason] : listed) ADD_FAILURE() << "no case " << id;
}

}  // namespace
}  // namespace hardclock::conform
