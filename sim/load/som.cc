#include "sim/load/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/endian.h"
#include "sim/load/som_file.h"

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Kind = LoadError::Kind;

constexpr std::uint16_t loader_magic = 0x10d, library_magic = 0x10e;
constexpr std::uint16_t exec_magic = 0x107;  // text is writable, data follows it
constexpr std::uint32_t versions[] = {85082112, 87102412};

struct Magic {
  std::uint16_t value;
  std::string_view why_not;  // empty: a program
};
constexpr Magic magics[] = {
    {0x104, "a library of objects (EXECLIB_MAGIC), not a program"},
    {0x106, "an object file (RELOC_MAGIC), not a program; link it first"},
    {exec_magic, ""},
    {0x108, ""},  // SHARE_MAGIC
    {0x109, ""},  // SHMEM_MAGIC
    {0x10b, ""},  // DEMAND_MAGIC
    {0x10c, "a dynamic loader, not a program; name the program that uses it"},
    {loader_magic,
     "a dynamic load library (DL_MAGIC), not a program; name the program that uses it"},
    {library_magic, "a shared library (SHL_MAGIC), not a program; name the program that uses it"},
    {0x619, "a library's symbol table (LIBMAGIC), not a program"},
};

// The same four bytes begin the files of HP-UX on Motorola processors (<magic.h>).
constexpr std::uint16_t pa_risc_ids[] = {0x20b, 0x210, 0x211, 0x214};
constexpr std::uint16_t motorola_ids[] = {0x20a, 0x20c, 0x20d, 0x20e};

// Auxiliary headers.
constexpr std::uint64_t aux_id_size = 8;
constexpr std::uint32_t exec_aux_type = 4;
constexpr std::uint32_t no_aux_type = 0;  // what GNU strip 2.40 writes instead of 4
constexpr std::uint64_t exec_aux_size = 40;
constexpr std::uint32_t trap_null_pointers = 1;  // exec_flags: TRAP_NIL_PTRS, ld -z

constexpr std::uint64_t last_address = 0xffffffff;

template <class... Args>
LoadError error(Kind kind, fmt::format_string<Args...> format, Args&&... args) {
  return {kind, fmt::format(format, std::forward<Args>(args)...)};
}

