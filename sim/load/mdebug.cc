#include "sim/load/mdebug.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/base/endian.h"

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint16_t magic_number = 0x7009;  // magicSym
// Bytes of the symbolic header, of a file descriptor and of a local symbol.
constexpr std::size_t header_bytes = 96, file_bytes = 72, symbol_bytes = 12;
// Types of symbols: stProc, stStaticProc, and stEnd, which has the size of the procedure it ends.
constexpr unsigned procedure_symbol = 6, static_procedure = 14, end_symbol = 8;

std::uint32_t word(Bytes bytes, std::size_t at) {
  return load_bytes<std::uint32_t>(bytes.data() + at, Endian::big);
}

// `count` records of `size` bytes at `offset`; empty if the file or the table does not have them.
Bytes table(FileWindow& file, std::uint64_t offset, std::uint64_t count, std::uint64_t size) {
  return file.part(offset, count * size).value_or(Bytes());
}

Bytes part_of(Bytes table, std::uint64_t offset, std::uint64_t count, std::uint64_t size) {
  if (offset > table.size() || count > (table.size() - offset) / size) return {};
  return table.subspan(offset, count * size);
}

struct LocalSymbol {
  std::uint32_t name;  // in its file's strings
  std::uint32_t value;
  unsigned type;
  std::uint32_t index;

  bool is_procedure() const { return type == procedure_symbol || type == static_procedure; }
};

// The local symbols of one source file.
class SymbolsOfFile {
 public:
  explicit SymbolsOfFile(Bytes symbols) : symbols_(symbols) {}

  std::size_t count() const { return symbols_.size() / symbol_bytes; }
  LocalSymbol at(std::size_t i) const {
    const Bytes symbol = symbols_.subspan(i * symbol_bytes, symbol_bytes);
    const std::uint32_t bits = word(symbol, 8);
    return {word(symbol, 0), word(symbol, 4), bits >> 26, bits & 0xfffff};
  }
  // The procedure that symbol `i` ends.
  std::optional<LocalSymbol> ended_at(std::size_t i) const {
    const LocalSymbol end = at(i);
    if (end.type != end_symbol || end.index >= i || !at(end.index).is_procedure())
      return std::nullopt;
    return at(end.index);
  }

 private:
  Bytes symbols_;
};

// Returns false if the list is full.
bool add_procedures(const SymbolsOfFile& symbols, std::string_view strings,
                    const std::vector<Segment>& segments, CandidateList& candidates) {
  for (std::size_t i = 0; i < symbols.count(); ++i) {
    const auto procedure = symbols.ended_at(i);
    if (!procedure) continue;
    const GuestAddr address(procedure->value);
    const Segment* const segment = find_segment(segments, address);
    const std::string_view name = string_at(strings, procedure->name);
    if (segment == nullptr || !segment->permissions.execute || name.empty()) continue;
    const std::uint64_t room = segment->memory_size - (address - segment->address);
    const std::uint64_t size = std::min<std::uint64_t>(symbols.at(i).value, room);
    if (!candidates.add(address, size, name, Rank::local_function)) return false;
  }
  return true;
}

}  // namespace

void add_mdebug_procedures(FileWindow& file, std::uint64_t offset,
                           const std::vector<Segment>& segments, CandidateList& candidates) {
  const Bytes header = table(file, offset, 1, header_bytes);
  if (header.empty() || load_bytes<std::uint16_t>(header.data(), Endian::big) != magic_number)
    return;
  const Bytes symbols = table(file, word(header, 36), word(header, 32), symbol_bytes);
  const Bytes strings = table(file, word(header, 60), word(header, 56), 1);
  const Bytes files = table(file, word(header, 76), word(header, 72), file_bytes);
  // A symbol is of one file only; files over files would cost time without end.
  std::size_t room = symbols.size();
  for (std::size_t at = 0; at < files.size(); at += file_bytes) {
    const Bytes descriptor = files.subspan(at, file_bytes);
    const Bytes own_strings = part_of(strings, word(descriptor, 8), word(descriptor, 12), 1);
    const std::uint64_t first = std::uint64_t{word(descriptor, 16)} * symbol_bytes;
    const Bytes own_symbols = part_of(symbols, first, word(descriptor, 20), symbol_bytes);
    if (own_symbols.size() > room) return;
    room -= own_symbols.size();
    const SymbolsOfFile own(own_symbols);
    const std::string_view names(reinterpret_cast<const char*>(own_strings.data()),
                                 own_strings.size());
    if (!add_procedures(own, names, segments, candidates)) return;
  }
}

}  // namespace hardclock
