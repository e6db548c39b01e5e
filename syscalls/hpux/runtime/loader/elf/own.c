/* dlopen(3C), dlsym(3C), dlclose(3C), dlerror(3C), shl_load(3X), shl_findsym(3X), shl_unload(3X): the
 * loader's functions that programs call by name. */
#include "loader.h"

enum { enoent = 2, einval = 22 };
enum { rtld_now = 2, bind_immediate = 1 };
enum { type_any = 0, type_procedure = 3 };

static const char* last_error;

static void set_errno(int number) {
  struct definition found;
  if (find_definition("errno", &found)) *(int*)found.value = number;
}

static int is_object(const struct object* handle) {
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (each == handle) return 1;
  }
  return 0;
}

static void* place_of(const struct definition* found) {
  return (void*)(found->is_function ? pointer_to(found) : found->value);
}

/* In a library and those that it needs, but not theirs: each is in the list once. */
static int find_below(const struct object* object, const char* name, struct definition* found) {
  if (object == objects) return find_definition(name, found);
  if (find_in(object, name, found)) return 1;
  for (const struct elf_dynamic* each = object->dynamic; each->tag != 0; ++each) {
    if (each->tag != tag_needed) continue;
    const struct object* needed = find_object(object->names + each->value);
    if (needed != NULL && find_in(needed, name, found)) return 1;
  }
  return 0;
}

static void* dlopen(const char* path, int mode) {
  if (path == NULL) return objects;
  struct object* library = add_library(path, (mode & rtld_now) != 0);
  last_error = library == NULL ? "no such library" : NULL;
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
  if (handle != objects) remove_library(handle);
  return 0;
}

static const char* dlerror(void) {
  const char* error = last_error;
  last_error = NULL;
  return error;
}

static struct object* shl_load(const char* path, int flags, long place) {
  (void)place;
  struct object* library = add_library(path, (flags & bind_immediate) != 0);
  if (library == NULL) set_errno(enoent);
  return library;
}

static int shl_unload(struct object* handle) {
  if (dlclose(handle) == 0) return 0;
  set_errno(einval);
  return -1;
}

/* A null handle means all that is loaded, and becomes that of the program. */
static int shl_findsym(struct object** handle, const char* name, short type, void** value) {
  struct definition found;
  if (*handle != NULL && !is_object(*handle)) {
    set_errno(einval);
    return -1;
  }
  int is_found = find_below(*handle == NULL ? objects : *handle, name, &found);
  if (is_found && type != type_any) is_found = found.is_function == (type == type_procedure);
  if (!is_found) {
    set_errno(0);
    return -1;
  }
  if (*handle == NULL) *handle = objects;
  *value = place_of(&found);
  return 0;
}

static const struct {
  const char* name;
  function* function;
} own[] = {
    {"dlclose", (function*)dlclose},         {"dlerror", (function*)dlerror},
    {"dlopen", (function*)dlopen},           {"dlsym", (function*)dlsym},
    {"shl_findsym", (function*)shl_findsym}, {"shl_load", (function*)shl_load},
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
