/* What the loader binds: calls when they are made, at once where a library asks for that, data,
 * pointers to functions, and the program's own malloc() for the C library. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int greet(const char *name);   /* library.c */
extern int greetings, initialized;    /* library.c */
extern int call_back(int (*function)(int), int value);
extern int nobody_has_this(int value);
extern const char *const greeting_words[2];

static int checks;

static void check(int ok, const char *what) { printf("%sok %d - %s\n", ok ? "" : "not ", ++checks, what); }

static int doubled(int value) { return 2 * value; }

/* Instead of the library's. */
static char heap[65536];
static size_t used;
static int own_calls;

void *malloc(size_t size) {
  ++own_calls;
  used = (used + 15) / 8 * 8;
  void *made = heap + used;
  used += size;
  return made;
}
void free(void *place) { (void)place; }
void *calloc(size_t count, size_t size) { return memset(malloc(count * size), 0, count * size); }

/* ---- The loader's own functions: dlopen(3C), shl_load(3X). */
#ifdef __ia64__
#define SUFFIX ".so.1"
#define C_LIBRARY "libc.so.1"
#define C_LIBRARY_TOO "libc.so"
#else
#define SUFFIX ".1"
#if __SIZEOF_POINTER__ == 8
#define C_LIBRARY "libc.2"
#define C_LIBRARY_TOO "libc.sl"
#else
#define C_LIBRARY "libc.1"
#define C_LIBRARY_TOO "libc.2" /* libgreet.1 needs it by that name */
#endif
#endif
#if defined __ia64__ || __SIZEOF_POINTER__ == 8
#define DIRECTORY
enum { unload_counts = 1 };
#else
#define DIRECTORY "/usr/lib/"
enum { unload_counts = 0 }; /* shl_load(3X), "On PA-RISC 32-bit systems" */
#endif
#define GREET DIRECTORY "libgreet" SUFFIX
#define MORE DIRECTORY "libmore" SUFFIX

struct shl_descriptor {
  unsigned long tstart, tend, dstart, dend;
  void *ltptr, *handle;
  char filename[1025];
  void *initializer;
  unsigned long ref_count, reserved[4];
};
struct shl_symbol {
  char *name;
  short type;
  void *value, *handle;
};
void *dlopen(const char *path, int mode), *dlsym(void *handle, const char *name);
int dlclose(void *handle), shl_findsym(void **handle, const char *name, int type, void *value);
const char *dlerror(void);
void *shl_load(const char *path, int flags, long place);
int shl_unload(void *handle), shl_get(int index, struct shl_descriptor **to);
int shl_gethandle(void *handle, struct shl_descriptor **to), shl_get_r(int index, struct shl_descriptor *to);
int shl_definesym(const char *name, int type, void *value, int flags);
int shl_getsymbols(void *handle, int type, int flags, void *(*memory)(size_t), struct shl_symbol **symbols);
enum { RTLD_LAZY = 1, RTLD_NOW = 2, TYPE_UNDEFINED = 0, TYPE_DATA = 2, TYPE_PROCEDURE = 3 };
enum { BIND_IMMEDIATE = 1, BIND_DEFERRED = 2, BIND_FIRST = 4, BIND_NONFATAL = 8, BIND_NOSTART = 16 };
enum { IMPORT_SYMBOLS = 1, EXPORT_SYMBOLS = 2, GLOBAL_VALUES = 8, INITIALIZERS = 16, ENOSYM = 215 };

int more_starts, more_ends; /* more.c counts */

static void check_loading(void) {
  void *handle = dlopen(GREET, RTLD_LAZY), *value = NULL, *program = NULL, *owner = NULL;
  int (*found)(const char *) = (int (*)(const char *))dlsym(handle, "greet");
  check(handle != NULL && (void *)found == (void *)greet && found("four") == 4, "dlopen() and dlsym()");
  check(dlsym(handle, "nobody_has_this") == NULL && dlerror() != NULL && dlerror() == NULL, "dlerror()");
  check(dlopen("/nowhere", RTLD_LAZY) == NULL, "dlopen() of nothing");
  check(shl_findsym(&handle, "greetings", TYPE_UNDEFINED, &value) == 0 && value == &greetings, "shl_findsym() of data");
  check(shl_findsym(&handle, "greetings", TYPE_PROCEDURE, &value) == -1, "shl_findsym() of another type");
  check(shl_findsym(&program, "main", TYPE_PROCEDURE, &value) == 0 && program == dlopen(NULL, RTLD_LAZY), "shl_findsym() in the program");
  check(shl_findsym(&owner, "greet", TYPE_PROCEDURE, &value) == 0 && owner == handle, "and the library that has it");
  errno = 1;
  check(shl_findsym(&handle, "nobody_has_this", TYPE_UNDEFINED, &value) == -1 && errno == 0, "shl_findsym() of nothing");
  check(shl_load("/nowhere", 1, 0) == NULL && errno == ENOENT, "shl_load() of nothing");
  check(shl_load("/etc/passwd", 1, 0) == NULL && errno == ENOEXEC, "shl_load() of no library");
  check(dlclose(handle) == 0 && greet("still") == 5, "dlclose()");
  check(dlclose((void *)&checks) == -1 && dlerror() != NULL && shl_unload((void *)&checks) == -1 && errno == EINVAL, "no handle");
}

