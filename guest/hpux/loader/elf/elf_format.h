/* ELF files as HP-UX's dynamic loader sees them: System V ABI; GNU binutils, include/elf (hppa.h,
 * ia64.h) for HP's tags. The widths are those of the loader's own data model. */
#pragma once

#include <stdint.h>

typedef uintptr_t address;

enum { elf_type_program = 2, elf_type_library = 3 };
enum { segment_load = 1, segment_dynamic = 2, segment_executable = 1, segment_writable = 2 };

struct elf_header {
  uint8_t magic[4], class, byte_order, version, system, rest[8];
  uint16_t type, machine;
  uint32_t file_version;
  address entry, segments, sections;
  uint32_t flags;
  uint16_t size, segment_size, segment_count, section_size, section_count, section_names;
};

#if __SIZEOF_POINTER__ == 8
enum { elf_class = 2, symbol_shift = 32 };
struct elf_segment {
  uint32_t type, flags;
  address offset, place, physical, file_size, memory_size, alignment;
};
struct elf_symbol {
  uint32_t name;
  uint8_t info, other;
  uint16_t section;
  address value, size;
};
typedef uint32_t relocation_type;
#else
enum { elf_class = 1, symbol_shift = 8 };
struct elf_segment {
  uint32_t type;
  address offset, place, physical, file_size, memory_size;
  uint32_t flags;
  address alignment;
};
struct elf_symbol {
  uint32_t name;
  address value, size;
  uint8_t info, other;
  uint16_t section;
};
typedef uint8_t relocation_type;
#endif

struct elf_dynamic {
  address tag, value;
};
struct elf_relocation {
  address place, info, addend;
};

enum { no_section = 0, type_mask = 15, type_object = 1, type_function = 2 };
enum { binding_shift = 4, binding_local = 0, binding_weak = 2 };

enum dynamic_tag {
  tag_needed = 1,
  tag_calls_size = 2,
  tag_linkage = 3,
  tag_hash = 4,
  tag_names = 5,
  tag_symbols = 6,
  tag_relocations = 7,
  tag_relocations_size = 8,
  tag_initializer = 12,
  tag_finalizer = 13,
  tag_path = 15,
  tag_calls = 23,
  tag_bind_now = 24,
  tag_initializers = 25,
  tag_finalizers = 26,
  tag_initializers_size = 27,
  tag_finalizers_size = 28,
  tag_run_path = 29,
  tag_flags = 30,
  tag_loader_flags = 0x60000001
};
enum { flag_bind_now = 8, loader_flag_bind_now = 0x10 };
