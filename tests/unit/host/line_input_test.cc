#include "syscalls/host/line_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace hardclock::host {
namespace {

// Gives a text in pieces of at most `piece` bytes.
class Arriving {
 public:
  Arriving(std::string_view text, std::size_t piece) : rest_(text), piece_(piece) {}

  HostResult<std::size_t> operator()(std::span<std::uint8_t> bytes) {
    const std::size_t size = std::min({bytes.size(), piece_, rest_.size()});
    std::copy_n(rest_.begin(), size, bytes.begin());
    rest_.remove_prefix(size);
    return size;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::size_t piece_;
};

std::string read(LineInput& input, std::size_t room, const LineInput::Source& source) {
  std::vector<std::uint8_t> bytes(room);
  const auto size = input.read(bytes, source);
  if (!size) return describe(size.error());
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(*size)};
}

// What reads of these sizes, over and over, give until the end.
std::vector<std::string> reads(std::string_view text, std::size_t piece,
                               const std::vector<std::size_t>& sizes) {
  LineInput input;
  Arriving arriving(text, piece);
  std::vector<std::string> all;
  for (std::size_t i = 0; all.empty() || !all.back().empty(); ++i) {
    all.push_back(read(input, sizes[i % sizes.size()], std::ref(arriving)));
  }
  all.pop_back();
  return all;
}

using Texts = std::vector<std::string>;

TEST(LineInput, GivesALineAtATime) {
  EXPECT_EQ(reads("one\n\ntwo\nrest", 100, {80}), (Texts{"one\n", "\n", "two\n", "rest"}));
  EXPECT_EQ(reads("one\ntwo\n", 100, {3}), (Texts{"one", "\n", "two", "\n"}));
  EXPECT_EQ(reads("", 100, {3}), Texts{});
}

TEST(LineInput, DoesNotShowHowTheBytesCame) {
  const std::string text = "a\nlonger line\n\nwithout its end in a small buffer\nlast";
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{80}, {1}, {7}, {20, 3}, {2, 40, 1}}) {
    const auto at_once = reads(text, text.size(), sizes);
    for (std::size_t piece = 1; piece < 30; ++piece) EXPECT_EQ(reads(text, piece, sizes), at_once);
  }
}

TEST(LineInput, TakesNoMoreThanWasAskedFor) {
  LineInput input;
  Arriving arriving("one\ntwo\nthree\n", 100);
  EXPECT_EQ(read(input, 6, std::ref(arriving)), "one\n");
  EXPECT_EQ(arriving.rest(), "o\nthree\n");
  EXPECT_EQ(read(input, 0, std::ref(arriving)), "");
  EXPECT_EQ(arriving.rest(), "o\nthree\n");
}

TEST(LineInput, KeepsWhatCameBeforeAnError) {
  LineInput input;
  const auto fails = [](Error error) {
    return [error](std::span<std::uint8_t>) -> HostResult<std::size_t> { return Failure{error}; };
  };
  Arriving arriving("half", 3);
  int calls = 0;
  const auto interrupted = [&](std::span<std::uint8_t> bytes) -> HostResult<std::size_t> {
    if (++calls > 1) return Failure{Error::again};
    return arriving(bytes);
  };
  EXPECT_EQ(read(input, 80, interrupted), describe(Error::again));
  EXPECT_EQ(read(input, 80, fails(Error::io)), "hal");
  EXPECT_EQ(read(input, 80, fails(Error::io)), describe(Error::io));
}

}  // namespace
}  // namespace hardclock::host
