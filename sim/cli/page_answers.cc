#include "sim/cli/page_answers.h"

namespace hardclock {
namespace {

constexpr std::string_view kAlmostOne =
    "Scale 0xffff, bufsiz 0xa000: elements for pc-offset = 0x8000, 0x8002";
constexpr std::string_view kOdd = "Scale 0xc000: elements for pc-offset = 1, 3, 5";
constexpr std::string_view kAbove = "Scale 0x20000: elements for pc-offset = 0, 2, 4";
constexpr std::string_view kScale2 =
    "Scale 2: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000";
constexpr std::string_view kScale1 =
    "Scale 1: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000";
constexpr std::string_view kScale0 = "Scale 0";
constexpr std::string_view kOddSize =
    "Scale 0x8000, bufsiz 5: elements for pc-offset = 0, 4, 8, 12";
constexpr std::string_view kNoSize2 = "Scale 2, bufsiz 0: element for pc = offset";
constexpr std::string_view kNearlyHalf = "A counter of 32766, one tick later";
constexpr std::string_view kUnmapped = "profil() of a buffer that is not mapped answers";
constexpr std::string_view kFailing = "After a sprofil() that fails, the profile before it is";
constexpr std::string_view kNoRegions = "sprofil() with profcnt 0";
constexpr std::string_view kOffAt1 = "\"turned off by giving a scale of 0 or 1\" (A-B2)";
constexpr std::string_view kFirstOfAll = "\"maps all instructions onto the beginning\" (A-B5)";
constexpr std::string_view kOneToOne = "\"gives a 1-1 mapping\" (A-B9)";

constexpr PageAnswer kAnswers[] = {
    {kAlmostOne, "v7", "16384, 16385", kOneToOne},
    {kAlmostOne, "4.1bsd", "16384, 16385", kOneToOne},
    {kAlmostOne, "2.11bsd", "16384, 16385", kOneToOne},
    {kOdd, "4.4bsd", "0, 0, 1", "\"[(pc - offset) / 2] * scale / 65536\" (A-B1)"},
    {kAbove, "4.4bsd", "0, 2, 4", "\"Otherwise, a value of 0 is returned\" (A-B4)"},
    {kScale2, "v7", "0, 0, -, -", kFirstOfAll},
    {kScale2, "4.1bsd", "0, 0, 0, 0", kFirstOfAll},
    {kScale2, "4.2bsd", "0, 0, 0, 0", kFirstOfAll},
    {kScale2, "solaris2.5", "0, 0, 1, 2", "\"65,536 bytes long to each counter\" (A-S3)"},
    {kScale2, "solaris", "0, 0, 1, 2", "\"65,536 bytes long to each counter\" (A-S3)"},
    {kScale2, "aix", "0, 0, 0, 0", "\"all instructions to the same location\" (A-A3)"},
    {kScale1, "v7", "off", kOffAt1},
    {kScale1, "4.1bsd", "off", kOffAt1},
    {kScale1, "4.2bsd", "off", kOffAt1},
    {kScale1, "4.3bsd", "off", kOffAt1},
    {kScale1, "2.11bsd", "off", kOffAt1},
    {kScale0, "glibc", "off", "profil(3): \"If scale is zero, profiling is disabled\" (A-G1)"},
    {kOddSize, "hpux", "-, -, -, -", "\"the same effect as calling sprofil()\": EINVAL (A-H11)"},
    {kNoSize2, "solaris2.5", "-", "\"ineffective by giving a bufsiz value of 0\" (A-S4)"},
    {kNoSize2, "solaris", "-", "\"ineffective by giving a bufsiz value of 0\" (A-S4)"},
    {kNearlyHalf, "solaris2.5", "32767, and profiling stops", "\"reaches 32767\" (A-S1)"},
    {kNearlyHalf, "solaris", "32767, and profiling stops", "\"reaches 32767\" (A-S1)"},
    {kUnmapped, "4.4bsd", "EFAULT", "\"The buffer samples contains an invalid address\" (A-B3)"},
    {kFailing, "hpux", "off", "\"Each call disables profiling\" (A-H8)"},
    {kNoRegions, "irix", "E2BIG", "\"less than or equal to 0\" (A-I15)"},
    {kNoRegions, "hpux", "E2BIG", "ERRORS: \"less than or equal to 0\" (A-H1)"},
};

}  // namespace

std::span<const PageAnswer> page_answers() {
  return kAnswers;
}

}  // namespace hardclock
