/* Which libraries a program and its libraries need, and where they are. */
#include "loader.h"

enum { longest_path = 1024 };

struct object* objects;

/* A path by which an object's file was asked for, beside the object's own name. */
struct other_name {
  const char* path;
  struct other_name* next;
};

static const char* last_part(const char* path) {
  const char* last = path;
  for (; *path != 0; ++path) {
    if (*path == '/') last = path + 1;
  }
  return last;
}

static int is_called(const char* path, const char* name) {
  return is_equal(path, name) || is_equal(last_part(path), name);
}

static int has_other_name(const struct object* object, const char* name) {
  for (const struct other_name* each = object->other_names; each != NULL; each = each->next) {
    if (is_called(each->path, name)) return 1;
  }
  return 0;
}

struct object* find_object(const char* name) {
  for (struct object* each = objects->next; each != NULL; each = each->next) {
    if (is_called(each->name, name) || has_other_name(each, name)) return each;
  }
  return NULL;
}

static size_t length_of(const char* text, char end) {
  size_t length = 0;
  while (text[length] != 0 && text[length] != end) ++length;
  return length;
}

/* DIRECTORY/NAME, kept; null if it is too long. */
static const char* joined(const char* directory, size_t length, const char* name) {
  size_t name_bytes = length_of(name, 0) + 1;
  if (length + 1 + name_bytes > longest_path) return NULL;
  char* path = allocate(length + 1 + name_bytes);
  copy(path, directory, length);
  path[length] = '/';
  copy(path + length + 1, name, name_bytes);
  return path;
}

static int is_there(const char* path) {
  int file = open_file(path);
  if (file < 0) return 0;
  close_file(file);
  return 1;
}

/* A new one is not bound yet. */
static void append(struct object* object) {
  struct object* last = objects;
  while (last->next != NULL) last = last->next;
  last->next = object;
  object->is_new = 1;
}

static struct object* find_file(const struct file_id* file) {
  for (struct object* each = objects->next; each != NULL; each = each->next) {
    if (each->file.inode == file->inode && each->file.device == file->device) return each;
  }
  return NULL;
}

static void add_other_name(struct object* object, const char* path) {
  struct other_name* made = allocate(sizeof *made);
  made->path = kept(path);
  made->next = object->other_names;
  object->other_names = made;
}

/* One copy serves all names of a file, as libc.1 and libc.2 may be. */
static struct object* load_path(const char* path) {
  struct file_id file;
  if (!identify(path, &file)) return NULL;
  struct object* object = find_file(&file);
  if (object != NULL) {
    add_other_name(object, path);
    return object;
  }
  object = load_object(kept(path));
  if (object == NULL) return NULL;
  object->file.device = file.device;
  object->file.inode = file.inode;
  append(object);
  return object;
}

/* In a list of directories with colons between. */
static struct object* load_from(const char* list, const char* name) {
  while (list != NULL && *list != 0) {
    size_t length = length_of(list, ':');
    const char* path = length == 0 ? NULL : joined(list, length, name);
    struct object* found = path != NULL ? load_path(path) : NULL;
    if (found != NULL) return found;
    list += length + (list[length] == ':');
  }
  return NULL;
}

static const char* value_of(const char* name) {
  size_t length = length_of(name, 0);
  char* const* all = environment();
  for (; all != NULL && *all != NULL; ++all) {
    const char* each = *all;
    size_t at = 0;
    while (at < length && each[at] == name[at]) ++at;
    if (at == length && each[at] == '=') return each + at + 1;
  }
  return NULL;
}

/* In the list of objects, at its end if it is new. */
static struct object* load_needed(const struct object* by, const char* name) {
  if (last_part(name) != name) return load_path(name);
  struct object* found = load_from(value_of("LD_LIBRARY_PATH"), name);
  if (found == NULL) found = load_from(value_of("SHLIB_PATH"), name);
  if (found == NULL) found = load_from(embedded_path(by), name);
  return found != NULL ? found : load_from(default_path, name);
}

static void take_out(const struct object* object) {
  for (struct object* each = objects; each != NULL; each = each->next) {
    if (each->next == object) each->next = object->next;
  }
}

static void move_to_front(struct object* object) {
  take_out(object);
  object->next = objects->next;
  objects->next = object;
}

