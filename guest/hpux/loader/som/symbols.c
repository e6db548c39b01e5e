/* Names: what objects export and import. */
#include "loader.h"

const void* table(const struct object* object, uint32_t place) {
  return (const char*)object->header + place;
}

static const char* name_at(const struct object* object, uint32_t place) {
  return (const char*)table(object, object->header->names) + place;
}

const char* import_name(const struct object* object, uint32_t index) {
  const struct import_record* imports = table(object, object->header->import_list);
  uint32_t name = imports[index].name;
  return name == (uint32_t)nothing ? NULL : name_at(object, name);
}

enum { any_kind = -1 };

static int is_wanted(const struct export_record* record, int wants_code) {
  int is_data = record->type == symbol_data || record->type == symbol_storage;
  if (wants_code == any_kind) return is_data || record->type == symbol_code;
  return wants_code ? record->type == symbol_code : is_data;
}

static int is_it(const struct object* object, const struct export_record* record, const char* name,
                 int wants_code) {
  return is_wanted(record, wants_code) && is_equal(name_at(object, record->name), name);
}

/* As tools/som_dynamic.py makes the buckets. */
static const struct export_record* find_hashed(const struct object* object, const char* name,
                                               int wants_code) {
  uint32_t hash = 0;
  for (const char* c = name; *c != 0; ++c) hash = hash * 31 + (uint8_t)*c;
  const uint32_t* buckets = table(object, object->header->buckets);
  const struct export_record* exports = table(object, object->header->export_list);
  uint32_t index = buckets[hash % object->header->bucket_count];
  for (; index != (uint32_t)nothing; index = exports[index].next) {
    if (is_it(object, &exports[index], name, wants_code)) return &exports[index];
  }
  return NULL;
}

static const struct export_record* find_record(const struct object* object, const char* name,
                                               int wants_code) {
  const struct trailer* trailer = (const struct trailer*)(object->header + 1);
  if (trailer->buckets == buckets_times_31) return find_hashed(object, name, wants_code);
  const struct export_record* exports = table(object, object->header->export_list);
  for (uint32_t i = 0; i < object->header->export_count; ++i) {
    if (is_it(object, &exports[i], name, wants_code)) return &exports[i];
  }
  return NULL;
}

static struct definition definition_of(const struct object* owner, const struct export_record* record) {
  uint32_t delta = record->type == symbol_code ? owner->text_delta : owner->data_delta;
  return (struct definition){record->value + delta, record->type, owner->linkage,
                             (struct object*)owner};
}

static int find_in_object(const struct object* object, const char* name, int wants_code,
                          struct definition* found) {
  const struct export_record* record = find_record(object, name, wants_code);
  if (record == NULL) return 0;
  *found = definition_of(object, record);
  return 1;
}

int find_in(const struct object* object, const char* name, struct definition* found) {
  return find_in_object(object, name, any_kind, found);
}

static int find_defined(const char* name, int wants_code, struct definition* found) {
  for (const struct defined* each = first_defined; each != NULL; each = each->next) {
    const int is_code = each->definition.type == symbol_code;
    if (!is_equal(each->name, name) || (wants_code != any_kind && wants_code != is_code)) continue;
    copy(found, &each->definition, sizeof *found);
    return 1;
  }
  return 0;
}

int find_definition_of(const char* name, int wants_code, struct definition* found) {
  if (find_defined(name, wants_code, found)) return 1;
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (find_in_object(each, name, wants_code, found)) return 1;
  }
  return wants_code && find_own(name, found);
}

int find_definition(const char* name, struct definition* found) {
  return find_definition_of(name, any_kind, found);
}

uint32_t plabel_of(const struct definition* found) {
  static struct plabel* of_loader;
  struct plabel** list = found->owner == NULL ? &of_loader : &found->owner->plabels;
  for (struct plabel* each = *list; each != NULL; each = each->next) {
    if (each->entry.code == found->value) return (uint32_t)&each->entry + plabel_mark;
  }
  struct plabel* made = allocate(sizeof *made);
  *made = (struct plabel){{found->value, found->linkage}, *list};
  *list = made;
  return (uint32_t)&made->entry + plabel_mark;
}

struct definition definition_of_own(function* own) {
  const struct plt_entry* entry = (const struct plt_entry*)((uint32_t)own - plabel_mark);
  return (struct definition){entry->code, symbol_code, entry->linkage, NULL};
}

void define_data(void* place, struct definition* to) {
  to->value = (uint32_t)place;
  to->type = symbol_data;
  to->linkage = 0;
  to->owner = NULL;
}

void* place_of(const struct definition* found) {
  return (void*)(found->type == symbol_code ? plabel_of(found) : found->value);
}

static short kind_of_type(uint8_t type) {
  if (type == symbol_code || type == symbol_plabel) return kind_procedure;
  return type == symbol_storage ? kind_storage : kind_data;
}

short kind_of(const struct definition* found) {
  return kind_of_type(found->type);
}

int next_export(const struct object* object, size_t* at, struct listed* found) {
  const struct export_record* exports = table(object, object->header->export_list);
  for (; *at < object->header->export_count; ++*at) {
    const struct export_record* each = &exports[*at];
    if (!is_wanted(each, any_kind)) continue;
    struct definition definition = definition_of(object, each);
    *found = (struct listed){name_at(object, each->name), kind_of(&definition), definition};
    ++*at;
    return 1;
  }
  return 0;
}

/* The lists of data and of calls have a function each that is used both ways. */
static int is_repeated(const struct object* object, size_t at) {
  for (size_t i = 0; i < at; ++i) {
    const char* name = import_name(object, i);
    if (name != NULL && is_equal(name, import_name(object, at))) return 1;
  }
  return 0;
}

int next_import(const struct object* object, size_t* at, struct listed* found) {
  const struct import_record* imports = table(object, object->header->import_list);
  for (; *at < object->header->import_count; ++*at) {
    const char* name = import_name(object, *at);
    if (name == NULL || imports[*at].type == symbol_null || is_repeated(object, *at)) continue;
    found->name = name;
    found->kind = kind_of_type(imports[*at].type);
    ++*at;
    return 1;
  }
  return 0;
}

/* By number of an import: one, or a list of them. */
static uint32_t initializer_import(const struct object* object, size_t at) {
  const struct loader_header* header = object->header;
  if (header->initializer_count != 0) {
    const uint32_t* imports = table(object, header->initializer);
    return at < header->initializer_count ? imports[at] : (uint32_t)nothing;
  }
  return at == 0 && header->flags & flag_initializer ? header->initializer : (uint32_t)nothing;
}

int next_initializer(const struct object* object, size_t* at, struct listed* found) {
  uint32_t import;
  while ((import = initializer_import(object, *at)) != (uint32_t)nothing) {
    ++*at;
    found->name = import_name(object, import);
    found->kind = kind_procedure;
    if (found->name == NULL) continue;
    if (find_in_object(object, found->name, 1, &found->definition)) return 1;
    if (find_definition_of(found->name, 1, &found->definition)) return 1;
  }
  return 0;
}
