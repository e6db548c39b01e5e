/* IA-64. Relocations: GNU binutils, include/elf/ia64.h. */
#include "loader.h"

void bind_and_call(void); /* start.S */

struct relocation_shape shape_of(unsigned type) {
  enum {
    none = 0,
    dir32msb = 0x24,
    dir64msb = 0x26,
    fptr32msb = 0x44,
    fptr64msb = 0x46,
    rel32msb = 0x6c,
    rel64msb = 0x6e,
    ipltmsb = 0x80
  };
  switch (type) {
    case none:
      return (struct relocation_shape){wants_nothing, 0};
    case dir32msb:
      return (struct relocation_shape){wants_address, 4};
    case dir64msb:
      return (struct relocation_shape){wants_address, 8};
    case fptr32msb:
      return (struct relocation_shape){wants_function, 4};
    case fptr64msb:
      return (struct relocation_shape){wants_function, 8};
    case rel32msb:
      return (struct relocation_shape){wants_moved, 4};
    case rel64msb:
      return (struct relocation_shape){wants_moved, 8};
    case ipltmsb:
      return (struct relocation_shape){wants_entry, 16};
    default:
      return (struct relocation_shape){wants_unknown, 0};
  }
}

/* The instruction addp4: the highest two bits of 32 also choose the region. */
uint64_t wide(address a) {
#if __SIZEOF_POINTER__ == 8
  return a;
#else
  return (uint64_t)(a >> 30) << 61 | a;
#endif
}

struct entry entry_of(const struct definition* function) {
  return (struct entry){wide(function->value), wide(function->linkage)};
}

/* One descriptor for each function, so that pointers to it are equal. */
struct descriptor {
  struct entry entry;
  struct descriptor* next;
};

address pointer_to(const struct definition* function) {
  enum { lists = 256, code_alignment = 16 };
  static struct descriptor* descriptors[lists];
  struct descriptor** list = &descriptors[function->value / code_alignment % lists];
  struct entry entry = entry_of(function);
  for (struct descriptor* each = *list; each != NULL; each = each->next) {
    if (each->entry.code == entry.code) return (address)&each->entry;
  }
  struct descriptor* made = allocate(sizeof *made);
  made->entry = entry;
  made->next = *list;
  *list = made;
  return (address)&made->entry;
}

struct definition definition_of_code(address code, address linkage) {
  return (struct definition){code, linkage, 1, NULL};
}

struct definition definition_of_local(address value, address linkage) {
  return definition_of_code(value, linkage);
}

struct definition definition_of_own(function* own) {
  const struct entry* entry = (const struct entry*)own;
  return definition_of_code(entry->code, entry->linkage);
}

struct entry binder(const struct unbound* unbound) {
  return (struct entry){((const struct entry*)bind_and_call)->code, wide((address)unbound)};
}
