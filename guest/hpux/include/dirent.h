/* HP-UX Reference, directory(3C). In 64-bit programs ino_t has 64 bits, as that of struct stat. */
#pragma once
#include <sys/types.h>
struct dirent {
  ino_t d_ino;
  short d_reclen, d_namlen;
  char d_name[256];
};
typedef struct _dirdesc DIR;
DIR* opendir(const char*);
struct dirent* readdir(DIR*);
int readdir_r(DIR*, struct dirent*, struct dirent**);
int closedir(DIR*), getdirentries(int, char*, size_t, off_t*);
long telldir(DIR*);
void seekdir(DIR*, long), rewinddir(DIR*);
int scandir(const char*, struct dirent***, int (*)(const struct dirent*),
            int (*)(const struct dirent**, const struct dirent**));
int alphasort(const struct dirent**, const struct dirent**);
