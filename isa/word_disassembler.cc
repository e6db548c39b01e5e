#include "isa/word_disassembler.h"

#include <cstdio>
#include <utility>

namespace hardclock {
namespace {

using Function = std::function<std::string(InstructionWord word, GuestAddr pc)>;

class WordDisassembler final : public Disassembler {
 public:
  WordDisassembler(Endian order, Function disassemble)
      : order_(order), disassemble_(std::move(disassemble)) {}

  std::size_t text_bytes() const override { return sizeof(InstructionWord); }
  unsigned slots(const InstructionText&) const override { return 1; }
  std::string digits(const InstructionText& text) const override {
    char digits[2 * sizeof(InstructionWord) + 1];
    std::snprintf(digits, sizeof digits, "%08x", word_of(text, order_));
    return digits;
  }
  std::string disassemble(const InstructionText& text) const override {
    return disassemble_(word_of(text, order_), text.pc());
  }

 private:
  Endian order_;
  Function disassemble_;
};

}  // namespace

std::unique_ptr<const Disassembler> make_word_disassembler(Endian order, Function disassemble) {
  return std::make_unique<WordDisassembler>(order, std::move(disassemble));
}

}  // namespace hardclock