template <class Range, class T>
bool contains(const Range& range, const T& value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

const Magic* find_magic(std::uint16_t value) {
  const auto* found = std::ranges::find(magics, value, &Magic::value);
  return found == std::end(magics) ? nullptr : found;
}

std::uint16_t half(Bytes bytes, std::uint64_t offset) {
  return load_bytes<std::uint16_t>(bytes.data() + offset, Endian::big);
}

// What a library may be that a program's magic is not.
bool is_library_magic(std::uint16_t value) {
  return value == library_magic || value == loader_magic;
}

std::optional<LoadError> check_identification(Bytes bytes, bool may_be_library) {
  const std::uint16_t system_id = half(bytes, 0), value = half(bytes, 2);
  if (contains(motorola_ids, system_id)) {
    return error(Kind::unsupported,
                 "SOM header: system id {:#x} at file offset 0 is HP-UX on Motorola 68000 "
                 "processors; hardclock runs HP-UX programs for PA-RISC",
                 system_id);
  }
  if (!contains(pa_risc_ids, system_id)) {
    return error(Kind::unsupported,
                 "SOM header: unknown system id {:#x} at file offset 0; hardclock runs 0x20b, "
                 "0x210, 0x211 and 0x214 (PA-RISC 1.0, 1.1, 1.2 and 2.0)",
                 system_id);
  }
  const Magic* magic = find_magic(value);
  if (magic == nullptr) {
    return error(Kind::not_executable,
                 "SOM header: magic {:#x} at file offset 2 is no program's (0x107, 0x108, 0x109 or "
                 "0x10b)",
                 value);
  }
  if (!magic->why_not.empty() && !(may_be_library && is_library_magic(value))) {
    return error(Kind::not_executable, "SOM header: magic {:#x} at file offset 2: {}", value,
                 magic->why_not);
  }
  if (bytes.size() < SomFile::header_size) {
    return error(Kind::truncated, "SOM header: {} bytes, but the file ends after {}",
                 SomFile::header_size, bytes.size());
  }
  return std::nullopt;
}

std::optional<LoadError> check_header(const SomFile& file) {
  const std::uint32_t version = file.header().version_id;
  if (!contains(versions, version)) {
    return error(Kind::malformed, "SOM header: version {} at file offset 4 is neither {} nor {}",
                 version, versions[0], versions[1]);
  }
  constexpr std::uint64_t checksum_at = SomFile::header_size - 4;
  std::uint32_t expected = 0;
  for (std::uint64_t at = 0; at < checksum_at; at += 4) expected ^= file.word(at);
  const std::uint32_t checksum = file.word(checksum_at);
  // GNU strip and objcopy write it in the byte order of the computer that they run on.
  if (checksum == expected || byte_swap(checksum) == expected) return std::nullopt;
  return error(Kind::malformed,
               "SOM header: checksum {:#x} at file offset {} should be {:#x}; the file is damaged",
               checksum, checksum_at, expected);
}

// The content of the exec auxiliary header, in the order of its fields.
struct Exec {
  std::uint64_t at = 0;  // its file offset
  std::uint32_t text_size = 0;
  std::uint32_t text_address = 0;
  std::uint32_t text_offset = 0;
  std::uint32_t data_size = 0;
  std::uint32_t data_address = 0;
  std::uint32_t data_offset = 0;
  std::uint32_t bss_size = 0;
  std::uint32_t entry = 0;
  std::uint32_t flags = 0;
  std::uint32_t bss_fill = 0;
};

// The header's bytes after its id, which are at `at` of the file.
Exec read_exec(Bytes fields, std::uint64_t at) {
  const auto word = [&](std::uint64_t offset) { return som_word(fields, offset); };
  return {at,       word(0),  word(4),  word(8),  word(12), word(16),
          word(20), word(24), word(28), word(32), word(36)};
}

Result<Exec, LoadError> find_exec(const SomFile& file) {
  const SomTable table = file.header().aux_headers;
  const bool is_there = file.window().has(table.location, table.count);
  if (is_there && table.count > FileWindow::largest_part) {
    return Failure{error(Kind::malformed,
                         "SOM header: {:#x} bytes of auxiliary headers are no program's",
                         table.count)};
  }
  const auto headers = file.content(table, 1);
  if (!headers) {
    return Failure{error(Kind::truncated,
                         "SOM header: {:#x} bytes of auxiliary headers at file offset {:#x} lie "
                         "beyond the end of the file ({:#x} bytes)",
                         table.count, table.location, file.window().size())};
  }
  std::uint64_t at = 0;
  while (at + aux_id_size <= headers->size()) {
    const std::uint32_t type = som_word(*headers, at) & 0xffff;
    const std::uint64_t size = som_word(*headers, at + 4);
    const std::uint64_t place = table.location + at;
    if (size > headers->size() - at - aux_id_size) {
      return Failure{error(Kind::malformed,
                           "auxiliary header at file offset {:#x}: {:#x} bytes reach beyond the "
                           "auxiliary headers, which end at {:#x}",
                           place, size, table.location + headers->size())};
    }
    if (type == exec_aux_type || (type == no_aux_type && size == exec_aux_size)) {
      if (size >= exec_aux_size) {
        return read_exec(headers->subspan(at + aux_id_size, exec_aux_size), place);
      }
      return Failure{error(Kind::malformed,
                           "exec auxiliary header at file offset {:#x}: {} bytes instead of {}",
                           place, size, exec_aux_size)};
    }
    at += aux_id_size + (size + 3) / 4 * 4;
  }
  return Failure{error(Kind::malformed,
                       "SOM header: no exec auxiliary header (type 4) in the {:#x} bytes at file "
                       "offset {:#x}",
                       table.count, table.location)};
}

struct Part {
  std::string_view name;  // "text"
  std::uint64_t address;
  std::uint64_t file_offset;
  std::uint64_t file_size;
  std::uint64_t memory_size;
  Permissions permissions;

  std::uint64_t end() const { return address + memory_size; }
};

std::optional<LoadError> check_part(const Exec& exec, const Part& part, std::uint64_t file_size) {
  if (part.file_offset + part.file_size > file_size) {
    return error(Kind::truncated,
                 "exec auxiliary header at file offset {:#x}: file bytes {:#x}..{:#x} of the {} "
                 "lie beyond the end of the file ({:#x} bytes)",
                 exec.at, part.file_offset, part.file_offset + part.file_size, part.name,
                 file_size);
  }
  if (part.memory_size > last_address - part.address) {
    return error(Kind::malformed,
                 "exec auxiliary header at file offset {:#x}: address {:#x} + size {:#x} of the {} "
                 "wraps around",
                 exec.at, part.address, part.memory_size, part.name);
  }
  return std::nullopt;
}

Result<Segment, LoadError> read_segment(const Part& part, const FileWindow& file) {
  Segment segment{GuestAddr(part.address), part.memory_size, part.permissions,
                  std::vector<std::uint8_t>(part.file_size), part.file_offset};
  if (file.copy(part.file_offset, segment.bytes)) return segment;
  return Failure{error(Kind::truncated, "{}: its bytes cannot be read", part.name)};
}

// Text and data, which is also executable (Linux 2.6 fs/binfmt_som.c map_som_binary()), with the
// bss from the byte after it.
Result<std::array<Part, 2>, LoadError> read_parts(const SomFile& file, const Exec& exec) {
  const bool writable_text = file.header().magic == exec_magic;
  const Part text{"text",         exec.text_address, exec.text_offset,
                  exec.text_size, exec.text_size,    {true, writable_text, true}};
  const Part data{"data",
                  exec.data_address,
                  exec.data_offset,
                  exec.data_size,
                  std::uint64_t{exec.data_size} + exec.bss_size,
                  {true, true, true}};
  for (const Part& part : {text, data}) {
    if (auto bad = check_part(exec, part, file.window().size())) return Failure{*bad};
  }
  if (data.memory_size != 0 && text.address < data.end() && data.address < text.end()) {
    return Failure{error(Kind::malformed,
                         "exec auxiliary header at file offset {:#x}: data {:#x}..{:#x} overlaps "
                         "text {:#x}..{:#x}",
                         exec.at, data.address, data.end(), text.address, text.end())};
  }
  if (exec.bss_fill != 0 && exec.bss_size != 0) {
    return Failure{error(Kind::unsupported,
                         "exec auxiliary header at file offset {:#x}: bss filled with {:#x} "
                         "(exec_bfill) is not supported, only zeros",
                         exec.at, exec.bss_fill)};
  }
  return std::array{text, data};
}

bool is_entry(std::uint32_t address, const Part& text) {
  return address % 4 == 0 && address >= text.address && address - text.address < text.memory_size;
}

// Some link editors of OSF/1's time, and GNU strip after it misread a file, swap entry and flags
// (binutils bfd/som.c som_object_setup()).
std::optional<LoadError> order_entry_and_flags(Exec& exec, const Part& text) {
  if (is_entry(exec.entry, text)) return std::nullopt;
  if (is_entry(exec.flags, text)) {
    std::swap(exec.entry, exec.flags);
    return std::nullopt;
  }
  return error(Kind::malformed,
               "exec auxiliary header at file offset {:#x}: entry address {:#x} (exec_entry) lies "
               "at no instruction of the text {:#x}..{:#x}",
               exec.at, exec.entry, text.address, text.end());
}

}  // namespace

