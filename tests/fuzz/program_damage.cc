#include "tests/fuzz/program_damage.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "sim/base/endian.h"

namespace hardclock::fuzzing {
namespace {

using File = std::span<std::uint8_t>;

// Bytes [start, end) that hold fields.
struct Table {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

bool is_elf(File file) {
  constexpr std::array<std::uint8_t, SELFMAG> magic = {0x7f, 'E', 'L', 'F'};
  return file.size() >= sizeof(Elf64_Ehdr) && std::equal(magic.begin(), magic.end(), file.begin());
}

template <class T>
T field(File file, std::size_t offset, Endian order) {
  return load_bytes<T>(file.data() + offset, order);
}

template <class Header>
std::vector<Table> tables_of_elf(File file, Endian order) {
  const auto number = [&](std::size_t offset) -> std::uint64_t {
    return field<decltype(Header::e_phoff)>(file, offset, order);
  };
  const auto half = [&](std::size_t offset) -> std::uint64_t {
    return field<std::uint16_t>(file, offset, order);
  };
  const std::uint64_t programs = number(offsetof(Header, e_phoff));
  const std::uint64_t sections = number(offsetof(Header, e_shoff));
  return {
      {EI_CLASS, sizeof(Header)},
      {programs, programs + half(offsetof(Header, e_phnum)) * half(offsetof(Header, e_phentsize))},
      {sections, sections + half(offsetof(Header, e_shnum)) * half(offsetof(Header, e_shentsize))}};
}

constexpr std::size_t som_header_bytes = 128;

// The header, and with the auxiliary headers what lies between them: spaces and subspaces.
std::vector<Table> tables_of_som(File file) {
  const std::uint64_t location = field<std::uint32_t>(file, 28, Endian::big);
  return {{0, som_header_bytes}, {location, location + 64}, {location, location + 512}};
}

std::vector<Table> tables_of(File file, Endian order) {
  std::vector<Table> tables;
  if (is_elf(file)) {
    tables = file[EI_CLASS] == ELFCLASS64 ? tables_of_elf<Elf64_Ehdr>(file, order)
                                          : tables_of_elf<Elf32_Ehdr>(file, order);
  } else if (file.size() >= som_header_bytes) {
    tables = tables_of_som(file);
  }
  std::erase_if(tables, [&](const Table& table) {
    return table.start >= table.end || table.end > file.size();
  });
  return tables;
}

template <class T>
T edge(T old, std::uint64_t file_size, std::minstd_rand& random) {
  switch (random() % 10) {
    case 0:
      return 0;
    case 1:
      return static_cast<T>(~T{0});
    case 2:
      return static_cast<T>(T{1} << (8 * sizeof(T) - 1));
    case 3:
      return static_cast<T>(old + 1);
    case 4:
      return static_cast<T>(old - 1);
    case 5:
      return static_cast<T>(file_size - random() % 3);
    case 6:
      return static_cast<T>(T{1} << random() % (8 * sizeof(T)));
    case 7:
      return static_cast<T>(old ^ T{1} << random() % (8 * sizeof(T)));
    case 8:
      return static_cast<T>(random() % 64);
    default:
      return static_cast<T>(random() * std::uint64_t{random()});
  }
}

template <class T>
void change_field(File file, const Table& table, Endian order, std::minstd_rand& random) {
  const std::uint64_t count = (table.end - table.start) / sizeof(T);
  if (count == 0) return;
  std::uint8_t* const at = file.data() + table.start + random() % count * sizeof(T);
  store_bytes(at, edge(load_bytes<T>(at, order), file.size(), random), order);
}

void change_one_place(File file, const std::vector<Table>& tables, Endian order,
                      std::minstd_rand& random) {
  if (tables.empty() || random() % 4 == 0) {
    file[random() % file.size()] ^= static_cast<std::uint8_t>(1 << random() % 8);
    return;
  }
  const Table& table = tables[random() % tables.size()];
  switch (random() % 4) {
    case 0:
      return change_field<std::uint8_t>(file, table, order, random);
    case 1:
      return change_field<std::uint16_t>(file, table, order, random);
    case 2:
      return change_field<std::uint64_t>(file, table, order, random);
    default:
      return change_field<std::uint32_t>(file, table, order, random);
  }
}

// Makes the exclusive or of the header's words zero.
void seal_som(File file) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at + 4 < som_header_bytes; at += 4) {
    sum ^= field<std::uint32_t>(file, at, Endian::big);
  }
  store_bytes(file.data() + som_header_bytes - 4, sum, Endian::big);
}

}  // namespace

void damage_program(File file, std::minstd_rand& random) {
  if (file.empty()) return;
  const bool elf = is_elf(file);
  const Endian order = elf && file[EI_DATA] == ELFDATA2LSB ? Endian::little : Endian::big;
  const std::vector<Table> tables = tables_of(file, order);
  for (auto left = 1 + random() % 4; left > 0; --left) {
    change_one_place(file, tables, order, random);
  }
  if (!elf && file.size() >= som_header_bytes && random() % 2 == 0) seal_som(file);
}

}  // namespace hardclock::fuzzing
