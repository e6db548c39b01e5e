#include "sim/load/elf_float_abi.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/base/endian.h"
#include "sim/load/elf_file.h"

namespace hardclock {
namespace {

using Bytes = FileWindow::Bytes;

// Elf_MIPS_ABIFlags_v0 (elf.h): fp_abi is its eighth byte.
constexpr std::size_t abi_flags_bytes = 24, fp_abi_place = 7;

std::optional<std::uint8_t> in_segment(Elf* elf, const GElf_Ehdr& header, FileWindow& file) {
  if (!file.part(header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize)) return {};
  for (int i = 0; i < header.e_phnum; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, i, &segment) == nullptr) return {};
    if (segment.p_type != PT_MIPS_ABIFLAGS || segment.p_filesz < abi_flags_bytes) continue;
    const auto flags = file.part(segment.p_offset, abi_flags_bytes);
    return flags ? std::optional((*flags)[fp_abi_place]) : std::nullopt;
  }
  return {};
}

// What is left of attributes. Whatever is behind their end is 0.
class Attributes {
 public:
  Attributes(Bytes rest, Endian endian) : rest_(rest), endian_(endian) {}

  bool is_over() const { return rest_.empty(); }
  std::uint8_t byte() {
    const Bytes taken = take(1);
    return taken.empty() ? 0 : taken[0];
  }
  std::uint32_t word() {
    const Bytes taken = take(4);
    return taken.size() < 4 ? 0 : load_bytes<std::uint32_t>(taken.data(), endian_);
  }
  // ULEB128
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7fU} << shift;
      if ((part & 0x80) == 0) break;
    }
    return value;
  }
  std::string_view text() {
    const auto end = std::ranges::find(rest_, std::uint8_t{0});
    const auto size = static_cast<std::size_t>(end - rest_.begin());
    const std::string_view text(reinterpret_cast<const char*>(rest_.data()), size);
    take(size + 1);
    return text;
  }
  Attributes part(std::size_t size) { return {take(size), endian_}; }

 private:
  Bytes take(std::size_t size) {
    const Bytes taken = rest_.first(std::min(size, rest_.size()));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

  Bytes rest_;
  Endian endian_;
};

// The attributes of a file, by tag; odd tags have a text, those of GNU's below 32 a number, and 32
// both (binutils 2.40, bfd/elf-attrs.c, _bfd_elf_parse_attributes(),
// _bfd_elf_obj_attrs_arg_type()).
std::optional<std::uint8_t> in_file_attributes(Attributes attributes) {
  constexpr std::uint64_t abi_fp = 4, compatibility = 32;  // Tag_GNU_MIPS_ABI_FP, Tag_compatibility
  while (!attributes.is_over()) {
    const std::uint64_t tag = attributes.number();
    const bool has_text = tag == compatibility || tag % 2 != 0;
    const bool has_number = tag == compatibility || tag % 2 == 0;
    const std::uint64_t value = has_number ? attributes.number() : 0;
    if (has_text) attributes.text();
    if (tag == abi_fp) return static_cast<std::uint8_t>(std::min<std::uint64_t>(value, 0xff));
  }
  return {};
}

// A letter, then for each vendor its size, its name, and parts: what a part is of, its size, its
// attributes. Sizes count themselves.
std::optional<std::uint8_t> in_attributes(Attributes section) {
  constexpr std::uint64_t of_file = 1;  // Tag_File
  if (section.byte() != 'A') return {};
  while (!section.is_over()) {
    const std::uint32_t size = section.word();
    if (size < sizeof size) return {};
    Attributes vendor = section.part(size - sizeof size);
    if (vendor.text() != "gnu") continue;
    while (!vendor.is_over()) {
      const std::uint8_t of = vendor.byte();
      const std::uint32_t part_size = vendor.word();
      if (part_size < sizeof of + sizeof part_size) return {};
      const Attributes part = vendor.part(part_size - sizeof of - sizeof part_size);
      if (of == of_file) return in_file_attributes(part);
    }
  }
  return {};
}

std::optional<std::uint8_t> in_section(Elf* elf, Endian endian, FileWindow& file) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return {};
    if (header.sh_type != SHT_GNU_ATTRIBUTES) continue;
    const auto bytes = file.part(header.sh_offset, header.sh_size);
    return bytes ? in_attributes(Attributes(*bytes, endian)) : std::nullopt;
  }
  return {};
}

// Modes of the processor: no double precision, no unit, 16 registers of 64 bits in pairs, 32 of
// them, and these as pairs.
constexpr unsigned single = 1, soft = 2, fr0 = 4, fr1 = 8, fre = 16;

unsigned modes_of(const std::optional<FloatAbi>& abi) {
  constexpr std::array<unsigned, Val_GNU_MIPS_ABI_FP_MAX + 1> modes = {
      single | soft | fr0 | fr1 | fre, fr0 | fre, single, soft, 0, fr0 | fr1 | fre, fr1, fr1 | fre};
  if (!abi) return single | soft | fr0 | fre;
  return abi->value < modes.size() ? modes[abi->value] : 0;
}

}  // namespace

std::string FloatAbi::name() const {
  constexpr std::array names = {"Hard or soft float",
                                "Hard float (double precision)",
                                "Hard float (single precision)",
                                "Soft float",
                                "Hard float (MIPS32r2 64-bit FPU 12 callee-saved)",
                                "Hard float (32-bit CPU, Any FPU)",
                                "Hard float (32-bit CPU, 64-bit FPU)",
                                "Hard float compat (32-bit CPU, 64-bit FPU)"};
  return value < names.size() ? names[value] : fmt::format("??? ({})", value);
}

std::optional<FloatAbi> read_float_abi(FileWindow& file) {
  const auto opened = open_elf(file);
  if (!opened || opened->header.e_machine != EM_MIPS) return {};
  Elf* const elf = opened->elf.get();
  if (const auto value = in_segment(elf, opened->header, file)) return FloatAbi{*value, true};
  const auto value = in_section(elf, byte_order(opened->header), file);
  return value ? std::optional(FloatAbi{*value, false}) : std::nullopt;
}

bool can_mix(const std::optional<FloatAbi>& a, const std::optional<FloatAbi>& b) {
  return (modes_of(a) & modes_of(b)) != 0;
}

}  // namespace hardclock
