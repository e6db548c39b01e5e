/* What a program or library needs before it runs: the addresses in its data and linkage tables. */
#include "loader.h"

static const struct elf_symbol* symbol_of(const struct object* object,
                                          const struct elf_relocation* each) {
  return &object->symbols[each->info >> symbol_shift];
}

static struct relocation_shape shape(const struct elf_relocation* each) {
  return shape_of((relocation_type)each->info);
}

/* A name that only the object itself knows, or a section. */
static int is_local(const struct elf_symbol* symbol) {
  return symbol->info >> binding_shift == binding_local;
}

/* Where a data import points that nobody has: the first access faults, behind this line. A weak one may
 * be missing. */
static address missing_data(const struct object* object, const struct elf_symbol* symbol) {
  if (symbol->info >> binding_shift != binding_weak)
    say_missing(object, " uses the data ", symbol_name(object, symbol));
  return 0;
}

static address address_for(const struct object* object, const struct elf_relocation* each) {
  const struct elf_symbol* symbol = symbol_of(object, each);
  struct definition found;
  if (is_local(symbol)) return moved(object, symbol->value + each->addend);
  if (find_definition(symbol_name(object, symbol), &found)) return found.value + each->addend;
  return missing_data(object, symbol);
}

/* The function that a relocation means. Whether there is one. */
static int find_function(const struct object* object, const struct elf_relocation* each,
                         struct definition* found) {
  const struct elf_symbol* symbol = symbol_of(object, each);
  if (!is_local(symbol)) return find_definition(symbol_name(object, symbol), found);
  *found = definition_of_local(moved(object, symbol->value + each->addend), object->linkage);
  return 1;
}

static void bind_later(struct entry* entry, const struct object* object,
                       const struct elf_relocation* call) {
  struct unbound* unbound = allocate(sizeof *unbound);
  *unbound = (struct unbound){object, call, entry};
  *entry = binder(unbound);
}

/* A pointer to a function that nobody has can be passed on, and is missed when it is called. */
static address function_for(const struct object* object, const struct elf_relocation* each) {
  struct definition found;
  if (find_function(object, each, &found)) return pointer_to(&found);
  struct entry* entry = allocate(sizeof *entry);
  bind_later(entry, object, each);
  return (address)entry - pointer_offset;
}

static void store(void* place, int bytes, address value) {
  if (bytes == 8) {
    *(uint64_t*)place = wide(value);
  } else {
    *(uint32_t*)place = value;
  }
}

static int bind_now(struct entry* entry, const struct object* object,
                    const struct elf_relocation* call) {
  struct definition found;
  if (!find_function(object, call, &found)) return 0;
  *entry = entry_of(&found);
  return 1;
}

const struct entry* bind(const struct unbound* unbound) {
  const struct object* object = unbound->object;
  if (!bind_now(unbound->entry, object, unbound->call))
    give_up_call(object, symbol_name(object, symbol_of(object, unbound->call)));
  return unbound->entry;
}

/* Once for an object: such a file has many. */
static void say_unknown(const struct object* object) {
  static const struct object* told;
  if (object == told) return;
  told = object;
  say((const char* const[]){object->name,
                            " has a relocation that this loader does not know, as thread-local "
                            "data has",
                            NULL});
}

/* A weak function may be missing. */
static int is_unbound(const struct object* object, const struct elf_relocation* call) {
  return symbol_of(object, call)->info >> binding_shift != binding_weak;
}

/* How many calls that were wanted now could not be bound: one or none. */
static int bind_entry(struct entry* entry, const struct object* object,
                      const struct elf_relocation* call, int now) {
  if (now && bind_now(entry, object, call)) return 0;
  if (!keep_unbound(object, entry)) bind_later(entry, object, call);
  return now && is_unbound(object, call);
}