/* A definition of the program's own is found first, and what is bound after it calls it. */
static void check_defining(void) {
  static int own;
  void *all = NULL, *value = NULL;
  struct shl_symbol *symbols = NULL;
  check(shl_definesym("own_data", TYPE_DATA, &own, 0) == 0 && shl_findsym(&all, "own_data", TYPE_DATA, &value) == 0 && value == &own, "shl_definesym() of data");
  all = NULL;
  int (*found)(const char *) = NULL;
  check(shl_definesym("own_greet", TYPE_PROCEDURE, (void *)greet, 0) == 0 && shl_findsym(&all, "own_greet", TYPE_PROCEDURE, &found) == 0 && found("five5") == 5, "shl_definesym() of a procedure");
  check(shl_definesym("own_data", 99, &own, 0) == -1 && errno == EINVAL, "of another type");
  check(shl_getsymbols(NULL, TYPE_UNDEFINED, EXPORT_SYMBOLS, malloc, &symbols) == 2 && strcmp(symbols[0].name, "own_greet") == 0 && symbols[1].value == &own, "shl_getsymbols() of those");
}

/* What no library has is missed at once, later, or never. */
static void check_new_library(void) {
  void *handle, *again;
  int (*more)(const char *) = NULL;
  check(shl_load(MORE, BIND_IMMEDIATE, 0) == NULL && errno == ENOSYM && more_starts == 0, "shl_load() of what cannot be bound");
  check(dlopen(MORE, RTLD_NOW) == NULL && dlerror() != NULL, "dlopen() of it");
  handle = shl_load(MORE, BIND_DEFERRED, 0);
  check(handle != NULL && more_starts == 1 && more_ends == 0, "shl_load() of a new library");
  check(shl_findsym(&handle, "more", TYPE_PROCEDURE, &more) == 0 && more("three") == 6, "it calls a library that it needs");
  again = dlopen(MORE, RTLD_LAZY);
  check(again == handle && more_starts == 1, "it is loaded once");
  check(shl_unload(handle) == 0 && more_ends == !unload_counts, "shl_unload() with another user");
  check(dlclose(again) == -!unload_counts && more_ends == 1, "it leaves");
  handle = shl_load(MORE, BIND_IMMEDIATE | BIND_NONFATAL | BIND_NOSTART, 0);
  check(handle != NULL && more_starts == 1, "shl_load() without its initializer");
  check(shl_unload(handle) == 0 && more_ends == 1, "it leaves without one");
}

static int place_of_name(const char *name) {
  struct shl_descriptor *each;
  for (int i = 0; shl_get(i, &each) == 0; ++i) {
    if (strstr(each->filename, name) != NULL) return i;
  }
  return -1;
}

static void check_descriptors(void) {
  struct shl_descriptor *found, own;
  void *handle = shl_load(MORE, BIND_DEFERRED, 0);
  int last = place_of_name("libmore"), greet_place = place_of_name("libgreet");
  check(last > greet_place && greet_place > 0 && place_of_name("libc.") > 0, "shl_get() of all libraries");
  check(shl_get(last + 1, &found) == -1 && errno == EINVAL, "and no more");
  check(shl_gethandle(handle, &found) == 0 && found->handle == handle && strstr(found->filename, "libmore") != NULL, "shl_gethandle()");
  unsigned long place = (unsigned long)dlsym(handle, "more_calls");
  check(found->dstart <= place && place < found->dend && found->tstart < found->tend && found->ref_count == 1, "where a library is");
  check(shl_get_r(0, &own) == 0 && own.handle == dlopen(NULL, RTLD_LAZY), "shl_get_r() of the program");
  place = (unsigned long)&greetings;
  check(shl_get_r(greet_place, &own) == 0 && own.dstart <= place && place < own.dend && own.tstart < own.tend, "and of a library");
  shl_unload(handle);
  handle = shl_load(MORE, BIND_DEFERRED | BIND_FIRST, 0);
  check(place_of_name("libmore") == 1 && place_of_name("libgreet") == greet_place + 1, "BIND_FIRST");
  shl_unload(handle);
}

