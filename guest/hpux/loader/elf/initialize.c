/* The functions of libraries that run before main() and at the end. */
#include "loader.h"

typedef void initializer(void* library, int is_loading);

/* A function of the file that has a name. */
static int find_name(const struct object* object, address code, struct listed* found) {
  for (size_t at = 0; next_export(object, &at, found);) {
    if (entry_of(&found->definition).code == wide(code)) return 1;
  }
  return 0;
}

/* The one of the tag alone: arrays have no names. */
int next_initializer(const struct object* object, size_t* at, struct listed* found) {
  address code = dynamic_value(object, tag_initializer);
  return code != 0 && (*at)++ == 0 && find_name(object, code, found);
}

static void call(address code_of_file, const struct object* object, int is_loading) {
  if (code_of_file == 0) return;
  struct definition routine = definition_of_code(code_of_file, object->linkage);
  ((initializer*)pointer_to(&routine))((void*)object, is_loading);
}

static void call_all(struct object* object, address tag, address size_tag, int is_loading) {
  initializer* const* from = (initializer* const*)dynamic_value(object, tag);
  size_t count = dynamic_value(object, size_tag) / sizeof *from;
  for (size_t i = 0; i < count; ++i) {
    /* Backwards at the end. 0 and -1 mark the ends of some. */
    initializer* each = from[is_loading ? i : count - 1 - i];
    if (each != NULL && each != (initializer*)-1) each(object, is_loading);
  }
}

void run_initializers(struct object* object) {
  if (object == NULL) return;
  run_initializers(object->next);
  if (object->is_initialized || object->is_without_start) return;
  object->is_initialized = 1;
  call(dynamic_value(object, tag_initializer), object, 1);
  call_all(object, tag_initializers, tag_initializers_size, 1);
}

void run_finalizers(struct object* object) {
  if (!object->is_initialized) return;
  object->is_initialized = 0;
  call_all(object, tag_finalizers, tag_finalizers_size, 0);
  call(dynamic_value(object, tag_finalizer), object, 0);
}
