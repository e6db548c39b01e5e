/* Shared libraries: SOM files of magic 0x10e (and 0x10d). */
#include "loader.h"

struct exec_header {
  uint32_t text_size, text_address, text_offset;
  uint32_t data_size, data_address, data_offset;
  uint32_t bss_size, entry, flags, fill;
};

enum { file_header_bytes = 128, most_headers = 64 };

static uint32_t whole_pages(uint32_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/* The auxiliary header of type 4. */
static int find_exec_header(int file, const uint32_t* front, struct exec_header* exec) {
  enum { headers_at = 7, headers_size = 8, exec_type = 4 };
  uint32_t at = front[headers_at], end = at + front[headers_size];
  for (int i = 0; i < most_headers && at + 8 <= end; ++i) {
    uint32_t id[2];
    if (!read_at(file, at, id, sizeof id)) return 0;
    if ((id[0] & 0xffff) == exec_type && id[1] >= sizeof *exec) {
      return read_at(file, at + sizeof id, exec, sizeof *exec);
    }
    at += sizeof id + (id[1] + 3) / 4 * 4;
  }
  return 0;
}

static int is_library(const uint32_t* front) {
  uint32_t magic = front[0] & 0xffff;
  return magic == 0x10e || magic == 0x10d;
}

static struct object* map_library(int file, const char* path) {
  uint32_t front[file_header_bytes / 4];
  struct exec_header exec;
  if (!read_at(file, 0, front, sizeof front) || !is_library(front)) return NULL;
  if (!find_exec_header(file, front, &exec)) return NULL;
  char* text = map_text(NULL, file, exec.text_offset, whole_pages(exec.text_size));
  char* data = map_anonymous(whole_pages(exec.data_size + exec.bss_size));
  if (text == NULL || data == NULL) return NULL;
  if (!read_at(file, exec.data_offset, data, exec.data_size)) return NULL;
  struct object* object = allocate(sizeof *object);
  object->name = path;
  object->header = (const struct loader_header*)text;
  object->text_delta = (uint32_t)text - exec.text_address;
  object->data_delta = (uint32_t)data - exec.data_address;
  object->text_end = (uint32_t)text + exec.text_size;
  object->data = (uint32_t)data;
  object->data_end = object->data + exec.data_size + exec.bss_size;
  object->linkage = object->data + object->header->linkage_pointer;
  uint32_t version = object->header->version;
  return version == newer_version || version == older_version ? object : NULL;
}

struct object* load_object(const char* path) {
  int file = open_file(path);
  if (file < 0) return NULL;
  struct object* object = map_library(file, path);
  if (object == NULL) {
    say((const char* const[]){
        path, " is no shared library for PA-RISC, or does not fit into memory", NULL});
  }
  close_file(file);
  return object;
}

void say_not_found(const char* library) {
  say((const char* const[]){"Can't find path for shared library: ", library, NULL});
  say((const char* const[]){"No such file or directory", NULL});
}

/* The first is the object's own name. */
const char* next_needed(const struct object* object, size_t* at) {
  const struct library_record* list = table(object, object->header->library_list);
  if (*at + 1 >= object->header->library_count) return NULL;
  return (const char*)table(object, object->header->names) + list[++*at].name;
}

const char* embedded_path(const struct object* object) {
  uint32_t place = object->header->embedded_path;
  int is_there = place != 0 && place < object->header->names_size;
  return is_there ? (const char*)table(object, object->header->names) + place : NULL;
}

void find_extent(const struct object* object, struct extent* to) {
  to->text = (uint32_t)object->header;
  to->text_end = object->text_end;
  to->data = object->data;
  to->data_end = object->data_end;
  to->linkage = (void*)object->linkage;
}