/* The number of calls that could not be bound. */
static int apply(const struct object* object, const struct elf_relocation* each, int now) {
  void* place = (void*)moved(object, each->place);
  struct relocation_shape wanted = shape(each);
  switch (wanted.kind) {
    case wants_address:
      store(place, wanted.bytes, address_for(object, each));
      break;
    case wants_moved:
      store(place, wanted.bytes, moved(object, each->addend));
      break;
    case wants_function:
      store(place, wanted.bytes, function_for(object, each));
      break;
    case wants_entry:
      return bind_entry(place, object, each, now);
    case wants_unknown:
      say_unknown(object);
      break;
    case wants_nothing:
    case wants_descriptor:
      break;
  }
  return 0;
}

struct relocations {
  const struct elf_relocation *from, *to;
};

static struct relocations relocations(const struct object* object, address tag, address size_tag) {
  const struct elf_relocation* from =
      (const struct elf_relocation*)dynamic_value(object, tag);
  return (struct relocations){from, from + dynamic_value(object, size_tag) / sizeof *from};
}

static void relocate_descriptors(const struct object* object) {
  struct relocations all = relocations(object, tag_relocations, tag_relocations_size);
  for (const struct elf_relocation* each = all.from; each < all.to; ++each) {
    if (shape(each).kind != wants_descriptor) continue;
    address code = moved(object, symbol_of(object, each)->value + each->addend);
    struct entry* entry = (struct entry*)(moved(object, each->place) + pointer_offset);
    *entry = (struct entry){wide(code), wide(object->linkage)};
    take_descriptor(entry);
  }
}

static int is_missing_call(const struct object* object, const struct elf_relocation* each) {
  struct definition found;
  return shape(each).kind == wants_entry && is_unbound(object, each) &&
         !find_function(object, each, &found);
}

/* Some link editors make several places in the table for a function. */
static int is_repeated(const struct object* object, const struct elf_relocation* from,
                       const struct elf_relocation* each) {
  for (; from < each; ++from) {
    if (symbol_of(object, from) == symbol_of(object, each) && is_missing_call(object, from)) return 1;
  }
  return 0;
}

static void say_missing_in(const struct object* object, struct relocations all, const char* called) {
  for (const struct elf_relocation* each = all.from; each < all.to; ++each) {
    const char* name = symbol_name(object, symbol_of(object, each));
    if (!is_missing_call(object, each) || is_equal(name, called)) continue;
    if (!is_repeated(object, all.from, each)) say_missing(object, " has a call of ", name);
  }
}

void say_missing_calls(const struct object* object, const char* called) {
  const struct relocations all = relocations(object, tag_relocations, tag_relocations_size);
  const struct relocations calls = relocations(object, tag_calls, tag_calls_size);
  say_missing_in(object, all, called);
  if (calls.from < all.from || calls.from >= all.to) say_missing_in(object, calls, called);
}

/* The calls may be part of the others, and be counted with them. */
static int relocate(const struct object* object, int now) {
  int unbound = 0;
  struct relocations all = relocations(object, tag_relocations, tag_relocations_size);
  struct relocations calls = relocations(object, tag_calls, tag_calls_size);
  for (const struct elf_relocation* each = all.from; each < all.to; ++each) {
    if (each < calls.from || each >= calls.to) unbound += apply(object, each, now);
  }
  for (const struct elf_relocation* each = calls.from; each < calls.to; ++each) {
    unbound += apply(object, each, now);
  }
  return unbound;
}

static int wants_all_now(const struct object* object) {
  return (dynamic_value(object, tag_flags) & flag_bind_now) != 0 ||
         (dynamic_value(object, tag_loader_flags) & loader_flag_bind_now) != 0;
}

/* Descriptors first, those of all objects; then all else. */
int bind_new_objects(int now) {
  int unbound = 0;
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (each->is_new) relocate_descriptors(each);
  }
  for (const struct object* each = objects; each != NULL; each = each->next) {
    if (each->is_new) unbound += relocate(each, now || wants_all_now(each));
  }
  return unbound;
}
