/* The loader's own relocation. Nothing here may use data or call through the linkage table. */
#include "loader.h"

/* Through registers alone; a call of system_call() is within the text. */
static uint32_t new_memory(size_t bytes) {
  enum { sys_mmap = 71, read_write_execute = 7, private_anonymous = 0x12 };
  return system_call(0, bytes, read_write_execute, private_anonymous, -1, 0, sys_mmap);
}

/* Addresses are those that the link editor gave: text in the first quadrant, data in the second. */
static uint32_t moved(uint32_t address, uint32_t text_delta, uint32_t data_delta) {
  return address == 0 ? 0 : address + (address < data_quadrant ? text_delta : data_delta);
}

/* Makes the data, and returns the linkage pointer. */
uint32_t bootstrap(uint32_t text) {
  enum { linked_text = 0x1000, linked_data = 0x40001000 };
  const struct loader_header* header = (const struct loader_header*)text;
  const struct trailer* trailer = (const struct trailer*)(header + 1);
  uint32_t data = new_memory(trailer->memory_size);
  uint32_t text_delta = text - linked_text, data_delta = data - linked_data;
  const uint32_t* from = (const uint32_t*)(text + trailer->start);
  volatile uint32_t* to = (volatile uint32_t*)data; /* or GCC would call memcpy() */
  for (uint32_t i = 0; i < (trailer->file_size + 3) / 4; ++i) to[i] = from[i];
  volatile uint32_t* dlt = (volatile uint32_t*)(data + header->dlt);
  for (uint32_t i = 0; i < header->dlt_count; ++i) dlt[i] = moved(dlt[i], text_delta, data_delta);
  volatile uint32_t* plt = (volatile uint32_t*)(data + header->plt);
  for (uint32_t i = 0; i < 2 * header->plt_count; ++i) {
    plt[i] = moved(plt[i], text_delta, data_delta);
  }
  const struct dynamic_record* dynamic =
      (const struct dynamic_record*)(text + header->dynamic_list);
  for (uint32_t i = 0; i < header->dynamic_count; ++i) {
    volatile uint32_t* place = (volatile uint32_t*)(data + dynamic[i].location);
    *place = moved(dynamic[i].value, text_delta, data_delta);
  }
  return data + header->linkage_pointer;
}
