#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <hardclock/system.h>
#include <sys/types.h>

#ifdef _HAVE_MMAP
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
/* IRIX and Solaris 2.5 have no anonymous mappings but those of /dev/zero. */
#if defined(_OS_HPUX)
#define MAP_FIXED 0x4
#define MAP_ANONYMOUS 0x10
#elif defined(_OS_AIX)
#define MAP_FIXED 0x100
#define MAP_ANONYMOUS 0x10
#else
#define MAP_FIXED 0x10
#if defined(_OS_BSD44)
#define MAP_ANON 0x1000
#elif defined(_OS_SOLARIS) && !defined(_OS_SOLARIS25)
#define MAP_ANON 0x100
#endif
#endif
#define MAP_FAILED ((void *)-1)

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
int munmap(void *address, size_t length);
int mprotect(void *address, size_t length, int protection);
#endif

#endif