bool is_som(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 4) return false;
  const std::uint16_t system_id = half(bytes, 0);
  if (contains(pa_risc_ids, system_id) || contains(motorola_ids, system_id)) return true;
  return bytes[0] == 0x02 && find_magic(half(bytes, 2)) != nullptr;
}

bool is_som_library(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= 4 && contains(pa_risc_ids, half(bytes, 0)) &&
         is_library_magic(half(bytes, 2));
}

namespace {

Result<Image, LoadError> load(FileWindow& window, const LoadOptions& options, bool may_be_library) {
  const Bytes front =
      window.part(0, std::min(window.size(), SomFile::header_size)).value_or(Bytes());
  if (auto bad = check_identification(front, may_be_library)) return Failure{*bad};
  const SomFile file(window, front);
  if (auto bad = check_header(file)) return Failure{*bad};
  auto exec = find_exec(file);
  if (!exec) return Failure{exec.error()};
  const auto parts = read_parts(file, *exec);
  if (!parts) return Failure{parts.error()};
  const auto& [text, data] = *parts;
  if (is_library_magic(file.header().magic)) {
    if (text.memory_size == 0) return Failure{error(Kind::malformed, "text: a library without it")};
    exec->entry = text.address;
  } else if (auto bad = order_entry_and_flags(*exec, text)) {
    return Failure{*bad};
  }

  Image image;
  image.format = FileFormat::som;
  image.architecture = Architecture::pa_risc;
  image.flags = file.header().system_id;
  image.entry = GuestAddr(exec->entry);
  image.data_pointer = GuestAddr(file.header().presumed_dp);
  image.initial_break = GuestAddr(data.end());
  image.page_zero_reads_zero = (exec->flags & trap_null_pointers) == 0;
  if (text.memory_size + data.memory_size > options.memory) {
    return Failure{too_much_memory(options.memory)};
  }
  for (const Part& part : {text, data}) {
    if (part.memory_size == 0) continue;
    auto segment = read_segment(part, window);
    if (!segment) return Failure{segment.error()};
    image.segments.push_back(*std::move(segment));
  }
  std::ranges::sort(image.segments, {}, &Segment::address);
  const Segment& code = *find_segment(image.segments, image.entry);
  // SOM's header does not tell instructions from constants in it.
  image.code.push_back({code.address, code.bytes.size()});
  if (options.symbols) image.symbols = read_som_symbols(file, code);
  if (auto libraries = read_som_libraries(file, code)) {
    image.maps_own_linker = true;
    image.libraries = std::move(libraries->names);
    image.library_path = std::move(libraries->path);
  }
  return image;
}

}  // namespace

Result<Image, LoadError> load_som(FileWindow& window, const LoadOptions& options) {
  return load(window, options, false);
}

Result<Image, LoadError> load_som_library(FileWindow& window, const LoadOptions& options) {
  return load(window, options, true);
}

}  // namespace hardclock
