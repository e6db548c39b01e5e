// Any word, any bundle: decoding, disassembly and encoding neither crash nor disagree. Any text:
// decodegen answers with errors or with code.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "isa/ia64/bundle.h"
#include "isa/ia64/disassembly.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/mips/disassembly.h"
#include "isa/mips/mips_decode.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/decode/checker.h"
#include "sim/decode/emitter.h"

namespace hardclock {
namespace {

void fuzz_word(std::uint32_t word, GuestAddr pc) {
  const mips::Instruction instruction = mips::decode(word);
  CHECK(!mips::disassemble(word, pc).empty());
  if (instruction.opcode != mips::Opcode::invalid) CHECK(mips::encode(instruction) == word);
}

// Ignored bits are encoded as zero, so the word itself may differ.
void fuzz_slot(ia64::Word word) {
  const ia64::Instruction instruction = ia64::decode(word);
  if (instruction.opcode == ia64::Opcode::invalid) return;
  const ia64::Word encoded = ia64::encode(instruction);
  CHECK((encoded & ~word) == 0);
  CHECK(ia64::encode(ia64::decode(encoded)) == encoded);
}

void fuzz_bundle(const std::uint8_t* bytes, GuestAddr address) {
  InstructionText text{.address = address, .length = ia64::bundle_bytes};
  std::memcpy(text.bytes.data(), bytes, ia64::bundle_bytes);
  const ia64::Bundle bundle = ia64::unpack(text.bytes);
  CHECK(ia64::packed_bytes(bundle) == text.bytes);
  const std::unique_ptr<const Disassembler> disassembler = ia64::make_disassembler();
  for (; text.slot < disassembler->slots(text); ++text.slot) {
    CHECK(!disassembler->disassemble(text).empty());
    CHECK(!disassembler->digits(text).empty());
  }
  const std::optional<ia64::Template> layout = ia64::template_of(bundle.template_number);
  if (!layout) return;
  for (std::size_t slot = 0; slot < ia64::instruction_count(*layout); ++slot) {
    fuzz_slot(ia64::instruction_word(bundle, *layout, slot));
  }
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
    if (size >= hardclock::ia64::bundle_bytes) {
      hardclock::fuzz_bundle(data, hardclock::GuestAddr(pc));
    }
  }
  hardclock::fuzz_description({reinterpret_cast<const char*>(data), size});
  return 0;
}
