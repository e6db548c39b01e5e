#include "sim/load/mdebug.h"

#include <algorithm>
#include <string_view>

#include "sim/load/mdebug_tables.h"

namespace hardclock {
namespace {

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
  const auto tables = read_mdebug_tables(file, offset);
  if (!tables) return;
  // A symbol is of one file only; files over files would cost time without end.
  std::size_t room = tables->symbols.size();
  for (std::size_t at = 0; at < tables->files.size(); at += MdebugTables::file_bytes) {
    const PartOfFile part(*tables, tables->files.subspan(at, MdebugTables::file_bytes));
    if (part.symbols.size() > room) return;
    room -= part.symbols.size();
    if (!add_procedures(SymbolsOfFile(part.symbols), part.strings, segments, candidates)) return;
  }
}

}  // namespace hardclock
