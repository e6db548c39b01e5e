/* IA-64. Relocations: GNU binutils, include/elf/ia64.h. */
#include "loader.h"

void bind_and_call(void), bind_by_number(void); /* start.S */

struct relocation_shape shape_of(unsigned type) {
  enum {
    none = 0,
    dir32msb = 0x24,
    dir64msb = 0x26,
    fptr32msb = 0x44,
    fptr64msb = 0x46,
    rel32msb = 0x6c,
    rel64msb = 0x6e,
    ipltmsb = 0x80,
    epltmsb = 0x82 /* HP's: an entry for a function of the file itself */
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
    case epltmsb:
      return (struct relocation_shape){wants_descriptor, 16};
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
  struct entry* entry;
  struct descriptor* next;
};

static struct descriptor** list_of(uint64_t code) {
  enum { lists = 256, code_alignment = 16 };
  static struct descriptor* descriptors[lists];
  return &descriptors[code / code_alignment % lists];
}

void take_descriptor(struct entry* entry) {
  struct descriptor** list = list_of(entry->code);
  struct descriptor* made = allocate(sizeof *made);
  *made = (struct descriptor){entry, *list};
  *list = made;
}

address pointer_to(const struct definition* function) {
  struct entry entry = entry_of(function);
  for (const struct descriptor* each = *list_of(entry.code); each != NULL; each = each->next) {
    if (each->entry->code == entry.code) return (address)each->entry;
  }
  struct entry* made = allocate(sizeof *made);
  *made = entry;
  take_descriptor(made);
  return (address)made;
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

/* Link editors give a file code of its own for calls that are not bound (HP's .bortext, GNU's .plt), a bundle for
 * each. A program may keep that code's address over a call and load gp anew: so it gets by with r14, the caller's
 * gp. It ends with what three words of the file say: r16, where it goes, and gp. */
int keep_unbound(const struct object* object, struct entry* entry) {
  enum { tag_unbound_words = 0x70000000 }; /* DT_IA_64_PLT_RESERVE */
  const address words = dynamic_value(object, tag_unbound_words);
  if (words == 0 || entry->code == 0) return 0;
  uint64_t* const to = (uint64_t*)moved(object, words);
  const struct entry* const handler = (const struct entry*)bind_by_number;
  to[0] = wide((address)object);
  to[1] = handler->code;
  to[2] = handler->linkage;
  *entry = (struct entry){wide(moved(object, entry->code)), wide(object->linkage)};
  return 1;
}

/* For start.S. Calls are numbered as their relocations are. */
const struct entry* bind_call(const struct object* object, size_t number) {
  const struct elf_relocation* call =
      (const struct elf_relocation*)dynamic_value(object, tag_calls) + number;
  const struct unbound unbound = {object, call, (struct entry*)moved(object, call->place)};
  return bind(&unbound);
}
