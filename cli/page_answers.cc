#include "cli/page_answers.h"

namespace hardclock {
namespace {

constexpr std::string_view almost_one =
    "Scale 0xffff, bufsiz 0xa000: elements for pc-offset = 0x8000, 0x8002";
constexpr std::string_view odd = "Scale 0xc000: elements for pc-offset = 1, 3, 5";
constexpr std::string_view above = "Scale 0x20000: elements for pc-offset = 0, 2, 4";
constexpr std::string_view scale2 = "Scale 2: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000";
constexpr std::string_view scale1 = "Scale 1: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000";
constexpr std::string_view scale0 = "Scale 0";
constexpr std::string_view odd_size =
    "Scale 0x8000, bufsiz 5: elements for pc-offset = 0, 4, 8, 12";
constexpr std::string_view no_size2 = "Scale 2, bufsiz 0: element for pc = offset";
constexpr std::string_view nearly_half = "A counter of 32766, one tick later";
constexpr std::string_view unmapped = "profil() of a buffer that is not mapped answers";
constexpr std::string_view failing = "After a sprofil() that fails, the profile before it is";
constexpr std::string_view no_regions = "sprofil() with profcnt 0";
constexpr std::string_view off_at1 = "\"turned off by giving a scale of 0 or 1\" (A-B2)";
constexpr std::string_view first_of_all = "\"maps all instructions onto the beginning\" (A-B5)";
constexpr std::string_view inside = "\"corresponds to a word inside buff\" (A-B12)";
constexpr std::string_view in_buffer = "\"a buffer of bufsiz bytes\" (A-S9)";
constexpr std::string_view one_to_one = "\"gives a 1-1 mapping\" (A-B9)";

constexpr PageAnswer answers[] = {
    {almost_one, "v7", "16384, 16385", one_to_one},
    {almost_one, "4.1bsd", "16384, 16385", one_to_one},
    {almost_one, "2.11bsd", "16384, 16385", one_to_one},
    {odd, "4.4bsd", "0, 0, 1", "\"[(pc - offset) / 2] * scale / 65536\" (A-B1)"},
    {above, "4.4bsd", "0, 2, 4", "\"Otherwise, a value of 0 is returned\" (A-B4)"},
    {scale2, "v7", "0, 0, -, -", first_of_all},
    {scale2, "4.1bsd", "0, 0, 0, 0", first_of_all},
    {scale2, "4.2bsd", "0, 0, 0, 0", first_of_all},
    {scale2, "solaris2.5", "0, 0, 1, 2", "\"65,536 bytes long to each counter\" (A-S3)"},
    {scale2, "solaris", "0, 0, 1, 2", "\"65,536 bytes long to each counter\" (A-S3)"},
    {scale2, "aix", "0, 0, 0, 0", "\"all instructions to the same location\" (A-A3)"},
    {scale1, "v7", "off", off_at1},
    {scale1, "4.1bsd", "off", off_at1},
    {scale1, "4.2bsd", "off", off_at1},
    {scale1, "4.3bsd", "off", off_at1},
    {scale1, "2.11bsd", "off", off_at1},
    {scale0, "glibc", "off", "profil(3): \"If scale is zero, profiling is disabled\" (A-G1)"},
    {odd_size, "v7", "0, 1, -, -", inside},
    {odd_size, "4.1bsd", "0, 1, -, -", inside},
    {odd_size, "4.2bsd", "0, 1, -, -", inside},
    {odd_size, "4.3bsd", "0, 1, -, -", inside},
    {odd_size, "2.11bsd", "0, 1, -, -", inside},
    {odd_size, "irix", "0, 1, -, -", "\"a buffer of bufsiz bytes\" (A-I6)"},
    {odd_size, "solaris2.5", "0, 1, -, -", in_buffer},
    {odd_size, "solaris", "0, 1, -, -", in_buffer},
    {odd_size, "hpux", "-, -, -, -", "\"the same effect as calling sprofil()\": EINVAL (A-H11)"},
    {no_size2, "solaris2.5", "-", "\"ineffective by giving a bufsiz value of 0\" (A-S4)"},
    {no_size2, "solaris", "-", "\"ineffective by giving a bufsiz value of 0\" (A-S4)"},
    {nearly_half, "solaris2.5", "32767, and profiling stops", "\"reaches 32767\" (A-S1)"},
    {nearly_half, "solaris", "32767, and profiling stops", "\"reaches 32767\" (A-S1)"},
    {unmapped, "4.4bsd", "EFAULT", "\"The buffer samples contains an invalid address\" (A-B3)"},
    {failing, "hpux", "off", "\"Each call disables profiling\" (A-H8)"},
    {no_regions, "irix", "E2BIG", "\"less than or equal to 0\" (A-I15)"},
    {no_regions, "hpux", "E2BIG", "ERRORS: \"less than or equal to 0\" (A-H1)"},
};

}  // namespace

std::span<const PageAnswer> page_answers() {
  return answers;
}

}  // namespace hardclock
