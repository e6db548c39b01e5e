/* dlopen(3C), dlsym(3C), dlclose(3C), dlerror(3C) and shl_load(3X): the loader's functions that programs
 * call by name. */
#include "loader.h"

enum { rtld_now = 2 };
enum { longest_filename = 1024 };
enum { list_imports = 1, list_exports = 2, without_values = 4, global_values = 8, list_initializers = 16 };

struct shl_descriptor {
  struct extent extent;
  struct object* handle;
  char filename[longest_filename + 1];
  void* initializer;
  unsigned long ref_count, reserved[4];
};

struct shl_symbol {
  const char* name;
  short type;
  void* value;
  const struct object* handle;
};

static const char* last_error;

static int fail(int number) {
  struct definition found;
  if (find_definition("errno", &found)) *(int*)place_of(&found) = number;
  return -1;
}

static int is_object(const struct object* handle) {
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (each == handle) return 1;
  }
  return 0;
}

/* In a library and those that it needs, but not theirs: each is in the list once. */
static int find_below(const struct object* object, const char* name, struct definition* found) {
  if (object == objects) return find_definition(name, found);
  if (find_in(object, name, found)) return 1;
  const char* needed_name;
  for (size_t at = 0; (needed_name = next_needed(object, &at)) != NULL;) {
    const struct object* needed = find_object(needed_name);
    if (needed != NULL && find_in(needed, name, found)) return 1;
  }
  return 0;
}

static void* dlopen(const char* path, int mode) {
  if (path == NULL) return objects;
  int error = 0;
  struct object* library = add_library(path, mode & rtld_now ? load_immediate : 0, &error);
  last_error = library != NULL ? NULL
               : error == enosym ? "a function that the library calls is not there"
                                 : "no such library";
  return library;
}

static void* dlsym(const struct object* handle, const char* name) {
  struct definition found;
  /* RTLD_NEXT, RTLD_DEFAULT and RTLD_SELF are -1 to -3; the caller is not known */
  int is_found = is_object(handle) ? find_below(handle, name, &found) : find_definition(name, &found);
  last_error = is_found ? NULL : "no such symbol";
  return is_found ? place_of(&found) : NULL;
}

static int dlclose(struct object* handle) {
  if (!is_object(handle)) {
    last_error = "no such library";
    return -1;
  }
  if (handle != objects) remove_library(handle, 1);
  return 0;
}

static const char* dlerror(void) {
  const char* error = last_error;
  last_error = NULL;
  return error;
}

static struct object* shl_load(const char* path, int flags, long place) {
  (void)place;
  int error = 0;
  struct object* library = add_library(path, flags, &error);
  if (library == NULL) fail(error);
  return library;
}

static int shl_unload(struct object* handle) {
  if (!is_object(handle) || handle == objects) return fail(einval);
  remove_library(handle, shl_unload_counts);
  return 0;
}

static int is_of_type(const struct definition* found, short type) {
  int is_procedure = kind_of(found) == kind_procedure;
  return type == kind_any || is_procedure == (type == kind_procedure);
}

/* A null handle means all that is loaded, and becomes that of the library that has the name. */
static int shl_findsym(struct object** handle, const char* name, short type, void** value) {
  struct definition found;
  if (*handle != NULL && !is_object(*handle)) return fail(einval);
  if (!find_below(*handle == NULL ? objects : *handle, name, &found) || !is_of_type(&found, type)) {
    return fail(0);
  }
  if (*handle == NULL) *handle = (struct object*)found.owner;
  *value = place_of(&found);
  return 0;
}

static void* first_initializer(const struct object* object) {
  struct listed one, other;
  size_t at = 0;
  int is_alone = next_initializer(object, &at, &one) && !next_initializer(object, &at, &other);
  return is_alone ? place_of(&one.definition) : NULL;
}

static void describe(struct object* object, struct shl_descriptor* to) {
  char* name = to->filename;
  const char* from = object->name;
  while (*from != 0 && name < to->filename + longest_filename) *name++ = *from++;
  *name = 0;
  find_extent(object, &to->extent);
  to->handle = object;
  to->initializer = first_initializer(object);
  to->ref_count = object->users;
}

static int shl_gethandle_r(struct object* handle, struct shl_descriptor* to) {
  if (!is_object(handle)) return fail(einval);
  describe(handle, to);
  return 0;
}

