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
  found->owner = object;
}

void* place_of(const struct definition* found) {
  return (void*)(found->is_function ? pointer_to(found) : found->value);
}

short kind_of(const struct definition* found) {
  return found->is_function ? kind_procedure : kind_data;
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

void define_data(void* place, struct definition* to) {
  to->value = (address)place;
  to->linkage = to->is_function = 0;
  to->owner = NULL;
}

static int find_defined(const char* name, struct definition* found) {
  for (const struct defined* each = first_defined; each != NULL; each = each->next) {
    if (!is_equal(each->name, name)) continue;
    copy(found, &each->definition, sizeof *found);
    return 1;
  }
  return 0;
}

int find_definition(const char* name, struct definition* found) {
  if (find_defined(name, found)) return 1;
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (find_in(each, name, found)) return 1;
  }
  return find_own(name, found);
}

/* The next symbol with a name that is defined, or that is not. */
static const struct elf_symbol* next_symbol(const struct object* object, size_t* at, int is_defined) {
  uint32_t count = object->hash[1];
  while (++*at < count) {
    const struct elf_symbol* symbol = &object->symbols[*at];
    int is_hidden = symbol->info >> binding_shift == binding_local;
    if (symbol->name != 0 && !is_hidden && (symbol->section != no_section) == is_defined) return symbol;
  }
  return NULL;
}

int next_export(const struct object* object, size_t* at, struct listed* found) {
  const struct elf_symbol* symbol = next_symbol(object, at, 1);
  if (symbol == NULL) return 0;
  found->name = symbol_name(object, symbol);
  describe(object, symbol, &found->definition);
  found->kind = kind_of(&found->definition);
  return 1;
}

/* Files need not tell of what kind it is. */
int next_import(const struct object* object, size_t* at, struct listed* found) {
  const struct elf_symbol* symbol = next_symbol(object, at, 0);
  if (symbol == NULL) return 0;
  found->name = symbol_name(object, symbol);
  int type = symbol->info & type_mask;
  found->kind = type == type_function ? kind_procedure : type == type_object ? kind_data : kind_any;
  return 1;
}
