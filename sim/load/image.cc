#include "sim/load/image.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace hardclock {
namespace {

constexpr std::uint64_t last_address = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t no_function = std::numeric_limits<std::size_t>::max();

}  // namespace

const Segment* find_segment(const std::vector<Segment>& segments, GuestAddr address) {
  auto after = std::upper_bound(segments.begin(), segments.end(), address,
                                [](GuestAddr a, const Segment& s) { return a < s.address; });
  if (after == segments.begin()) return nullptr;
  const Segment& segment = *std::prev(after);
  return address - segment.address < segment.memory_size ? &segment : nullptr;
}

SymbolTable::SymbolTable(std::vector<Symbol> symbols, GuestAddr end_of_code)
    : symbols_(std::move(symbols)) {
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
  const auto same_address = [](const Symbol& a, const Symbol& b) { return a.address == b.address; };
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(), same_address), symbols_.end());
  build_ranges(end_of_code);

  by_name_.resize(symbols_.size());
  for (std::size_t i = 0; i < by_name_.size(); ++i) by_name_[i] = i;
  std::stable_sort(by_name_.begin(), by_name_.end(), [this](std::size_t a, std::size_t b) {
    return symbols_[a].name < symbols_[b].name;
  });
}

std::uint64_t SymbolTable::end_of(std::size_t index, GuestAddr end_of_code) const {
  const std::uint64_t start = symbols_[index].address.value();
  const std::uint64_t size = symbols_[index].size;
  if (size != 0) return size > last_address - start ? last_address : start + size;
  const bool is_last = index + 1 == symbols_.size();
  return is_last ? std::max(start, end_of_code.value()) : symbols_[index + 1].address.value();
}

// Functions nest or overlap in hand-written code and in hostile files, so their ends are cut into
// ranges with one owner each. `open` holds the functions that contain the current address, the one
// that starts last on top; those below it that end earlier never appear again.
void SymbolTable::build_ranges(GuestAddr end_of_code) {
  struct Open {
    std::uint64_t end;
    std::size_t symbol;
  };
  std::vector<Open> open;
  const auto close_until = [&](std::uint64_t address) {
    while (!open.empty() && open.back().end <= address) {
      const std::uint64_t end = open.back().end;
      while (!open.empty() && open.back().end <= end) open.pop_back();
      ranges_.push_back({GuestAddr(end), open.empty() ? no_function : open.back().symbol});
    }
  };
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    close_until(symbols_[i].address.value());
    ranges_.push_back({symbols_[i].address, i});
    open.push_back({end_of(i, end_of_code), i});
  }
  close_until(last_address);
}

SymbolTable SymbolTable::moved(std::uint64_t by) && {
  SymbolTable table = std::move(*this);
  for (Symbol& symbol : table.symbols_) symbol.address = symbol.address + by;
  for (Range& range : table.ranges_) range.start = range.start + by;
  return table;
}

const Symbol* SymbolTable::find(GuestAddr address) const {
  return stretch_at(address).symbol;
}

SymbolTable::Stretch SymbolTable::stretch_at(GuestAddr address) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](GuestAddr a, const Range& r) { return a < r.start; });
  Stretch stretch{.start = GuestAddr(0), .end = GuestAddr(~std::uint64_t{0})};
  if (after != ranges_.end()) stretch.end = after->start;
  if (after == ranges_.begin()) return stretch;
  const Range& range = *std::prev(after);
  stretch.start = range.start;
  if (range.symbol != no_function) stretch.symbol = &symbols_[range.symbol];
  return stretch;
}

const Symbol* SymbolTable::find(std::string_view name) const {
  auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [this](std::size_t index, std::string_view n) { return symbols_[index].name < n; });
  if (found == by_name_.end() || symbols_[*found].name != name) return nullptr;
  return &symbols_[*found];
}

std::uint64_t SymbolTable::host_bytes() const {
  std::uint64_t bytes = ranges_.size() * sizeof(Range) + by_name_.size() * sizeof(std::size_t);
  for (const Symbol& symbol : symbols_) bytes += sizeof symbol + symbol.name.size();
  return bytes;
}

std::uint64_t host_bytes_of(const Image& image) {
  std::uint64_t bytes = sizeof image + image.symbols.host_bytes();
  for (const Segment& segment : image.segments) bytes += sizeof segment + segment.bytes.size();
  return bytes + image.code.size() * sizeof(CodeRange);
}

bool can_share_process(const Image& a, const Image& b) {
  if (a.architecture != b.architecture || a.endian != b.endian ||
      a.address_bits != b.address_bits) {
    return false;
  }
  if (a.address_bits == 64) return true;
  if (a.architecture == Architecture::mips) {  // n32 or o32
    return (a.flags & EF_MIPS_ABI2) == (b.flags & EF_MIPS_ABI2);
  }
  // HP-UX's own loader demands it of ELF files.
  const auto is_hpux = [](const Image& image) {
    return image.format == FileFormat::som || image.os_abi == ELFOSABI_HPUX;
  };
  return is_hpux(a) == is_hpux(b);
}

Image moved(Image image, std::uint64_t by) {
  image.moved_by += by;
  image.entry = image.entry + by;
  for (Segment& segment : image.segments) segment.address = segment.address + by;
  for (CodeRange& range : image.code) range.start = range.start + by;
  if (image.program_headers != GuestAddr(0)) image.program_headers = image.program_headers + by;
  image.symbols = std::move(image.symbols).moved(by);
  return image;
}

std::string describe(const SymbolTable& symbols, GuestAddr address) {
  const Symbol* symbol = symbols.find(address);
  if (symbol == nullptr) return fmt::format("0x{:08x}", address.value());
  const std::uint64_t offset = address - symbol->address;
  return offset == 0 ? symbol->name : fmt::format("{}+{:#x}", symbol->name, offset);
}

}  // namespace hardclock
