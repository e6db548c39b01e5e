#include "sim/load/mdebug.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace hardclock {
namespace {

// Returns false if the list is full. The size is cut off at the end of the segment; 0: unknown.
bool add_procedure(const MdebugSymbol& procedure, std::string_view strings, std::uint64_t size,
                   Rank rank, const std::vector<Segment>& segments, CandidateList& candidates) {
  const GuestAddr address(procedure.value);
  const Segment* const segment = find_segment(segments, address);
  const std::string_view name = string_at(strings, procedure.name);
  if (segment == nullptr || !segment->permissions.execute || name.empty()) return true;
  const std::uint64_t room = segment->memory_size - (address - segment->address);
  return candidates.add(address, std::min(size, room), name, rank);
}

// Returns false if the list is full.
bool add_procedures(const SymbolsOfFile& symbols, std::string_view strings,
                    const std::vector<Segment>& segments, CandidateList& candidates) {
  for (std::size_t i = 0; i < symbols.count(); ++i) {
    const auto procedure = symbols.ended_at(i);
    if (procedure && !add_procedure(*procedure, strings, symbols.at(i).value, Rank::local_function,
                                    segments, candidates)) {
      return false;
    }
  }
  return true;
}

}  // namespace

void add_mdebug_procedures(const MdebugTables& tables, const std::vector<Segment>& segments,
                           CandidateList& candidates) {
  // A symbol is of one file only; files over files would cost time without end.
  std::size_t room = tables.symbols.size();
  for (std::size_t at = 0; at < tables.files.size(); at += MdebugTables::file_bytes) {
    const PartOfFile part(tables, tables.files.subspan(at, MdebugTables::file_bytes));
    if (part.symbols.size() > room) return;
    room -= part.symbols.size();
    if (!add_procedures(part.all_symbols(), part.strings, segments, candidates)) return;
  }
}

void add_mdebug_externals(const MdebugTables& tables, const std::vector<Segment>& segments,
                          CandidateList& candidates) {
  const std::string_view strings(reinterpret_cast<const char*>(tables.external_strings.data()),
                                 tables.external_strings.size());
  const std::size_t count = tables.externals.size() / MdebugTables::external_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const MdebugSymbol symbol = external_symbol(tables, i);
    if (!symbol.is_procedure()) continue;
    const Rank rank = symbol.is_static_procedure() ? Rank::local_function : Rank::global_function;
    if (!add_procedure(symbol, strings, 0, rank, segments, candidates)) return;
  }
}

}  // namespace hardclock
