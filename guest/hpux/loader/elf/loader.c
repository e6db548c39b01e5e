/* From the kernel to main(). */
#include "loader.h"

/* As far as loaders and start code know it: libunwind, src/ia64; crt0 of 64-bit programs. */
struct load_info {
  uint64_t version, bytes, call_table, path, program;
};

static void set_pointer(const char* name, const void* to) {
  struct definition found;
  if (find_definition(name, &found)) *(const void**)found.value = to;
}

/* The library uses the program's function if there is one. */
static void set_function(const char* name, const char* of) {
  struct definition found;
  if (find_definition(of, &found)) set_pointer(name, (const void*)pointer_to(&found));
}

static char* const* environment_of_program;

char* const* environment(void) {
  return environment_of_program;
}

static void finish(void) {
  for (struct object* each = objects; each != NULL; each = each->next) run_finalizers(each);
}

typedef int main_function(int, char**, char**);
typedef void exit_function(int);
typedef int atexit_function(function*);

static function* library_function(const char* name) {
  struct definition found;
  return find_definition(name, &found) ? (function*)pointer_to(&found) : NULL;
}

/* As start code does, for a program that has none. */
void run_program(int count, char** arguments, char** environment) {
  struct definition start =
      definition_of_code(objects->header->entry, objects->linkage);
  int status = ((main_function*)pointer_to(&start))(count, arguments, environment);
  exit_function* leave = (exit_function*)library_function("exit");
  if (leave != NULL) leave(status);
  enum { sys_exit = 1 };
  system_call(status, 0, 0, 0, 0, 0, sys_exit);
}

static void tell_libraries(char** arguments, char** environment, const struct load_info* info) {
  set_pointer("__argv", arguments);
  set_pointer("__envp", environment);
  set_pointer("_environ", environment);
  set_pointer("environ", environment);
  set_pointer("__load_info", info);
  set_pointer("__sysvec", (const void*)(address)info->call_table);
  set_pointer("__scall_entry_table_addr", (const void*)(address)info->call_table);
  set_function("_hc_malloc", "malloc");
  set_function("_hc_calloc", "calloc");
  set_function("_hc_free", "free");
}

/* For start.S. Returns the start code's descriptor if the program has such code, or null. */
const struct entry* load_program(char** arguments, char** environment, const struct load_info* info) {
  objects = program_at((const struct elf_header*)(address)info->program, arguments[0]);
  if (objects == NULL) {
    say((const char* const[]){arguments[0], " has no dynamic section that makes sense", NULL});
    give_up();
  }
  environment_of_program = environment;
  load_libraries_of_program();
  tell_libraries(arguments, environment, info);
  run_initializers(objects->next);
  atexit_function* at_end = (atexit_function*)library_function("atexit");
  if (at_end != NULL) at_end(finish);
  struct definition start;
  return find_in(objects, "$START$", &start) ? (const struct entry*)pointer_to(&start) + 1 : NULL;
}
