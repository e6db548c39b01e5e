/* Entries with a type, which HP-UX's have not: it is not known. */
#pragma once
#include_next <dirent.h>
#include <string.h>
enum { DT_UNKNOWN = 0, DT_DIR = 4, DT_REG = 8, DT_LNK = 10 };
struct _hc_typed_entry {
  unsigned char d_type;
  char d_name[256];
};
static inline struct _hc_typed_entry* _hc_read_typed(DIR* directory) {
  static struct _hc_typed_entry entry;
  const struct dirent* found = readdir(directory);
  if (found == NULL) return NULL;
  strcpy(entry.d_name, found->d_name);
  return &entry;
}
#define dirent _hc_typed_entry
#define readdir _hc_read_typed
