// The patterns and their syntax against Capstone 4, a disassembler that shares no code with ours
// or with GNU's.
#include <capstone/capstone.h>
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "isa/mips/disassembly.h"
#include "isa/mips/mips_decode.h"
#include "sim/base/endian.h"
#include "tests/unit/decode/instances.h"

namespace hardclock::mips {
namespace {

constexpr GuestAddr pc{0x40'0000};

class Capstone {
 public:
  Capstone() {
    const auto mode = static_cast<cs_mode>(CS_MODE_MIPS32 | CS_MODE_BIG_ENDIAN);
    EXPECT_EQ(cs_open(CS_ARCH_MIPS, mode, &handle_), CS_ERR_OK);
  }
  ~Capstone() { cs_close(&handle_); }
  Capstone(const Capstone&) = delete;
  Capstone& operator=(const Capstone&) = delete;

  std::optional<std::string> disassemble(std::uint32_t word) const {
    std::array<std::uint8_t, 4> bytes;
    store_bytes(bytes.data(), word, Endian::big);
    cs_insn* instruction = nullptr;
    const std::size_t count =
        cs_disasm(handle_, bytes.data(), bytes.size(), pc.value(), 1, &instruction);
    if (count != 1) return std::nullopt;
    const std::string text = instruction->mnemonic + std::string("\t") + instruction->op_str;
    cs_free(instruction, count);
    return text;
  }

 private:
  csh handle_ = 0;
};

// "addiu\t$sp, $sp, -0x18" and "addiu\tsp,sp,-24" -> {"addiu", "sp", "sp", "4294967272"}:
// separators and $ dropped, numbers in decimal modulo 2^32. Capstone leaves out an offset of 0.
std::vector<std::string> words_of(std::string text) {
  if (const std::size_t at = text.find(", ("); at != std::string::npos) text.insert(at + 1, "0");
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (word.empty()) return;
    const bool number = std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-';
    words.push_back(
        number ? std::to_string(static_cast<std::uint32_t>(std::strtoll(word.c_str(), nullptr, 0)))
               : word);
    word.clear();
  };
  for (const char c : text) {
    if (c == '\t' || c == ' ' || c == ',' || c == '(' || c == ')') {
      finish();
    } else if (c != '$') {
      word += c;
    }
  }
  finish();
  return words;
}

using Words = std::vector<std::string>;

// Capstone's names of registers that objdump calls otherwise.
std::string register_name(const std::string& word) {
  return word == "fp" ? "s8" : word;
}

// Capstone's text in objdump's spelling. Each rule is an alias that one of the two does not print.
Words as_objdump(Opcode opcode, Words words) {
  for (std::string& word : words) word = register_name(word);
  std::string& name = words[0];
  const auto is = [&](const char* mnemonic, std::size_t count) {
    return name == mnemonic && words.size() == count;
  };
  if (is("pause", 1)) return {"sll", "zero", "zero", "5"};  // of MIPS32 release 2
  if (is("not", 3)) return {"nor", words[1], words[2], "zero"};
  if ((is("addiu", 4) || is("ori", 4)) && words[2] == "zero") return {"li", words[1], words[3]};
  if (is("beql", 4) && words[2] == "zero") return {"beqzl", words[1], words[3]};
  if (is("bnel", 4) && words[2] == "zero") return {"bnezl", words[1], words[3]};
  if (is("bgez", 3) && words[1] == "zero") return {"b", words[2]};
  if (is("jalr", 3) && words[1] == "ra") return {"jalr", words[2]};
  // Release 6 of MIPS32 spells JR so.
  if (opcode == Opcode::jalr && is("jr", 2)) return {"jalr", "zero", words[1]};
  if (is("cfc1", 3) || is("ctc1", 3)) {
    if (words[2] == "0") words[2] = "c1_fir";
    if (words[2] == "31") words[2] = "c1_fcsr";
  }
  return words;
}

// Capstone prints the signed immediates of these without their sign.
bool has_unsigned_immediate(Opcode opcode) {
  return opcode >= Opcode::tgei && opcode <= Opcode::tnei;
}

// Capstone rejects odd registers of doubles, which its MIPS32 mode takes as halves of pairs.
std::uint32_t with_even_registers(Opcode opcode, std::uint32_t word) {
  const std::string name = info(opcode).name;
  const bool is_double = name.find("_d") != std::string::npos;
  return is_double ? word & ~(0x0001'0840u & ~info(opcode).mask) : word;
}

TEST(MipsCapstone, EveryPatternReadsTheSame) {
  const Capstone capstone;
  for (const Opcode opcode : all_opcodes()) {
    for (std::uint32_t word : instances(opcode, 500, static_cast<std::uint32_t>(opcode))) {
      word = with_even_registers(opcode, word);
      const std::optional<std::string> theirs = capstone.disassemble(word);
      ASSERT_TRUE(theirs) << info(opcode).name << std::hex << " " << word;
      Words expected = as_objdump(opcode, words_of(*theirs));
      Words ours = words_of(disassemble(word, pc));
      if (has_unsigned_immediate(opcode)) {
        ours.back() = std::to_string(std::stoul(ours.back()) & 0xffff);
      }
      ASSERT_EQ(ours, expected) << info(opcode).name << std::hex << " 0x" << word;
    }
  }
}

}  // namespace
}  // namespace hardclock::mips