/* A library is there once, by whichever names it is needed and loaded. */
static void check_names_of_one(void) {
  int count = 0;
  struct shl_descriptor *each;
  void *one = dlopen(DIRECTORY C_LIBRARY, RTLD_LAZY), *other = dlopen(DIRECTORY C_LIBRARY_TOO, RTLD_LAZY);
  check(one != NULL && other == one, "two names of the C library");
  check(dlsym(other, "__iob") == (void *)__iob && dlsym(other, "errno") == dlsym(one, "errno"), "it has one standard output and one errno");
  for (int i = 0; shl_get(i, &each) == 0; ++i) count += strstr(each->filename, "libc.") != NULL;
  check(count == 1, "it is in the list once");
  check(dlclose(other) == 0 && dlclose(one) == 0 && strdup("more") != NULL, "those that need it still have it");
}

/* The name is the loader's own, whatever becomes of the caller's. */
static void check_kept_name(void) {
  char path[] = MORE;
  void *handle = shl_load(path, BIND_DEFERRED, 0);
  memset(path, 'x', sizeof path - 1);
  check(handle != NULL && place_of_name("libmore") > 0 && dlopen(MORE, RTLD_LAZY) == handle, "the name of a library");
  shl_unload(handle);
  shl_unload(handle);
}

static const struct shl_symbol *find_symbol(const struct shl_symbol *symbols, int count, const char *name) {
  for (int i = 0; i < count; ++i) {
    if (strcmp(symbols[i].name, name) == 0) return &symbols[i];
  }
  return NULL;
}

static void check_symbols(void) {
  struct shl_symbol *all = NULL, *some;
  void *handle = shl_load(MORE, BIND_DEFERRED, 0);
  int count = shl_getsymbols(handle, TYPE_UNDEFINED, EXPORT_SYMBOLS, malloc, &all);
  const struct shl_symbol *more = find_symbol(all, count, "more"), *calls = find_symbol(all, count, "more_calls");
  check(more != NULL && more->type == TYPE_PROCEDURE && more->value == dlsym(handle, "more") && more->handle == handle, "shl_getsymbols(): a function");
  check(calls != NULL && calls->type != TYPE_PROCEDURE && calls->value == dlsym(handle, "more_calls"), "shl_getsymbols(): data");
  check(find_symbol(all, count, "greet") == NULL, "exports alone");
  int procedures = shl_getsymbols(handle, TYPE_PROCEDURE, EXPORT_SYMBOLS | GLOBAL_VALUES, malloc, &some);
  int data = shl_getsymbols(handle, TYPE_DATA, EXPORT_SYMBOLS, malloc, &all);
  check(procedures >= 3 && data >= 1 && procedures + data == count, "by type");
  check(find_symbol(some, procedures, "more")->handle == handle, "as they are visible");
  count = shl_getsymbols(handle, TYPE_UNDEFINED, IMPORT_SYMBOLS, malloc, &all);
  check(find_symbol(all, count, "greet") != NULL && find_symbol(all, count, "more_starts") != NULL && find_symbol(all, count, "more") == NULL, "imports");
  count = shl_getsymbols(handle, TYPE_UNDEFINED, INITIALIZERS, malloc, &all);
  check(count == 1 && strcmp(all[0].name, "set_up") == 0, "initializers");
  check(shl_getsymbols(NULL, TYPE_UNDEFINED, EXPORT_SYMBOLS, malloc, &all) == 0, "none that the program has defined");
  check(shl_getsymbols(handle, TYPE_UNDEFINED, 0, malloc, &all) == -1 && errno == EINVAL, "no list is asked for");
  shl_unload(handle);
}

int main(int count, char **arguments) {
  check(initialized == 1, "the library's initializer ran first");
  check(greet("world") == 5, "a library's function");
  check(greet("world") == 5, "and once it is bound");
  check(greetings == 2, "a library's data");
  check(strcmp(greeting_words[1], "goodbye") == 0, "pointers in a library's data");
  check(call_back(doubled, 21) == 42, "a pointer to the program's function");
  int (*pointer)(const char *) = greet;
  check(pointer("all") == 3, "a pointer to a library's function");
  check(chdir("/nowhere") < 0 && errno == ENOENT, "errno is the program's");
  char *copy = strdup("text");
  check(own_calls > 0 && copy >= heap && copy < heap + sizeof heap, "strdup() uses the program's malloc()");
  check_loading();
  check_new_library();
  check_descriptors();
  check_names_of_one();
  check_kept_name();
  check_symbols();
  check_defining();
  printf("1..%d\n", checks);
  fflush(stdout);
  if (count > 1 && strcmp(arguments[1], "missing") == 0) return nobody_has_this(1);
  return 0;
}
