/* What a program or library needs before it runs: the addresses that its linkage tables hold. */
#include "loader.h"

#include "offsets.h"

_Static_assert(offsetof(struct unbound, linkage) == UNBOUND_LINKAGE, "start.S");

static uint32_t moved(const struct object* object, uint32_t address) {
  if (address == 0) return 0;
  return address + (address < data_quadrant ? object->text_delta : object->data_delta);
}

/* Where a data import points that nobody has: page zero, which reads as zeros and cannot be written. */
static uint32_t missing_data(const struct object* object, const char* name) {
  say_missing(object, " uses the data ", name);
  return 0;
}

static uint32_t external(const struct object* object, uint32_t import, int wants_plabel) {
  const char* name = import_name(object, import);
  struct definition found;
  if (find_definition_of(name, wants_plabel, &found)) return (uint32_t)place_of(&found);
  if (wants_plabel) {
    struct unbound* unbound = allocate(sizeof *unbound);
    struct plt_entry* entry = allocate(sizeof *entry);
    *unbound = (struct unbound){(struct object*)object, import, entry, 0};
    bind_entry(unbound);
    return (uint32_t)entry + plabel_mark;
  }
  return missing_data(object, name);
}

static void fill_dlt(struct object* object) {
  const struct import_record* imports = table(object, object->header->import_list);
  uint32_t* dlt = (uint32_t*)(object->data + object->header->dlt);
  for (uint32_t i = 0; i < object->header->dlt_count; ++i) {
    if (imports[i].type == symbol_null || import_name(object, i) == NULL) {
      dlt[i] = moved(object, dlt[i]);
    } else {
      int is_code = imports[i].type == symbol_plabel || imports[i].type == symbol_code;
      dlt[i] = external(object, i, is_code);
    }
  }
}

/* Points an entry at start.S's bind_and_call(). */
void bind_entry(const struct unbound* unbound) {
  struct definition binder = definition_of_own(bind_and_call);
  ((struct unbound*)unbound)->linkage = binder.linkage;
  unbound->entry->code = binder.value;
  unbound->entry->linkage = (uint32_t)unbound;
}

static int bind_now(const struct unbound* unbound) {
  struct definition found;
  const char* name = import_name(unbound->object, unbound->import);
  if (!find_definition_of(name, 1, &found)) return 0;
  unbound->entry->code = found.value;
  unbound->entry->linkage = found.linkage;
  return 1;
}

void say_missing_calls(const struct object* object, const char* called) {
  const uint32_t first = object->header->dlt_count;
  for (uint32_t i = 0; i < object->header->plt_count; ++i) {
    const char* name = import_name(object, first + i);
    struct definition found;
    if (name == NULL || is_equal(name, called) || find_definition_of(name, 1, &found)) continue;
    say_missing(object, " has a call of ", name);
  }
}

/* For start.S. */
struct plt_entry* bind(const struct unbound* unbound) {
  if (!bind_now(unbound)) give_up_call(unbound->object, import_name(unbound->object, unbound->import));
  return unbound->entry;
}

/* The number of calls that were wanted now and could not be bound. */
static int fill_plt(struct object* object, int now) {
  int missed = 0;
  const struct import_record* imports = table(object, object->header->import_list);
  struct plt_entry* plt = (struct plt_entry*)(object->data + object->header->plt);
  uint32_t first = object->header->dlt_count;
  struct unbound* unbound = allocate(object->header->plt_count * sizeof *unbound);
  for (uint32_t i = 0; i < object->header->plt_count; ++i) {
    if (imports[first + i].type == symbol_null || import_name(object, first + i) == NULL) {
      if (plt[i].code == 0) continue;
      plt[i].code = moved(object, plt[i].code);
      plt[i].linkage = object->linkage;
      continue;
    }
    unbound[i] = (struct unbound){object, first + i, &plt[i], 0};
    if (now && bind_now(&unbound[i])) continue;
    bind_entry(&unbound[i]);
    missed += now;
  }
  return missed;
}

static uint32_t dynamic_value(const struct object* object, const struct dynamic_record* record) {
  switch (record->type) {
    case dynamic_plabel_ext:
      return external(object, record->symbol, 1);
    case dynamic_data_ext:
      return external(object, record->symbol, 0) + record->value;
    case dynamic_text_int:
      return record->value + object->text_delta;
    case dynamic_data_int:
      return moved(object, record->value);
    case dynamic_plabel_int: /* a pair in the data, from its start on, with the mark */
      return object->data + record->value;
    default:
      return *(const uint32_t*)(object->data + record->location);
  }
}

static void apply_dynamic(struct object* object) {
  const struct dynamic_record* records = table(object, object->header->dynamic_list);
  for (uint32_t i = 0; i < object->header->dynamic_count; ++i) {
    *(uint32_t*)(object->data + records[i].location) = dynamic_value(object, &records[i]);
  }
}

/* Whether one of the libraries of the program asks to be bound at the start. */
static int wants_all_now(const struct object* object) {
  const struct library_record* list = table(object, object->header->library_list);
  if (object != objects) return 0;
  for (uint32_t i = 1; i < object->header->library_count; ++i) {
    if (list[i].bind == bind_immediate) return 1;
  }
  return 0;
}

int bind_new_objects(int now) {
  int missed = 0;
  for (struct object* each = objects; each != NULL; each = each->next) {
    if (!each->is_new) continue;
    fill_dlt(each);
    missed += fill_plt(each, now || wants_all_now(each));
    apply_dynamic(each);
  }
  return missed;
}

/* shl_load(3X): the library's handle, and whether it is being loaded. */
static void call_initializers(struct object* object, int is_loading) {
  struct listed each;
  for (size_t at = 0; next_initializer(object, &at, &each);) {
    void (*routine)(void*, int) = (void (*)(void*, int))place_of(&each.definition);
    routine(object, is_loading);
  }
}

void run_initializers(struct object* object) {
  if (object == NULL) return;
  run_initializers(object->next);
  if (object->is_initialized || object->is_without_start) return;
  object->is_initialized = 1;
  call_initializers(object, 1);
}

void run_finalizers(struct object* object) {
  if (!object->is_initialized) return;
  object->is_initialized = 0;
  call_initializers(object, 0);
}
