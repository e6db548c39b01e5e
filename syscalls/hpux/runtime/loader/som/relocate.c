/* What a program or library needs before it runs: the addresses that its linkage tables hold. */
#include "loader.h"

#include "offsets.h"

_Static_assert(offsetof(struct unbound, linkage) == UNBOUND_LINKAGE, "start.S");

static uint32_t moved(const struct object* object, uint32_t address) {
  if (address == 0) return 0;
  return address + (address < data_quadrant ? object->text_delta : object->data_delta);
}

static void say_missing_of(const struct object* object, const char* name, const char* what) {
  say_missing(objects->name, object == objects ? NULL : object->name, what, name);
}

/* Where a data import points that nobody has: the first access faults, behind this line. */
static uint32_t missing_data(const struct object* object, const char* name) {
  say_missing_of(object, name, " uses the data ");
  return 0;
}

static uint32_t external(const struct object* object, uint32_t import, int wants_plabel) {
  enum { plabel_mark = 2 };
  const char* name = import_name(object, import);
  struct object* owner;
  const struct export_record* found = find_export(name, wants_plabel, &owner);
  if (found == NULL && wants_plabel) {
    struct unbound* unbound = allocate(sizeof *unbound);
    struct plt_entry* entry = allocate(sizeof *entry);
    *unbound = (struct unbound){(struct object*)object, import, entry, 0};
    bind_entry(unbound);
    return (uint32_t)entry + plabel_mark;
  }
  if (found == NULL) return missing_data(object, name);
  return wants_plabel ? (uint32_t)plabel_of(found, owner) + plabel_mark : address_of(found, owner);
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
  enum { plabel_mark = 2 };
  const struct plt_entry* binder = (const struct plt_entry*)((uint32_t)bind_and_call - plabel_mark);
  ((struct unbound*)unbound)->linkage = binder->linkage;
  unbound->entry->code = binder->code;
  unbound->entry->linkage = (uint32_t)unbound;
}

static int bind_now(const struct unbound* unbound) {
  struct object* owner;
  const char* name = import_name(unbound->object, unbound->import);
  const struct export_record* found = find_export(name, 1, &owner);
  if (found == NULL) return 0;
  unbound->entry->code = address_of(found, owner);
  unbound->entry->linkage = owner->linkage;
  return 1;
}

/* For start.S. */
struct plt_entry* bind(const struct unbound* unbound) {
  if (!bind_now(unbound)) {
    say_missing_of(unbound->object, import_name(unbound->object, unbound->import), " calls ");
    give_up();
  }
  return unbound->entry;
}

static void fill_plt(struct object* object, int now) {
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
    if (!now || !bind_now(&unbound[i])) bind_entry(&unbound[i]);
  }
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

void relocate(struct object* object, int now) {
  fill_dlt(object);
  fill_plt(object, now);
  apply_dynamic(object);
}

static void initialize(const struct object* object, uint32_t import) {
  const char* name = import_name(object, import);
  struct object* owner;
  const struct export_record* found = name == NULL ? NULL : find_export(name, 1, &owner);
  if (found == NULL) return;
  void (*routine)(void*, int) = (void (*)(void*, int))((uint32_t)plabel_of(found, owner) + 2);
  routine((void*)object, 1); /* shl_load(3X): the library's handle, and that it is being loaded */
}

/* The libraries that an object needs come behind it in the list: those first. */
void run_initializers(const struct object* object) {
  if (object == NULL) return;
  run_initializers(object->next);
  const struct loader_header* header = object->header;
  if (header->initializer_count != 0) {
    const uint32_t* imports = table(object, header->initializer);
    for (uint32_t i = 0; i < header->initializer_count; ++i) initialize(object, imports[i]);
  } else if (header->flags & flag_initializer) {
    initialize(object, header->initializer);
  }
}
