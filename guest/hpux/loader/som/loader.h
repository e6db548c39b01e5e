/* HP-UX's dynamic loader for SOM programs, in place of /usr/lib/dld.sl: what its files share. The
 * file's format: HP, "The 32-bit PA-RISC Run-time Architecture Document". */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "system.h"

enum { data_quadrant = 0x40000000, nothing = -1 };

/* ---- $SHLIB_INFO$. Places of tables count from its start, dlt and plt from the data's. */
struct loader_header {
  uint32_t version, linkage_pointer, library_list, library_count;
  uint32_t import_list, import_count, buckets, bucket_count;
  uint32_t export_list, export_count, names, names_size;
  uint32_t dynamic_list, dynamic_count, dlt, plt;
  uint32_t dlt_count, plt_count;
  uint16_t high_water, flags;
  uint32_t export_extension, modules, module_count;
  uint32_t elaborator, initializer, embedded_path, initializer_count;
  uint32_t thread_data_size, fast_bind_list;
};
enum { newer_version = 93092112, older_version = 89060912 };
enum { flag_initializer = 2 };

/* Behind the header of files of tools/elf2som. Of the loader itself: where in the text its data's first
 * content is, how long that is, and how long the data. Of all: that the buckets are those of
 * tools/som_dynamic.py. No bit of the flags says so, as HP's linker may
 * set any: 0x8000 in libsigar for PA-RISC. */
struct trailer {
  uint32_t start, file_size, memory_size, buckets;
};
enum { buckets_times_31 = 0x68633331 };

struct library_record {
  uint32_t name;
  uint8_t flags, bind;
  uint16_t high_water;
};
enum { bind_immediate = 0 };

struct import_record {
  uint32_t name;
  uint16_t reserved;
  uint8_t type, flags;
};

struct export_record {
  uint32_t next, name, value, size;
  uint8_t type, flags;
  uint16_t module;
};

struct dynamic_record {
  uint32_t library, symbol, location, value;
  uint8_t type, flags;
  uint16_t module;
};

enum symbol_type {
  symbol_null = 0,
  symbol_data = 2,
  symbol_code = 3,
  symbol_storage = 7,
  symbol_plabel = 13
};
enum dynamic_type {
  dynamic_plabel_ext = 1,
  dynamic_plabel_int,
  dynamic_data_ext,
  dynamic_data_int,
  dynamic_propagate,
  dynamic_invoke,
  dynamic_text_int
};

struct plt_entry {
  uint32_t code, linkage;
};

/* A program or library in memory. */
struct object {
  struct object* next;
  const char* name;
  const struct loader_header* header;
  uint32_t text_delta, data_delta; /* to add to the file's addresses */
  uint32_t text_end;               /* behind its last byte */
  uint32_t data, data_end;         /* with bss */
  uint32_t linkage;                /* for r19 */
  struct plabel* plabels;
  int is_new; /* not bound yet */
  int is_initialized;
  int is_without_start; /* initializers are not called */
  int users;            /* loads by name, and objects that need it */
  struct file_id file;
  struct other_name* other_names; /* libraries.c */
};

/* A pointer to a function is the address of `entry`, plus 2: one for each, so that pointers are equal. */
enum { plabel_mark = 2 };
struct plabel {
  struct plt_entry entry;
  struct plabel* next;
};

typedef void function(void);

/* Where a name is defined. */
struct definition {
  uint32_t value;
  uint8_t type;         /* enum symbol_type */
  uint32_t linkage;     /* of the object that has it */
  struct object* owner; /* null: the loader */
};

#include "own.h"
enum { shl_unload_counts = 0 }; /* a library leaves whoever uses it */
#define default_path "/usr/lib:/lib"


/* An import that is bound when it is first called. */
struct unbound {
  struct object* object;
  uint32_t import;
  struct plt_entry* entry;
  uint32_t linkage; /* the loader's own; start.S: UNBOUND_LINKAGE */
};

/* What start code passes on the stack, as HP's crt0.o of 10.x and 11.x does in programs: the ninth
 * argument first. (The second argument is a block, which differs from release to release.) */
struct start_arguments {
  uint32_t program_end;
  const char* argument_0;
  uint32_t program_text_end;
  const struct loader_header* program_header;
  uint32_t loader_data_end;
};

/* ---- start.S */
void bind_and_call(void);

/* ---- symbols.c */
/* Of code or data; in the program first, then in the libraries in their order. */
int find_definition_of(const char* name, int wants_code, struct definition* found);
uint32_t plabel_of(const struct definition* found); /* with the mark */
const char* import_name(const struct object* object, uint32_t index); /* null if it has none */
const void* table(const struct object* object, uint32_t place);

/* ---- relocate.c */
void bind_entry(const struct unbound* unbound);
struct plt_entry* bind(const struct unbound* unbound); /* for start.S */
