/* What dlopen(3C) and shl_load(3X) want of a format's loader, beside its struct object and struct
 * definition: loader.h includes this behind them. Sources of the interface: HP-UX Reference,
 * shl_load(3X) and errno(2); HP-UX Linker and Libraries User's Guide, "Shared library management
 * routines". Numbers: AT&T's AST, src/lib/libdll; layouts: Bloomberg's BDE, balst. */
#pragma once

#include <stddef.h>

enum { enoent = 2, enoexec = 8, enomem = 12, einval = 22, enosym = 215 };

/* How a library is loaded. */
enum load_flags { load_immediate = 1, load_first = 4, load_nonfatal = 8, load_without_start = 0x10 };

enum symbol_kind { kind_any = 0, kind_data = 2, kind_procedure = 3, kind_storage = 7 };

/* A name that an object imports or exports; imports have no definition. */
struct listed {
  const char* name;
  short kind;
  struct definition definition;
};

/* Addresses of text and of data with bss; the ends are behind the last byte. */
struct extent {
  size_t text, text_end, data, data_end;
  void* linkage;
};

/* ---- libraries.c */
extern struct object* objects;               /* the program first, the others as they are searched */
struct object* find_object(const char* name); /* null: no library of that name is loaded */
void load_libraries_of_program(void);
/* That an object calls or uses a name that nobody has; and which libraries are not there, each once. */
void say_missing(const struct object* object, const char* what, const char* name);
/* The end, at a call of what nobody has: it, and if no library is to blame, all others that would end so. */
void give_up_call(const struct object* object, const char* name);
/* The library with all that it needs, bound and initialized; null and an error's number if that cannot
 * be. */
struct object* add_library(const char* name, int flags, int* error);
/* One user less; without users the library leaves, and is no user of what it needs. If not `counted`, it
 * leaves whoever uses it. */
void remove_library(struct object* object, int counted);

/* ---- own.c: what programs call by name in the loader */
int find_own(const char* name, struct definition* found);
/* What shl_definesym() has defined, which comes before all objects'; null behind the last. */
struct defined {
  const char* name;
  struct definition definition;
  const struct defined* next;
};
extern const struct defined* first_defined;

/* ---- the format's */
void say_not_found(const char* library); /* in the words of HP's loader */
/* Which functions the object has calls of and nobody has, but for `called`. */
void say_missing_calls(const struct object* object, const char* called);
/* The library of that path, or null with the reason said. */
struct object* load_object(const char* path);
/* The name of a library that an object needs, from the `at`-th on; null behind the last. */
const char* next_needed(const struct object* object, size_t* at);
/* A list of directories, which the object's file has; null if there is none. */
const char* embedded_path(const struct object* object);
char* const* environment(void); /* null: not known yet */
/* Fills in the addresses of all objects that are new. The number of calls that could not be bound and
 * were wanted at once. */
int bind_new_objects(int now);
void run_initializers(struct object* object); /* those that come behind it first */
void run_finalizers(struct object* object);
int find_in(const struct object* object, const char* name, struct definition* found);
int find_definition(const char* name, struct definition* found);
void* place_of(const struct definition* found);
short kind_of(const struct definition* found);
struct definition definition_of_own(function* own);
void define_data(void* place, struct definition* to);
void find_extent(const struct object* object, struct extent* to);
/* The `at`-th name and the next; whether there is one. */
int next_export(const struct object* object, size_t* at, struct listed* found);
int next_import(const struct object* object, size_t* at, struct listed* found);
int next_initializer(const struct object* object, size_t* at, struct listed* found);
