/* Loads the libraries of a program and of its libraries, and binds. */
#include "loader.h"

struct object* objects;

/* Start code does not say where the data is. A link editor puts it at the start of the second
 * quadrant or, for EXEC_MAGIC, on the page behind the text. */
static uint32_t data_of_program(const struct start_arguments* start) {
  if (start->program_end >= data_quadrant) return data_quadrant + 0x1000;
  return (start->program_text_end + page_bytes - 1) / page_bytes * page_bytes;
}

static struct object* program_of(const struct start_arguments* start) {
  struct object* program = allocate(sizeof *program);
  program->next = NULL;
  program->name = start->argument_0;
  program->header = start->program_header;
  program->text_delta = program->data_delta = 0;
  program->data = data_of_program(start);
  program->linkage = start->program_header->linkage_pointer;
  return program;
}

static int is_loaded(const char* path) {
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (each != objects && is_equal(each->name, path)) return 1;
  }
  return 0;
}

static void append(struct object* object) {
  struct object* last = objects;
  while (last->next != NULL) last = last->next;
  last->next = object;
}

/* Whether one of the program's libraries asks to be bound at the start. */
static int load_libraries_of(const struct object* object) {
  const char* names = table(object, object->header->names);
  const struct library_record* list = table(object, object->header->library_list);
  int now = 0;
  for (uint32_t i = 1; i < object->header->library_count; ++i) {
    const char* path = names + list[i].name;
    now |= list[i].bind == bind_immediate;
    if (is_loaded(path)) continue;
    struct object* library = load_library(path);
    if (library != NULL) {
      append(library);
    } else {
      missing_library = path;
    }
  }
  return now;
}

/* For start.S. */
void load_program(const struct start_arguments* start) {
  objects = program_of(start);
  int now = 0;
  for (const struct object* each = objects; each != NULL; each = each->next) {
    int each_now = load_libraries_of(each);
    if (each == objects) now = each_now;
  }
  for (struct object* each = objects; each != NULL; each = each->next) {
    relocate(each, each == objects && now);
  }
  run_initializers(objects->next);
}
