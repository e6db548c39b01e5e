// The names in a directory. Not for the o32 and n32 of QEMU, whose programs cannot take the offsets
// that the 64-bit directories of a host have.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const struct dirent** a, const struct dirent** b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

int main(void) {
  mkdir("folder", 0755);
  mkdir("folder/empty", 0755);
  close(open("folder/file", O_CREAT | O_WRONLY, 0644));
  close(open("folder/a-much-longer-name-that-takes-another-eight-bytes", O_CREAT | O_WRONLY, 0644));
  if (symlink("file", "folder/link") != 0) perror("symlink");
  struct dirent** names;
  int count = scandir("folder", &names, NULL, by_name);
  for (int i = 0; i < count; ++i) printf("name %s type %d\n", names[i]->d_name, names[i]->d_type);
  DIR* directory = opendir("folder");
  readdir(directory);
  rewinddir(directory);
  count = 0;
  while (readdir(directory) != NULL) ++count;
  printf("after rewinding %d\n", count);
  closedir(directory);
  unlink("folder/file");
  unlink("folder/link");
  unlink("folder/a-much-longer-name-that-takes-another-eight-bytes");
  rmdir("folder/empty");
  printf("rmdir %d\n", rmdir("folder"));
  return 0;
}
