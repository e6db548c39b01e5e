#pragma once
#include <sys/types.h>
int access(const char*, int), chdir(const char*), close(int), dup(int), dup2(int, int), isatty(int);
int execv(const char*, char*const*), execve(const char*, char*const*, char*const*);
int execvp(const char*, char*const*), execl(const char*, const char*, ...);
int execlp(const char*, const char*, ...), execle(const char*, const char*, ...);
int pipe(int*), unlink(const char*), rmdir(const char*), pause(void),
    link(const char*, const char*);
int gethostname(char*, size_t), getopt(int, char*const*, const char*), brk(void*), fsync(int);
int getpagesize(void), readlink(const char*, char*, size_t), symlink(const char*, const char*);
void _exit(int) __attribute__((noreturn)), *sbrk(int);
pid_t fork(void), vfork(void), getpid(void), getppid(void), setpgrp(void), getpgrp(void), setsid(void);
int setreuid(uid_t, uid_t), setregid(gid_t, gid_t);
uid_t getuid(void), geteuid(void);
gid_t getgid(void), getegid(void);
off_t lseek(int, off_t, int);
#if __SIZEOF_LONG__ == 4 /* lseek(2), open(2) of large files */
long long __lseek64(int, long long, int);
#endif
ssize_t read(int, void*, size_t), write(int, const void*, size_t);
ssize_t pread(int, void*, size_t, off_t), pwrite(int, const void*, size_t, off_t);
unsigned alarm(unsigned), sleep(unsigned);
void swab(const void*, void*, ssize_t);
char *crypt(const char*, const char*), *getpass(const char*);
char *getcwd(char*, size_t), *getwd(char*), *ttyname(int), *getlogin(void);
extern char **environ, *optarg;
extern int optind, opterr, optopt;
