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

/* The loader's own functions, which that of SOM programs has not. */
#if defined __ia64__ || __SIZEOF_POINTER__ == 8
#ifdef __ia64__
#define LIBRARY "libgreet.so.1"
#else
#define LIBRARY "libgreet.1"
#endif
void *dlopen(const char *path, int mode), *dlsym(void *handle, const char *name);
int dlclose(void *handle), shl_findsym(void **handle, const char *name, int type, void **value);
const char *dlerror(void);
void *shl_load(const char *path, int flags, long place);
enum { RTLD_LAZY = 1, TYPE_UNDEFINED = 0, TYPE_PROCEDURE = 3 };

static void check_loading(void) {
  void *handle = dlopen(LIBRARY, RTLD_LAZY), *value = NULL, *program = NULL;
  int (*found)(const char *) = (int (*)(const char *))dlsym(handle, "greet");
  check(handle != NULL && found == greet && found("four") == 4, "dlopen() and dlsym()");
  check(dlsym(handle, "nobody_has_this") == NULL && dlerror() != NULL && dlerror() == NULL, "dlerror()");
  check(dlopen("/nowhere", RTLD_LAZY) == NULL, "dlopen() of nothing");
  check(shl_findsym(&handle, "greetings", TYPE_UNDEFINED, &value) == 0 && value == &greetings, "shl_findsym() of data");
  check(shl_findsym(&handle, "greetings", TYPE_PROCEDURE, &value) == -1, "shl_findsym() of another type");
  check(shl_findsym(&program, "main", TYPE_PROCEDURE, &value) == 0 && program != NULL, "shl_findsym() in the program");
  check(shl_load("/nowhere", 1, 0) == NULL && errno == ENOENT, "shl_load() of nothing");
  check(dlclose(handle) == 0 && greet("still") == 5, "dlclose()");
}
#else
static void check_loading(void) {}
#endif

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
  printf("1..%d\n", checks);
  fflush(stdout);
  if (count > 1 && strcmp(arguments[1], "missing") == 0) return nobody_has_this(1);
  return 0;
}
