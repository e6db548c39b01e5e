// Golden bytes of every classic format, both ways, and the same after any damage: truncated at
// every length, every byte flipped. Whatever is left of a file, reading it gives a profile or one
// line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/report/flat.h"
#include "tests/unit/report/bytes.h"
#include "tests/unit/report/golden.h"

namespace hardclock::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(GoldenFiles, AreRead) {
  for (const Golden& golden : golden_files()) {
    SCOPED_TRACE(golden.hex);
    const auto named = read_profile(from_hex(golden.hex), golden.target(), golden.format);
    ASSERT_TRUE(named) << named.error();
    EXPECT_EQ(*named, golden.profile);
  }
}

// From the bytes alone, and from the bytes of the profile of a known program.
TEST(GoldenFiles, AreRecognized) {
  for (const Golden& golden : golden_files()) {
    SCOPED_TRACE(golden.hex);
    const auto alone = read_profile(from_hex(golden.hex));
    ASSERT_TRUE(alone) << alone.error();
    EXPECT_EQ(*alone, golden.profile);
    if (golden.format == "v7") continue;  // no program of 16 bits can be known
    const auto of_program = read_profile(from_hex(golden.hex), golden.target());
    ASSERT_TRUE(of_program) << of_program.error();
    EXPECT_EQ(*of_program, golden.profile);
  }
}

TEST(GoldenFiles, AreWritten) {
  for (const Golden& golden : golden_files()) {
    SCOPED_TRACE(golden.hex);
    const auto bytes = write_profile_as(golden.profile, golden.format);
    ASSERT_TRUE(bytes) << bytes.error();
    EXPECT_EQ(to_bytes(*bytes), from_hex(golden.hex));
  }
}

// The profile of another program is refused, not misread.
TEST(GoldenFiles, OfAnotherProgramAreRefused) {
  for (const Golden& golden : golden_files()) {
    if (golden.format == "v7") continue;
    SCOPED_TRACE(golden.hex);
    Target other_order = golden.target();
    other_order.byte_order =
        golden.profile.byte_order == Endian::big ? Endian::little : Endian::big;
    EXPECT_FALSE(read_profile(from_hex(golden.hex), other_order));
    Target other_size = golden.target();
    other_size.address_bits = golden.profile.address_bits == 32 ? 64 : 32;
    EXPECT_FALSE(read_profile(from_hex(golden.hex), other_size));
  }
}

// ---- the file of vectors

Profile profile_of(const std::string& name, const nlohmann::json& args) {
  Profile profile;
  const bool little = name == "v7_mon" || name.find("_le") != std::string::npos;
  profile.byte_order = little ? Endian::little : Endian::big;
  profile.address_bits = name.find("e64") != std::string::npos ? 64 : 32;
  profile.tick_rate = Hertz(args.value("rate", 0U));
  ProcessProfile& process = profile.processes.emplace_back();
  for (const auto& [low, high] : {std::pair{"lowpc", "highpc"}, {"lpc", "hpc"}}) {
    if (!args.contains(low)) continue;
    process.histograms.push_back({GuestAddr(args.at(low)), GuestAddr(args.at(high)),
                                  args.at("samples").get<std::vector<std::uint64_t>>()});
  }
  for (const auto& each : args.value("hists", nlohmann::json::array())) {
    process.histograms.push_back(
        {GuestAddr(each[0]), GuestAddr(each[1]), each[2].get<std::vector<std::uint64_t>>()});
  }
  for (const auto& each : args.value("cnts", nlohmann::json::array())) {
    process.calls.push_back({GuestAddr(each[0]), each[1]});
  }
  for (const auto& each : args.value("arcs", nlohmann::json::array())) {
    process.arcs.push_back({GuestAddr(each[0]), GuestAddr(each[1]), each[2]});
  }
  return profile;
}

