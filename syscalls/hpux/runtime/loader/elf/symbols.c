/* Names: what objects define. */
#include "loader.h"

const char* symbol_name(const struct object* object, const struct elf_symbol* symbol) {
  return object->names + symbol->name;
}

/* System V ABI, "Hash Table". */
static uint32_t hash_of(const char* name) {
  uint32_t hash = 0;
  for (; *name != 0; ++name) {
    hash = (hash << 4) + (uint8_t)*name;
    uint32_t high = hash & 0xf0000000;
    hash ^= high >> 24;
    hash &= ~high;
  }
  return hash;
}

static void describe(const struct object* object, const struct elf_symbol* symbol,
                     struct definition* found) {
  found->value = moved(object, symbol->value);
  found->linkage = object->linkage;
  found->is_function = (symbol->info & type_mask) == type_function;
}

int find_in(const struct object* object, const char* name, struct definition* found) {
  uint32_t bucket_count = object->hash[0];
  const uint32_t *buckets = object->hash + 2, *chain = buckets + bucket_count;
  if (bucket_count == 0) return 0;
  uint32_t index = buckets[hash_of(name) % bucket_count];
  for (; index != 0; index = chain[index]) {
    const struct elf_symbol* symbol = &object->symbols[index];
    if (symbol->section == no_section || !is_equal(symbol_name(object, symbol), name)) continue;
    describe(object, symbol, found);
    return 1;
  }
  return 0;
}

int find_definition(const char* name, struct definition* found) {
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (find_in(each, name, found)) return 1;
  }
  return find_own(name, found);
}
