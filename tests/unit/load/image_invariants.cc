#include "tests/unit/load/image_invariants.h"

#include <algorithm>
#include <string_view>

namespace hardclock::testing {
namespace {

bool is_printable(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string broken_segments(const Image& image, std::size_t file_size) {
  // The 32-bit pointers of IA-64 stand for addresses of 64 bits.
  const unsigned bits = image.architecture == Architecture::ia64 ? 64 : image.address_bits;
  const std::uint64_t last_address = ~std::uint64_t{0} >> (64 - bits);
  std::uint64_t free_from = 0;
  std::size_t total = 0;
  if (image.segments.empty()) return "an image has segments";
  for (const Segment& segment : image.segments) {
    const std::uint64_t start = segment.address.value();
    if (segment.memory_size == 0) return "a segment is not empty";
    if (segment.memory_size < segment.bytes.size()) return "bytes fit the segment";
    if (start < free_from) return "segments ascend and do not overlap";
    if (start > last_address || segment.memory_size > last_address - start) {
      return "a segment does not wrap";
    }
    free_from = start + segment.memory_size;
    total += segment.bytes.size();
  }
  if (total > 2 * file_size) return "the image is bounded by the file";
  const Segment* code = find_segment(image.segments, image.entry);
  if (code == nullptr || !code->permissions.execute) return "the entry is executable";
  return "";
}

std::string broken_program_headers(const Image& image) {
  if (image.program_headers == GuestAddr(0)) return "";
  const Segment* segment = find_segment(image.segments, image.program_headers);
  const std::size_t size = image.program_header_count * (image.address_bits == 64 ? 56 : 32);
  if (segment == nullptr) return "the program headers are mapped";
  const std::uint64_t offset = image.program_headers - segment->address;
  if (offset + size > segment->bytes.size()) return "the program headers are loaded";
  return "";
}

std::string broken_symbols(const Image& image) {
  const Symbol* before = nullptr;
  for (const Symbol& symbol : image.symbols.all()) {
    if (!is_printable(symbol.name)) return "a symbol has a printable name";
    if (before != nullptr && before->address >= symbol.address) return "symbols ascend";
    const Segment* segment = find_segment(image.segments, symbol.address);
    if (segment == nullptr || !segment->permissions.execute) return "a symbol lies in code";
    if (symbol.size > segment->memory_size - (symbol.address - segment->address)) {
      return "a symbol ends in its segment";
    }
    if (image.symbols.find(symbol.address) != &symbol) return "a symbol contains its address";
    const Symbol* namesake = image.symbols.find(symbol.name);
    if (namesake == nullptr || namesake->address > symbol.address) return "a name is found";
    if (describe(image.symbols, symbol.address) != symbol.name) return "a name describes";
    before = &symbol;
  }
  return "";
}

}  // namespace

std::string broken_promise(const Result<Image, LoadError>& outcome, std::size_t file_size) {
  if (!outcome) return is_printable(outcome.error().message) ? "" : "an error is one line";
  std::string broken = broken_segments(*outcome, file_size);
  if (broken.empty()) broken = broken_program_headers(*outcome);
  if (broken.empty()) broken = broken_symbols(*outcome);
  if (broken.empty() && outcome->interpreter && !is_printable(*outcome->interpreter)) {
    broken = "an interpreter has a printable path";
  }
  return broken;
}

}  // namespace hardclock::testing
