/* getmntent(3X): files such as /etc/mnttab and /etc/fstab. */
#include <mntent.h>
#include <stdlib.h>
#include <string.h>

FILE* setmntent(const char* path, const char* mode) {
  return fopen(path, mode);
}
int endmntent(FILE* file) {
  if (file != NULL) fclose(file);
  return 1;
}

static char* next_word(char** rest) {
  return strtok_r(NULL, " \t\n", rest);
}

static long next_number(char** rest) {
  const char* word = next_word(rest);
  return word == NULL ? 0 : atol(word);
}

struct mntent* getmntent(FILE* file) {
  static char line[1024];
  static struct mntent entry;
  while (fgets(line, sizeof line, file) != NULL) {
    char* rest;
    line[strcspn(line, "#")] = 0;
    entry.mnt_fsname = strtok_r(line, " \t\n", &rest);
    if (entry.mnt_fsname == NULL) continue;
    entry.mnt_dir = next_word(&rest);
    entry.mnt_type = next_word(&rest);
    entry.mnt_opts = next_word(&rest);
    if (entry.mnt_opts == NULL) continue;
    entry.mnt_freq = next_number(&rest);
    entry.mnt_passno = next_number(&rest);
    entry.mnt_time = next_number(&rest);
    return &entry;
  }
  return NULL;
}

int addmntent(FILE* file, const struct mntent* entry) {
  if (fseek(file, 0, SEEK_END) < 0) return 1;
  return fprintf(file, "%s %s %s %s %d %d %ld\n", entry->mnt_fsname, entry->mnt_dir, entry->mnt_type,
                 entry->mnt_opts, entry->mnt_freq, entry->mnt_passno, entry->mnt_time) < 0;
}

/* The place of the option in the list with commas between. */
char* hasmntopt(const struct mntent* entry, const char* option) {
  size_t length = strlen(option);
  for (char* at = entry->mnt_opts;; ++at) {
    if (strncmp(at, option, length) == 0 && strchr(",=", at[length]) != NULL) return at;
    at = strchr(at, ',');
    if (at == NULL) return NULL;
  }
}
