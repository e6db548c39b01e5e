/* HP-UX's dynamic loader for ELF programs, in place of /usr/lib/pa20_64/dld.sl, hpux32/uld.so and
 * hpux64/uld.so: what its files share. It is linked to run where the kernel puts it, needs no
 * relocation, and imports nothing. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "elf_format.h"
#include "system.h"

enum { most_segments = 8, most_groups = most_segments };

/* Segments that keep their distance: a file's addresses, and how far they have moved. */
struct group {
  address start, end, delta;
};

/* A program or library in memory. */
struct object {
  struct object* next;
  const char* name;
  struct group groups[most_groups];
  int group_count;
  const struct elf_header* header; /* of the program */
  const struct elf_dynamic* dynamic;
  const struct elf_symbol* symbols;
  const char* names;
  const uint32_t* hash;
  address linkage; /* gp */
  int is_new; /* not bound yet */
  int is_initialized;
  int is_without_start; /* initializers and finalizers are not called */
  int users;            /* loads by name, and objects that need it */
  struct file_id file;
  struct other_name* other_names; /* libraries.c */
};

typedef void function(void);

/* A function's code and the gp that it wants. */
struct entry {
  uint64_t code, linkage;
};

/* Where a name is defined. For a function, what a symbol's value is on this processor: the code (IA-64)
 * or the descriptor (PA-RISC). */
struct definition {
  address value;
  address linkage; /* of the object that has it */
  int is_function;
  const struct object* owner; /* null: the loader */
};

#include "own.h"
enum { shl_unload_counts = 1 }; /* users of the library, as dlclose() does */

/* A call's place in the linkage table that is bound when it is first used. */
struct unbound {
  const struct object* object;
  const struct elf_relocation* call;
  struct entry* entry;
};

/* What a relocation wants stored: in `bytes` bytes, or an entry. */
enum relocation_kind {
  wants_nothing,
  wants_address,    /* of a symbol */
  wants_moved,      /* the addend, which is an address of the file */
  wants_function,   /* a pointer to a function */
  wants_entry,      /* of a function that is called, maybe later */
  wants_descriptor, /* an entry, at the place as a pointer to it has it */
  wants_unknown
};
struct relocation_shape {
  enum relocation_kind kind;
  int bytes;
};

/* ---- target.h, target.c: the processor's conventions */
#include "target.h" /* machine, pointer_offset, default_path */
struct relocation_shape shape_of(unsigned type);
uint64_t wide(address a); /* as 64-bit code holds it in registers and linkage tables */
struct entry entry_of(const struct definition* function);
address pointer_to(const struct definition* function);
struct definition definition_of_code(address code, address linkage);
/* What a symbol without a name defines that a relocation wants as a function. */
struct definition definition_of_local(address value, address linkage);
/* What pointers to the function point to from now on. */
void take_descriptor(struct entry* entry);
struct entry binder(const struct unbound* unbound);
/* Leaves an entry of the linkage table as the file has it, moved, if that binds it when it is used. Whether it does. */
int keep_unbound(const struct object* object, struct entry* entry);

/* ---- object.c */
/* The program that the kernel has mapped, by its first bytes. */
struct object* program_at(const struct elf_header* header, const char* name);
address moved(const struct object* object, address of_file);
/* The value of a tag, 0 if there is none. */
address dynamic_value(const struct object* object, address tag);

/* ---- symbols.c */
const char* symbol_name(const struct object* object, const struct elf_symbol* symbol);

/* ---- relocate.c */
const struct entry* bind(const struct unbound* unbound); /* for start.S */
