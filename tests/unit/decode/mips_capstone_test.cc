// The patterns and their syntax against Capstone 4, a disassembler that shares no code with ours
// or with GNU's.
#include <capstone/capstone.h>
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isa/mips/disassembly.h"
#include "isa/mips/mips_decode.h"
#include "sim/base/endian.h"
#include "tests/unit/decode/mips_instances.h"

namespace hardclock::mips {
namespace {

constexpr GuestAddr pc{0x40'0000};

class Capstone {
 public:
  // `bits` is 32 or 64.
  explicit Capstone(unsigned bits) {
    const auto mode =
        static_cast<cs_mode>((bits == 64 ? CS_MODE_MIPS64 : CS_MODE_MIPS32) | CS_MODE_BIG_ENDIAN);
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
  for (const char* const before : {", (", "\t("}) {
    const std::size_t at = text.find(before);
    if (at != std::string::npos) text.insert(at + std::strlen(before) - 1, "0");
  }
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

void add(std::string& number, std::uint32_t summand) {
  number = std::to_string(static_cast<std::uint32_t>(std::stoul(number) + summand));
}

// Release 2's instructions, whose names objdump shortens and whose numbers Capstone 4 leaves as
// they are in the word.
Words release_2_as_objdump(Words words) {
  static const std::map<std::string, std::string> names = {{"rotr", "ror"},
                                                           {"rotrv", "rorv"},
                                                           {"drotr", "dror"},
                                                           {"drotr32", "dror32"},
                                                           {"drotrv", "drorv"}};
  static const std::map<std::string, std::string> sync_types = {{"4", "sync_wmb"},
                                                                {"16", "sync_mb"},
                                                                {"17", "sync_acquire"},
                                                                {"18", "sync_release"},
                                                                {"19", "sync_rmb"}};
  std::string& name = words[0];
  if (names.contains(name)) name = names.at(name);
  if (name == "sync" && words.size() == 2 && sync_types.contains(words[1])) {
    return {sync_types.at(words[1])};
  }
  if (name == "dextm" || name == "dinsm") add(words.at(4), 32);
  if (name == "dextu" || name == "dinsu") add(words.at(3), 32);
  if (name.starts_with("dext")) name = "dext";
  if (name.starts_with("dins")) name = "dins";
  return words;
}

// Capstone's text in objdump's spelling. Each rule is an alias that one of the two does not print.
Words as_objdump(Opcode opcode, Words words) {
  for (std::string& word : words) word = register_name(word);
  std::string& name = words[0];
  const auto is = [&](const char* mnemonic, std::size_t count) {
    return name == mnemonic && words.size() == count;
  };
  if (is("not", 3)) return {"nor", words[1], words[2], "zero"};
  if ((is("addiu", 4) || is("ori", 4)) && words[2] == "zero") return {"li", words[1], words[3]};
  if (is("beql", 4) && words[2] == "zero") return {"beqzl", words[1], words[3]};
  if (is("bnel", 4) && words[2] == "zero") return {"bnezl", words[1], words[3]};
  if (is("bgez", 3) && words[1] == "zero") return {"b", words[2]};
  if (is("jalr", 3) && words[1] == "ra") return {"jalr", words[2]};
  // Release 6 of MIPS32 spells JR so.
  if (opcode == Opcode::jalr && is("jr", 2)) return {"jalr", "zero", words[1]};
  if (is("dsub", 4) && words[2] == "zero") return {"dneg", words[1], words[3]};
  if (is("dsubu", 4) && words[2] == "zero") return {"dnegu", words[1], words[3]};
  if (is("cfc1", 3) || is("ctc1", 3)) {
    static const std::map<std::string, std::string> names = {{"0", "c1_fir"},
                                                             {"25", "c1_fccr"},
                                                             {"26", "c1_fexr"},
                                                             {"28", "c1_fenr"},
                                                             {"31", "c1_fcsr"}};
    if (names.contains(words[2])) words[2] = names.at(words[2]);
  }
  return release_2_as_objdump(std::move(words));
}

// Capstone prints the signed immediates of these without their sign.
bool has_unsigned_immediate(Opcode opcode) {
  return opcode >= Opcode::tgei && opcode <= Opcode::tnei;
}

// What Capstone 4.0.2 does not decode in any mode.
const std::set<std::string>& unknown_to_capstone() {
  static const std::set<std::string> names = {
      "recip_s",   "rsqrt_s",   "recip_d",  "rsqrt_d",     "cvt_s_l",    "cvt_d_l",
      "round_l_s", "trunc_l_s", "ceil_l_s", "floor_l_s",   "round_l_d",  "trunc_l_d",
      "ceil_l_d",  "floor_l_d", "prefx",    "c_cond_s_cc", "c_cond_d_cc"};
  return names;
}

// Capstone rejects odd registers of doubles, which its MIPS32 mode takes as halves of pairs, and
// hardware registers other than 29, and takes COP1X with $8 in rs for branches of coprocessor 3.
// CLZ and its kin have to name their result's register twice.
std::uint32_t sensible(Opcode opcode, std::uint32_t word) {
  constexpr std::uint32_t one_register = 31;
  const std::string name = info(opcode).name;
  if (opcode == Opcode::rdhwr) return (word & ~(one_register << 11)) | 29u << 11;
  if (name.ends_with("clz") || name.ends_with("clo")) {
    return (word & ~(one_register << 16)) | (word >> 11 & one_register) << 16;
  }
  constexpr std::uint32_t cop1x = 19, rs = 21;
  if (word >> 26 == cop1x && (word >> rs & one_register) == 8) word |= 1u << rs;
  const bool is_double = name.find("_d") != std::string::npos || name.ends_with("hc1");
  return is_double ? word & ~(0x0001'0840u & ~info(opcode).mask) : word;
}

Words our_words(Opcode opcode, std::uint32_t word) {
  Words ours = words_of(disassemble(word, pc));
  if (has_unsigned_immediate(opcode)) {
    ours.back() = std::to_string(std::stoul(ours.back()) & 0xffff);
  }
  return ours;
}

// In one of Capstone's two modes, MIPS32 and MIPS64.
TEST(MipsCapstone, EveryPatternReadsTheSame) {
  const Capstone mips32(32), mips64(64);
  for (const Opcode opcode : all_opcodes()) {
    std::size_t known = 0;
    for (std::uint32_t word : instances(opcode, 500, static_cast<std::uint32_t>(opcode))) {
      word = sensible(opcode, word);
      const Words ours = our_words(opcode, word);
      std::string seen;
      bool agrees = false;
      for (const Capstone* const capstone : {&mips32, &mips64}) {
        const std::optional<std::string> theirs = capstone->disassemble(word);
        if (theirs) seen += *theirs + "; ";
        agrees |= theirs && as_objdump(opcode, words_of(*theirs)) == ours;
      }
      known += agrees;
      ASSERT_TRUE(agrees || unknown_to_capstone().contains(info(opcode).name))
          << info(opcode).name << std::hex << " 0x" << word << ": ours " << disassemble(word, pc)
          << ", theirs " << seen;
    }
    const bool is_listed = unknown_to_capstone().contains(info(opcode).name);
    EXPECT_TRUE(known != 0 || is_listed) << info(opcode).name;
  }
}

}  // namespace
}  // namespace hardclock::mips
