// Reads a line from left to right, in words and numbers.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace hardclock::cli_test {

// Every step says whether it could be taken; after one that could not the rest is undefined.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::string_view rest() const { return rest_; }
  bool at_end() const { return rest_.empty(); }

  bool skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  // Up to and including `end`.
  bool skip_past(std::string_view end) {
    const std::size_t at = rest_.find(end);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + end.size());
    return true;
  }
  template <class Number>
  bool read(Number& number, int base = 10) {
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), number, base);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }
  // "0x" and digits.
  bool read_hex(std::uint32_t& number) { return skip("0x") && read(number, 16); }
  // Up to the next blank or the end.
  std::string word() {
    skip_blanks();
    const std::size_t size = std::min(rest_.find_first_of(" \t"), rest_.size());
    std::string word(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return word;
  }

 private:
  std::string_view rest_;
};

}  // namespace hardclock::cli_test
