// The break, mappings, profiling of several regions.
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/profil.h>
#include <sys/syscall.h>
#include <sys/syssgi.h>
#include <unistd.h>

extern char _end[];
int _brk(void* end);

static char* data_end = _end;

int brk(void* end) {
  if (_brk(end) != 0) return -1;
  data_end = end;
  return 0;
}

void* sbrk(long change) {
  char* old = data_end;
  if (change != 0 && brk(old + change) != 0) return (void*)-1;
  return old;
}

void* malloc(size_t size) {
  enum { ALIGNMENT = 8 };
  long padding = -(long)data_end & (ALIGNMENT - 1);
  if (size > 0x40000000) {
    errno = ENOMEM;
    return NULL;
  }
  char* memory = sbrk(padding + (long)size);
  return memory == (char*)-1 ? NULL : memory + padding;
}

#ifdef _OS_BSD44
void* _mmap(void* address, size_t length, int protection, int flags, int fd, int pad, off_t offset);

void* mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset) {
  return _mmap(address, length, protection, flags, fd, 0, offset);
}
#elif defined(_HAVE_MMAP)
#ifdef _OS_SOLARIS
enum { MAP_NEW = (int)0x80000000 };  // _MAP_NEW, which libc adds
#else
enum { MAP_NEW = 0 };
#endif
void* _mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset);

void* mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset) {
  return _mmap(address, length, protection, flags | MAP_NEW, fd, offset);
}
#endif

#ifdef _OS_IRIX
int sprofil(struct prof* regions, int count, struct timeval* tick, unsigned int flags) {
  return syssgi(SGI_SPROFIL, regions, count, tick, flags);
}
#endif
