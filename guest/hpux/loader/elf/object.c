/* ELF files in memory. */
#include "loader.h"

enum { far_apart = 1 << 26 };

static address down(address a) {
  return a & ~(address)(page_bytes - 1);
}
static address up(address a) {
  return down(a + page_bytes - 1);
}

address moved(const struct object* object, address of_file) {
  for (int i = 0; i < object->group_count; ++i) {
    const struct group* each = &object->groups[i];
    if (of_file >= each->start && of_file <= each->end) return of_file + each->delta;
  }
  return of_file;
}

/* Adds a segment to the last group, or to one of its own if it lies far from that. */
static int add_to_groups(struct object* object, const struct elf_segment* segment) {
  address start = segment->place, end = start + segment->memory_size;
  struct group* last = &object->groups[object->group_count - 1];
  if (object->group_count != 0 && start >= last->start && start - last->end < far_apart) {
    if (end > last->end) last->end = end;
    return 1;
  }
  if (object->group_count == most_groups) return 0;
  object->groups[object->group_count++] = (struct group){start, end, 0};
  return 1;
}

static int reserve(struct object* object) {
  for (int i = 0; i < object->group_count; ++i) {
    struct group* each = &object->groups[i];
    address start = down(each->start);
    char* place = map_anonymous(up(each->end) - start);
    if (place == NULL) return 0;
    each->delta = (address)place - start;
  }
  return 1;
}

/* The file's own pages, where that can be. */
static int fill(const struct object* object, int file, const struct elf_segment* segment) {
  address place = moved(object, segment->place);
  int is_text = (segment->flags & segment_writable) == 0;
  if (is_text && down(place) == place && down(segment->offset) == segment->offset &&
      segment->file_size == segment->memory_size) {
    return map_text((void*)place, file, segment->offset, up(segment->file_size)) != NULL;
  }
  return read_at(file, segment->offset, (void*)place, segment->file_size);
}

static int is_library(const struct elf_header* header) {
  static const uint8_t magic[4] = {0x7f, 'E', 'L', 'F'};
  for (int i = 0; i < 4; ++i) {
    if (header->magic[i] != magic[i]) return 0;
  }
  return header->class == elf_class && header->type == elf_type_library &&
         header->machine == machine && header->segment_size == sizeof(struct elf_segment);
}

static address raw_value(const struct object* object, address tag) {
  for (const struct elf_dynamic* each = object->dynamic; each->tag != 0; ++each) {
    if (each->tag == tag) return each->value;
  }
  return 0;
}

/* gp need not lie in the data, but moves with it. */
static address linkage_of(const struct object* object) {
  address of_file = raw_value(object, tag_linkage);
  const struct group* last = &object->groups[object->group_count - 1];
  return object->group_count == 0 ? of_file : of_file + last->delta;
}

/* What the dynamic section tells. */
static struct object* described(struct object* object) {
  if (object->dynamic == NULL) return NULL;
  object->symbols = (const struct elf_symbol*)dynamic_value(object, tag_symbols);
  object->names = (const char*)dynamic_value(object, tag_names);
  object->hash = (const uint32_t*)dynamic_value(object, tag_hash);
  object->linkage = linkage_of(object);
  return object->symbols == NULL || object->names == NULL || object->hash == NULL ? NULL : object;
}

static struct object* map_object(int file, const char* path) {
  struct elf_header header;
  struct elf_segment segments[most_segments * 4];
  enum { most = sizeof segments / sizeof *segments };
  if (!read_at(file, 0, &header, sizeof header) || !is_library(&header)) return NULL;
  if (header.segment_count > most) return NULL;
  if (!read_at(file, header.segments, segments, header.segment_count * sizeof *segments))
    return NULL;
  struct object* object = allocate(sizeof *object);
  object->name = path;
  for (int i = 0; i < header.segment_count; ++i) {
    if (segments[i].type == segment_load && !add_to_groups(object, &segments[i])) return NULL;
  }
  if (!reserve(object)) return NULL;
  for (int i = 0; i < header.segment_count; ++i) {
    const struct elf_segment* each = &segments[i];
    if (each->type == segment_load && !fill(object, file, each)) return NULL;
    if (each->type == segment_dynamic)
      object->dynamic = (const struct elf_dynamic*)moved(object, each->place);
  }
  return described(object);
}

struct object* load_object(const char* path) {
  int file = open_file(path);
  if (file < 0) return NULL;
  struct object* object = map_object(file, path);
  if (object == NULL) {
    say((const char* const[]){
        path, " is no shared library for this program, or does not fit into memory", NULL});
  }
  close_file(file);
  return object;
}

void say_not_found(const char* library) {
  say((const char* const[]){"Unable to find library '", library, "'.", NULL});
}

struct object* program_at(const struct elf_header* header, const char* name) {
  const struct elf_segment* segments =
      (const struct elf_segment*)((const char*)header + header->segments);
  struct object* object = allocate(sizeof *object);
  object->name = name;
  object->header = header;
  for (int i = 0; i < header->segment_count; ++i) {
    if (segments[i].type == segment_load) add_to_groups(object, &segments[i]);
    if (segments[i].type == segment_dynamic)
      object->dynamic = (const struct elf_dynamic*)segments[i].place;
  }
  return described(object);
}

/* Whether a tag's value is an address of the file. */
static int is_place(address tag) {
  switch (tag) {
    case tag_hash:
    case tag_names:
    case tag_symbols:
    case tag_relocations:
    case tag_calls:
    case tag_initializer:
    case tag_finalizer:
    case tag_initializers:
    case tag_finalizers:
      return 1;
    default:
      return 0;
  }
}

address dynamic_value(const struct object* object, address tag) {
  address value = raw_value(object, tag);
  return value != 0 && is_place(tag) ? moved(object, value) : value;
}

const char* next_needed(const struct object* object, size_t* at) {
  for (const struct elf_dynamic* each = object->dynamic + *at; each->tag != 0; ++each) {
    ++*at;
    if (each->tag == tag_needed) return object->names + each->value;
  }
  return NULL;
}

const char* embedded_path(const struct object* object) {
  address place = dynamic_value(object, tag_run_path);
  if (place == 0) place = dynamic_value(object, tag_path);
  return place == 0 ? NULL : object->names + place;
}

/* The first group is text, the last data. */
void find_extent(const struct object* object, struct extent* to) {
  const struct group *text = object->groups, *data = text + object->group_count - 1;
  to->text = text->start + text->delta;
  to->text_end = text->end + text->delta;
  to->data = data->start + data->delta;
  to->data_end = data->end + data->delta;
  to->linkage = (void*)object->linkage;
}
