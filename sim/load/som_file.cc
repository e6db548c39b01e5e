#include "sim/load/som_file.h"

#include "sim/base/check.h"
#include "sim/base/endian.h"

namespace hardclock {
namespace {

constexpr std::uint64_t subspace_size = 40;

bool is_string_at(std::string_view strings, std::uint64_t offset, std::string_view name) {
  return offset < strings.size() && strings.substr(offset).starts_with(name) &&
         strings.substr(offset).substr(name.size()).starts_with('\0');
}

SomHeader read_header(std::span<const std::uint8_t> bytes) {
  const auto word = [&](std::uint64_t offset) { return som_word(bytes, offset); };
  SomHeader header;
  header.system_id = static_cast<std::uint16_t>(word(0) >> 16);
  header.magic = static_cast<std::uint16_t>(word(0));
  header.version_id = word(4);
  header.aux_headers = {word(28), word(32)};
  header.presumed_dp = word(40);
  header.subspaces = {word(52), word(56)};
  header.space_strings = {word(68), word(72)};
  header.symbols = {word(92), word(96)};
  header.symbol_strings = {word(108), word(112)};
  return header;
}

}  // namespace

std::uint32_t som_word(std::span<const std::uint8_t> record, std::uint64_t offset) {
  CHECK(offset + sizeof(std::uint32_t) <= record.size());
  return load_bytes<std::uint32_t>(record.data() + offset, Endian::big);
}

SomFile::SomFile(FileWindow& file, std::span<const std::uint8_t> front)
    : file_(file), front_(front), header_(read_header(front)) {}

std::uint32_t SomFile::word(std::uint64_t offset) const {
  return som_word(front_, offset);
}

std::optional<std::span<const std::uint8_t>> SomFile::content(SomTable table,
                                                              std::uint64_t record_size) const {
  return file_.part(table.location, table.count * record_size);
}

std::string_view SomFile::text(SomTable table) const {
  const auto bytes = content(table, 1);
  if (!bytes) return {};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::optional<SomSubspace> SomFile::subspace(std::string_view name) const {
  const auto records = content(header_.subspaces, subspace_size);
  if (!records) return std::nullopt;
  const std::string_view strings = text(header_.space_strings);
  for (std::uint64_t at = 0; at < records->size(); at += subspace_size) {
    const auto record = records->subspan(at, subspace_size);
    const std::uint32_t size = som_word(record, 20);
    if (size == 0 || !is_string_at(strings, som_word(record, 28), name)) continue;
    return SomSubspace{name, som_word(record, 16), size};
  }
  return std::nullopt;
}

}  // namespace hardclock
