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

static int is_wanted(const struct export_record* record, int wants_code) {
  int is_data = record->type == symbol_data || record->type == symbol_storage;
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

static const struct export_record* find_in(const struct object* object, const char* name,
                                           int wants_code) {
  if (object->header->flags & flag_times_31) return find_hashed(object, name, wants_code);
  const struct export_record* exports = table(object, object->header->export_list);
  for (uint32_t i = 0; i < object->header->export_count; ++i) {
    if (is_it(object, &exports[i], name, wants_code)) return &exports[i];
  }
  return NULL;
}

const struct export_record* find_export(const char* name, int wants_code, struct object** owner) {
  for (*owner = objects; *owner != NULL; *owner = (*owner)->next) {
    const struct export_record* found = find_in(*owner, name, wants_code);
    if (found != NULL) return found;
  }
  return NULL;
}

uint32_t address_of(const struct export_record* record, const struct object* owner) {
  int is_text = record->type == symbol_code;
  return record->value + (is_text ? owner->text_delta : owner->data_delta);
}

/* A pointer to the function is the address of such a pair, plus 2. */
struct plt_entry* plabel_of(const struct export_record* record, const struct object* owner) {
  struct plt_entry* pair = allocate(sizeof *pair);
  pair->code = address_of(record, owner);
  pair->linkage = owner->linkage;
  return pair;
}