/* 0 and -2 are the program; the libraries follow. */
static int shl_get_r(int index, struct shl_descriptor* to) {
  enum { program = -2 };
  if (index < 0 && index != program) return fail(einval);
  struct object* each = objects;
  for (; index > 0 && each != NULL; --index) each = each->next;
  return each == NULL ? fail(einval) : shl_gethandle_r(each, to);
}

static struct shl_descriptor descriptor;

static int shl_gethandle(struct object* handle, struct shl_descriptor** to) {
  *to = &descriptor;
  return shl_gethandle_r(handle, &descriptor);
}

static int shl_get(int index, struct shl_descriptor** to) {
  *to = &descriptor;
  return shl_get_r(index, &descriptor);
}

const struct defined* first_defined;

/* The newest of a name comes first. */
static int shl_definesym(const char* name, short type, void* value, int flags) {
  if (flags != 0 || (type != kind_procedure && type != kind_data)) return fail(einval);
  struct defined* made = allocate(sizeof *made);
  made->name = kept(name);
  made->next = first_defined;
  if (type == kind_data) {
    define_data(value, &made->definition);
  } else {
    made->definition = definition_of_own((function*)value);
  }
  first_defined = made;
  return 0;
}

typedef int next_listed(const struct object*, size_t*, struct listed*);

static next_listed* list_of(int flags) {
  if (flags & list_imports) return next_import;
  if (flags & list_exports) return next_export;
  return flags & list_initializers ? next_initializer : NULL;
}

static int is_listed(const struct listed* each, short type) {
  int is_data = each->kind == kind_data || each->kind == kind_storage;
  return type == kind_any || type == each->kind || (type == kind_data && is_data);
}

static void fill(struct shl_symbol* to, struct listed* each, int flags) {
  to->name = each->name;
  to->type = each->kind;
  to->value = NULL;
  to->handle = NULL;
  if (flags & (list_imports | without_values)) return;
  if (flags & global_values) find_definition(each->name, &each->definition);
  to->value = place_of(&each->definition);
  to->handle = each->definition.owner;
}

static int get_defined(short type, int flags, void* (*memory)(size_t), struct shl_symbol** symbols) {
  int count = 0;
  for (const struct defined* each = first_defined; each != NULL; each = each->next) ++count;
  *symbols = memory((count + 1) * sizeof **symbols);
  if (*symbols == NULL) return fail(enomem);
  count = 0;
  for (const struct defined* each = first_defined; each != NULL; each = each->next) {
    struct listed one;
    one.name = each->name;
    one.kind = kind_of(&each->definition);
    copy(&one.definition, &each->definition, sizeof one.definition);
    if (is_listed(&one, type)) fill(*symbols + count++, &one, flags);
  }
  return count;
}

static int shl_getsymbols(struct object* handle, short type, int flags, void* (*memory)(size_t),
                          struct shl_symbol** symbols) {
  next_listed* next = list_of(flags);
  struct listed each;
  size_t at = 0, count = 0, filled = 0;
  if (next == NULL || (handle != NULL && !is_object(handle))) return fail(einval);
  if (handle == NULL) return get_defined(type, flags, memory, symbols);
  while (next(handle, &at, &each)) count += is_listed(&each, type);
  *symbols = memory((count + 1) * sizeof **symbols);
  if (*symbols == NULL) return fail(enomem);
  for (at = 0; filled < count && next(handle, &at, &each);) {
    if (is_listed(&each, type)) fill(*symbols + filled++, &each, flags);
  }
  return count;
}

static const struct {
  const char* name;
  function* function;
} own[] = {
    {"dlclose", (function*)dlclose},
    {"dlerror", (function*)dlerror},
    {"dlopen", (function*)dlopen},
    {"dlsym", (function*)dlsym},
    {"shl_definesym", (function*)shl_definesym},
    {"shl_findsym", (function*)shl_findsym},
    {"shl_get", (function*)shl_get},
    {"shl_get_r", (function*)shl_get_r},
    {"shl_gethandle", (function*)shl_gethandle},
    {"shl_gethandle_r", (function*)shl_gethandle_r},
    {"shl_getsymbols", (function*)shl_getsymbols},
    {"shl_load", (function*)shl_load},
    {"shl_unload", (function*)shl_unload},
};

int find_own(const char* name, struct definition* found) {
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) {
    if (!is_equal(own[i].name, name)) continue;
    *found = definition_of_own(own[i].function);
    return 1;
  }
  return 0;
}
