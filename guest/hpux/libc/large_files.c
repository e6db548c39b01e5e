/* Of 32-bit programs: files with offsets of 64 bits, as 64-bit programs have them anyway. open(2) with
 * O_LARGEFILE (glibc's number for PA-RISC); streams have such offsets always. */
#include "kernel.h"
#include "stream.h"
#if __SIZEOF_LONG__ == 4
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

#define OPEN(name)                                  \
  int name(const char* path, int flags, ...) {      \
    va_list rest;                                   \
    va_start(rest, flags);                          \
    int mode = flags & O_CREAT ? va_arg(rest, int) : 0; \
    va_end(rest);                                   \
    return open(path, flags | O_LARGEFILE, mode);   \
  }
OPEN(open64)
OPEN(__open64)

int creat64(const char* path, int mode) {
  return open64(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
int __creat64(const char* path, int mode) {
  return creat64(path, mode);
}

#define STREAMS(name)                                                               \
  FILE* name##fopen64(const char* path, const char* mode) { return fopen(path, mode); } \
  FILE* name##freopen64(const char* path, const char* mode, FILE* stream) {         \
    return freopen(path, mode, stream);                                             \
  }                                                                                 \
  FILE* name##tmpfile64(void) { return tmpfile(); }                                 \
  long long name##ftello64(FILE* stream) { return _hc_tell(stream); }               \
  int name##fseeko64(FILE* stream, long long offset, int whence) {                  \
    return _hc_seek(stream, offset, whence);                                        \
  }                                                                                 \
  int name##fgetpos64(FILE* stream, long long* place) {                             \
    return (*place = _hc_tell(stream)) < 0 ? -1 : 0;                                \
  }                                                                                 \
  int name##fsetpos64(FILE* stream, const long long* place) {                       \
    return _hc_seek(stream, *place, SEEK_SET);                                      \
  }
STREAMS()
STREAMS(__)

int __ftruncate64(int, long long);

int prealloc64(int file, long long size) {
  return _hc_is_new(file) ? __ftruncate64(file, size) : -1;
}
int __prealloc64(int file, long long size) {
  return prealloc64(file, size);
}
#endif