TEST(GoldenFiles, AreThoseOfTheFileOfVectors) {
  std::ifstream file("tests/formats/profile-files.json");
  const auto vectors = nlohmann::json::parse(file).at("vectors");
  std::size_t known = 0;
  for (const Golden& golden : golden_files()) known += !golden.name.empty();
  EXPECT_EQ(vectors.size(), known);
  for (const auto& vector : vectors) {
    const std::string name = vector.at("name");
    SCOPED_TRACE(name);
    const auto golden = std::ranges::find(golden_files(), name, &Golden::name);
    ASSERT_NE(golden, golden_files().end());
    EXPECT_EQ(golden->hex, vector.at("hex").get<std::string>());
    EXPECT_EQ(golden->profile, profile_of(name, vector.at("args")));
  }
}

// ---- damage

void expect_answer_or_line(const std::vector<std::uint8_t>& bytes, const Golden& golden) {
  const SymbolTable symbols({{.address = GuestAddr(0x1000), .size = 16, .name = "f"}},
                            GuestAddr(0x1010));
  for (const Target& target : {Target{}, golden.target()}) {
    for (const std::string_view format : {std::string_view(), golden.format}) {
      const auto profile = read_profile(bytes, target, format);
      if (profile) {
        // What was read can be reported and kept.
        EXPECT_FALSE(to_text(flat(*profile, symbols)).empty());
        EXPECT_TRUE(write_profile_as(*profile, "hardclock"));
      } else {
        EXPECT_FALSE(profile.error().empty());
        EXPECT_THAT(profile.error(), Not(HasSubstr("\n")));
      }
    }
  }
}

TEST(DamagedFiles, TruncatedAtEveryLength) {
  for (const Golden& golden : golden_files()) {
    auto bytes = from_hex(golden.hex);
    while (!bytes.empty()) {
      bytes.pop_back();
      SCOPED_TRACE(std::string(golden.name) + " of " + std::to_string(bytes.size()) + " bytes");
      expect_answer_or_line(bytes, golden);
    }
  }
}

TEST(DamagedFiles, EveryByteFlipped) {
  for (const Golden& golden : golden_files()) {
    const auto whole = from_hex(golden.hex);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (const int flip : {0x01, 0x02, 0x10, 0x7f, 0x80, 0xff}) {
        SCOPED_TRACE(std::string(golden.name) + " byte " + std::to_string(i));
        auto bytes = whole;
        bytes[i] ^= static_cast<std::uint8_t>(flip);
        expect_answer_or_line(bytes, golden);
      }
    }
  }
}

// A length or a count of all ones must neither be believed nor overflow.
TEST(DamagedFiles, EveryFieldAllOnes) {
  for (const Golden& golden : golden_files()) {
    const auto whole = from_hex(golden.hex);
    for (const std::size_t size : {2U, 4U, 8U}) {
      for (std::size_t i = 0; i + size <= whole.size(); ++i) {
        SCOPED_TRACE(std::string(golden.name) + " at " + std::to_string(i));
        auto bytes = whole;
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(i), size, 0xff);
        expect_answer_or_line(bytes, golden);
      }
    }
  }
}

// A file cut short is noticed, except where a record ends: there its beginning is a whole file. Of
// the formats whose counters or arcs end with the file that is at every counter or arc.
TEST(DamagedFiles, TruncationWithinARecordIsNoticed) {
  struct Cut {
    std::string_view name;
    std::size_t header;  // smallest size that may be read
    std::size_t step;    // of sizes that may be read from there
  };
  for (const Cut& cut :
       {Cut{"v7_mon", 20, 2}, Cut{"svr_mon_be32", 22, 2}, Cut{"svr_mon_be64", 42, 2},
        Cut{"bsd43_gmon_le32", 20, 12}, Cut{"bsd44_gmon_be32", 40, 12},
        Cut{"bsd44_gmon_le64", 48, 24}, Cut{"gnu_gmon_be32", 20, 41}}) {
    const auto golden = std::ranges::find(golden_files(), cut.name, &Golden::name);
    auto bytes = from_hex(golden->hex);
    for (bytes.pop_back(); !bytes.empty(); bytes.pop_back()) {
      const bool whole = bytes.size() >= cut.header && (bytes.size() - cut.header) % cut.step == 0;
      const auto profile = read_profile(bytes, golden->target(), golden->format);
      EXPECT_EQ(profile.ok(), whole) << cut.name << " of " << bytes.size() << " bytes";
    }
  }
}

}  // namespace
}  // namespace hardclock::report
