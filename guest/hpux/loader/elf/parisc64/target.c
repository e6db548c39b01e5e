/* PA-RISC, 64 bits. Relocations: GNU binutils, include/elf/hppa.h, bfd/elf64-hppa.c. */
#include "loader.h"

void bind_and_call(void); /* start.S */

struct relocation_shape shape_of(unsigned type) {
  enum { none = 0, dir32 = 1, fptr64 = 64, dir64 = 80, iplt = 129, eplt = 130 };
  switch (type) {
    case none:
      return (struct relocation_shape){wants_nothing, 0};
    case dir32:
      return (struct relocation_shape){wants_address, 4};
    case dir64:
      return (struct relocation_shape){wants_address, 8};
    case fptr64:
      return (struct relocation_shape){wants_function, 8};
    case iplt:
      return (struct relocation_shape){wants_entry, 16};
    case eplt:
      return (struct relocation_shape){wants_descriptor, 16};
    default:
      return (struct relocation_shape){wants_unknown, 0};
  }
}

uint64_t wide(address a) {
  return a;
}

struct entry entry_of(const struct definition* function) {
  return *(const struct entry*)(function->value + pointer_offset);
}

address pointer_to(const struct definition* function) {
  return function->value;
}

/* A symbol of a function is its descriptor. */
void take_descriptor(struct entry* entry) {
  (void)entry;
}

struct definition definition_of_local(address value, address linkage) {
  return (struct definition){value, linkage, 1, NULL};
}

struct definition definition_of_own(function* own) {
  return definition_of_local((address)own, 0);
}

struct definition definition_of_code(address code, address linkage) {
  struct entry* descriptor = allocate(2 * sizeof *descriptor);
  descriptor[1] = (struct entry){code, linkage};
  return definition_of_local((address)descriptor, linkage);
}

struct entry binder(const struct unbound* unbound) {
  struct definition own = definition_of_own(bind_and_call);
  return (struct entry){entry_of(&own).code, (address)unbound};
}

/* Files have no code of their own for calls that are not bound. */
int keep_unbound(const struct object* object, struct entry* entry) {
  (void)object, (void)entry;
  return 0;
}
