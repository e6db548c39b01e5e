// The instruction words of a file's code, where every instruction is one. A part of the instruction
// sets.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "isa/instruction_set.h"
#include "isa/instruction_word.h"
#include "sim/base/endian.h"
#include "sim/load/image.h"

namespace hardclock {

// The words of a stretch of code, as far as the file has them.
class CodeWords {
 public:
  CodeWords(const Image& file, const CodeRange& range)
      : bytes_(&find_segment(file.segments, range.start)->bytes[range.start - start(file, range)]),
        count_(range.size / sizeof(InstructionWord)),
        order_(file.endian) {}

  std::uint64_t count() const { return count_; }
  InstructionWord operator[](std::uint64_t i) const {
    return load_bytes<InstructionWord>(bytes_ + i * sizeof(InstructionWord), order_);
  }

 private:
  static GuestAddr start(const Image& file, const CodeRange& range) {
    return find_segment(file.segments, range.start)->address;
  }

  const std::uint8_t* bytes_;
  std::uint64_t count_;
  Endian order_;
};

// Instructions that has(word) denies in the file's code. A word that is_instruction(word) denies is
// data, and those beside it are taken for data, too.
template <class IsInstruction, class Has>
ForeignCode find_foreign_code(const Image& file, const IsInstruction& is_instruction,
                              const Has& has) {
  ForeignCode found;
  for (const CodeRange& range : file.code) {
    const CodeWords words(file, range);
    for (std::uint64_t i = 0; i < words.count(); ++i) {
      if (has(words[i]) || !is_instruction(words[i])) continue;
      const bool is_among_data = (i > 0 && !is_instruction(words[i - 1])) ||
                                 (i + 1 < words.count() && !is_instruction(words[i + 1]));
      if (is_among_data) continue;
      if (found.count++ != 0) continue;
      found.first = range.start + i * sizeof(InstructionWord);
      found.word = words[i];
    }
  }
  return found;
}

// What number_at(words, i) finds at the words of the file's code: ascending, none twice.
template <class NumberAt>
std::vector<std::uint32_t> numbers_in_code(const Image& file, const NumberAt& number_at) {
  std::set<std::uint32_t> numbers;
  for (const CodeRange& range : file.code) {
    const CodeWords words(file, range);
    for (std::uint64_t i = 0; i < words.count(); ++i) {
      if (const std::optional<std::uint32_t> number = number_at(words, i)) numbers.insert(*number);
    }
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace hardclock
