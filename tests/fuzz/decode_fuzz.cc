// Any word: decoding, disassembly and encoding neither crash nor disagree. Any text: decodegen
// answers with errors or with code.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/mips/disassembly.h"
#include "isa/mips/mips_decode.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/decode/checker.h"
#include "sim/decode/emitter.h"
#include "sim/decode/parser.h"

namespace hardclock {
namespace {

void fuzz_word(std::uint32_t word, GuestAddr pc) {
  const mips::Instruction instruction = mips::decode(word);
  CHECK(!mips::disassemble(word, pc).empty());
  if (instruction.opcode != mips::Opcode::invalid) CHECK(mips::encode(instruction) == word);
}

void fuzz_description(std::string_view text) {
  const Result<decodegen::Description, decodegen::Diagnostics> description = decodegen::parse(text);
  if (!description) return;
  const Result<decodegen::Isa, decodegen::Diagnostics> isa = decodegen::check(*description);
  if (!isa) return;
  CHECK(!decodegen::emit_header(*isa, "fuzz.decode").empty());
  CHECK(!decodegen::emit_source(*isa, "fuzz.decode", "fuzz_decode.h").empty());
}

}  // namespace
}  // namespace hardclock

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 4) {
    const auto word = hardclock::load_bytes<std::uint32_t>(data, hardclock::Endian::big);
    const auto pc = hardclock::load_bytes<std::uint32_t>(data + size - 4, hardclock::Endian::big);
    hardclock::fuzz_word(word, hardclock::GuestAddr(pc));
  }
  hardclock::fuzz_description({reinterpret_cast<const char*>(data), size});
  return 0;
}
