/* Loads the libraries of a program and of its libraries, and binds. */
#include "loader.h"

/* Start code does not say where the data is. A link editor puts it at the start of the second
 * quadrant or, for EXEC_MAGIC, on the page behind the text. */
static uint32_t data_of_program(const struct start_arguments* start) {
  if (start->program_end >= data_quadrant) return data_quadrant + 0x1000;
  return (start->program_text_end + page_bytes - 1) / page_bytes * page_bytes;
}

static struct object* program_of(const struct start_arguments* start) {
  struct object* program = allocate(sizeof *program);
  program->name = start->argument_0;
  program->header = start->program_header;
  program->text_end = start->program_text_end;
  program->data = data_of_program(start);
  program->data_end = start->program_end;
  program->linkage = program->data + start->program_header->linkage_pointer;
  return program;
}

/* What the program's start code keeps, as environ(5) says. */
char* const* environment(void) {
  struct definition found;
  return find_definition_of("environ", 0, &found) ? *(char* const**)found.value : NULL;
}

/* For start.S. */
void load_program(const struct start_arguments* start) {
  objects = program_of(start);
  load_libraries_of_program();
  run_initializers(objects->next);
}
