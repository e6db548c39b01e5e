// The parser takes any bytes: it answers with cases or with one line, and never crashes (the
// sanitizers watch). The seeds are fixed.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "syscalls/conform/case_parser.h"
#include "syscalls/conform/model_backend.h"
#include "tests/unit/conform/case_files.h"
#include "tests/unit/conform/sample.h"

namespace hardclock::conform {
namespace {

// True when the text was taken; then its cases can be performed too.
bool try_parse(std::string_view text) {
  const auto cases = parse_cases(text, "f.json");
  if (!cases.ok()) {
    EXPECT_TRUE(cases.error().starts_with("f.json:")) << cases.error();
    EXPECT_EQ(cases.error().find('\n'), std::string::npos) << cases.error();
    return false;
  }
  ModelBackend model;
  for (const Case& each : *cases) {
    if (each.defect.empty()) model.run(each);
  }
  return true;
}

TEST(ParserFuzz, EveryPrefixIsMalformed) {
  for (const std::string_view text : {sample_file, observations}) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      EXPECT_FALSE(try_parse(text.substr(0, length))) << length;
    }
    EXPECT_TRUE(try_parse(text));
  }
}

TEST(ParserFuzz, EveryBitOfEveryByte) {
  for (const std::string_view text : {sample_file, observations}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string changed(text);
        changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
        try_parse(changed);
      }
    }
  }
}

// Pieces of the text moved, doubled and lost keep it close to JSON.
TEST(ParserFuzz, ShuffledPieces) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  int taken = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text(round % 2 == 0 ? sample_file : observations);
    const std::string piece = text.substr(below(text.size()), below(40));
    if (below(2) == 0) text.erase(below(text.size()), below(40));
    text.insert(below(text.size()), piece);
    taken += try_parse(text) ? 1 : 0;
  }
  EXPECT_GT(taken, 0);
}

TEST(ParserFuzz, NumbersAtTheirLimits) {
  for (const std::string_view number :
       {"-9223372036854775808", "-9223372036854775809", "-1", "0", "1", "2147483648", "4294967295",
        "4294967296", "9223372036854775807", "18446744073709551615", "18446744073709551616",
        "1e400", "-0", "1.0"}) {
    constexpr std::string_view sample = sample_file;
    for (std::size_t from = 0; from < sample.size();) {
      const std::size_t digit = sample.find_first_of("0123456789", from);
      if (digit == std::string_view::npos) break;
      from = std::min(sample.find_first_not_of("0123456789", digit), sample.size());
      std::string text(sample);
      text.replace(digit, from - digit, number);
      try_parse(text);
    }
  }
}

TEST(ParserFuzz, PrefixesOfTheConformanceFile) {
  const std::string text = case_file("manuals.json");
  constexpr std::size_t step = 997;
  const std::size_t whole = text.find_last_of('}');
  for (std::size_t length = 0; length < whole; length += step) {
    EXPECT_FALSE(try_parse(std::string_view(text).substr(0, length))) << length;
  }
}

}  // namespace
}  // namespace hardclock::conform