/* libdl and libdld: what they have, the loader has. */
static int is_own(const char* name) {
  static const char prefix[] = "libdl";
  name = last_part(name);
  for (size_t i = 0; prefix[i] != 0; ++i) {
    if (name[i] != prefix[i]) return 0;
  }
  return 1;
}

/* The names of libraries that were not found, in the order in which they were wanted. */
struct missing_library {
  const char* name;
  int is_told;
  struct missing_library* next;
};
static struct missing_library* missing_libraries;

static void remember_missing(const char* name) {
  struct missing_library** end = &missing_libraries;
  for (; *end != NULL; end = &(*end)->next) {
    if (is_equal((*end)->name, name)) return;
  }
  *end = allocate(sizeof **end);
  (*end)->name = name;
}

/* All of them, as nobody knows which one would have the name. */
void say_missing(const struct object* object, const char* what, const char* name) {
  const int is_program = object == objects;
  say((const char* const[]){objects->name, is_program ? "" : " of ", is_program ? "" : object->name,
                            what, name, ", which none of its libraries has", NULL});
  for (struct missing_library* each = missing_libraries; each != NULL; each = each->next) {
    if (!each->is_told) say_not_found(each->name);
    each->is_told = 1;
  }
}

void give_up_call(const struct object* object, const char* name) {
  say_missing(object, " calls ", name);
  for (const struct object* each = objects; each != NULL && missing_libraries == NULL;
       each = each->next) {
    say_missing_calls(each, name);
  }
  give_up();
}

static void load_libraries_of(const struct object* object) {
  const char* name;
  for (size_t at = 0; (name = next_needed(object, &at)) != NULL;) {
    struct object* library = find_object(name);
    if (library == NULL) library = load_needed(object, name);
    if (library != NULL) {
      ++library->users;
    } else if (!is_own(name)) {
      remember_missing(name);
    }
  }
}

/* The next library that the object needs and that is there. */
static struct object* next_loaded(const struct object* object, size_t* at) {
  const char* name;
  while ((name = next_needed(object, at)) != NULL) {
    struct object* library = find_object(name);
    if (library != NULL) return library;
  }
  return NULL;
}

static void load_libraries_of_new(void) {
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (each->is_new) load_libraries_of(each);
  }
}

static void keep_new(void) {
  for (struct object* each = objects; each != NULL; each = each->next) each->is_new = 0;
}

/* Nobody has been told of them yet. */
static void drop_new(void) {
  for (const struct object* each = objects; each != NULL; each = each->next) {
    struct object* needed;
    for (size_t at = 0; each->is_new && (needed = next_loaded(each, &at)) != NULL;) --needed->users;
  }
  for (struct object* each = objects; each != NULL;) {
    struct object* next = each->next;
    if (next != NULL && next->is_new) {
      each->next = next->next;
    } else {
      each = next;
    }
  }
}

static struct object* new_library(const char* name, int flags, int* error) {
  struct object* library = load_needed(objects, name);
  if (library == NULL) {
    *error = is_there(name) ? enoexec : enoent;
    return NULL;
  }
  if (!library->is_new) return library;
  if (flags & load_first) move_to_front(library);
  load_libraries_of_new();
  int unbound = bind_new_objects(flags & load_immediate);
  if (unbound != 0 && !(flags & load_nonfatal)) {
    drop_new();
    *error = enosym;
    return NULL;
  }
  keep_new();
  library->is_without_start = (flags & load_without_start) != 0;
  run_initializers(objects->next);
  return library;
}

struct object* add_library(const char* name, int flags, int* error) {
  struct object* library = find_object(name);
  if (library == NULL) library = new_library(name, flags, error);
  if (library != NULL) ++library->users;
  return library;
}

/* It stays in memory, as pointers to it may. */
void remove_library(struct object* object, int counted) {
  if (counted && (object->users == 0 || --object->users != 0)) return;
  object->users = 0;
  run_finalizers(object);
  take_out(object);
  struct object* needed;
  for (size_t at = 0; (needed = next_loaded(object, &at)) != NULL;) remove_library(needed, 1);
}

void load_libraries_of_program(void) {
  objects->is_new = 1;
  load_libraries_of_new();
  bind_new_objects(value_of("LD_BIND_NOW") != NULL);
  keep_new();
}
