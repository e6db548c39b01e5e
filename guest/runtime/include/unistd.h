/* System calls. A function returns what section 2 of the manual says; -1 with errno for an error.
   Only what the system has is declared. */
#ifndef _UNISTD_H
#define _UNISTD_H

#include <hardclock/system.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

extern char **environ;

void _exit(int status) __attribute__((noreturn));
ssize_t read(int fd, void *buffer, size_t size);
ssize_t write(int fd, const void *buffer, size_t size);
int close(int fd);
int unlink(const char *path);
int pipe(int fds[2]);
pid_t fork(void);
#ifdef _HAVE_VFORK
pid_t vfork(void) __attribute__((returns_twice));
#endif
int execve(const char *path, char *const argv[], char *const envp[]);
int execv(const char *path, char *const argv[]);
pid_t getpid(void);
pid_t getppid(void);
#ifndef _OS_AIX
off_t lseek(int fd, off_t offset, int whence);
int dup(int fd);
uid_t getuid(void);
gid_t getgid(void);
#endif
#ifdef _HAVE_ALARM
unsigned int alarm(unsigned int seconds);
int pause(void);
#endif
/* The library remembers the end of the data: sbrk() moves it, brk() sets it. */
int brk(void *end);
void *sbrk(long change);

/* The buffer holds unsigned shorts; it is a plain address here because the systems declare it as
   char *, short * or unsigned short *. What the arguments mean is profil(2) of the system. */
int profil(void *buffer, unsigned int size, unsigned long offset, unsigned int scale);

#endif
