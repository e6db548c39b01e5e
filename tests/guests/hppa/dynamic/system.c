/* What the C library asks of the kernel, and the layouts that a program knows of it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <iconv.h>
#include <langinfo.h>
#include <netdb.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/pstat.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static int checks;

/* In programs of 32 and of 64 bits. */
#define EITHER(of_32, of_64) (sizeof(long) == 8 ? (of_64) : (of_32))

static void check(int ok, const char *what) { printf("%sok %d - %s\n", ok ? "" : "not ", ++checks, what); }

static void check_files(void) {
  struct stat status;
  int file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0640);
  check(write(file, "0123456789", 10) == 10 && lseek(file, -4, SEEK_END) == 6, "write() and lseek()");
  check(fstat(file, &status) == 0 && status.st_size == 10 && (status.st_mode & 0777) == 0640, "struct stat");
  check(sizeof status == EITHER(104, 160) && status.st_nlink == 1 && status.st_uid == getuid(), "its later members");
  struct utimbuf times = {100000000, 200000000};
  check(utime("f", &times) == 0 && stat("f", &status) == 0 && status.st_mtime == 200000000, "utime()");
  close(file);
  check(access("f", 0) == 0 && rename("f", "g") == 0 && access("f", 0) < 0 && errno == ENOENT, "rename(), access()");
  check(mkdir("d", 0755) == 0 && close(creat("d/inner", 0644)) == 0, "mkdir(), creat()");
  char here[512], inner[512];
  check(getcwd(here, sizeof here) != NULL && chdir("d") == 0 && getcwd(inner, sizeof inner) != NULL && strcmp(inner + strlen(here), "/d") == 0 && chdir("..") == 0, "getcwd()");
  DIR *directory = opendir("d");
  int found = 0, count = 0;
  for (struct dirent *each; (each = readdir(directory)) != NULL; ++count) found += strcmp(each->d_name, "inner") == 0;
  check(found == 1 && count == 3 && closedir(directory) == 0, "readdir()");
  check(opendir("g") == NULL && errno == ENOTDIR, "opendir() of a file");
  check(remove("d/inner") == 0 && remove("d") == 0 && remove("g") == 0, "remove()");
  char name[] = "tXXXXXX";
  check(strcmp(mktemp(name), "tXXXXXX") != 0 && strlen(name) == 7, "mktemp()");
  FILE *temporary = tmpfile();
  fputs("kept", temporary);
  rewind(temporary);
  char text[8] = "";
  check(fread(text, 1, 8, temporary) == 4 && strcmp(text, "kept") == 0, "tmpfile()");
  fclose(temporary);
}

/* statvfs(2): "f_size: size of file system in f_frsize unit". */
static void check_file_system(void) {
  struct statvfs named = {.f_namemax = 1}, open_one;
  check(statvfs(".", &named) == 0 && named.f_frsize > 0 && named.f_size == named.f_blocks && named.f_bfree < named.f_blocks && named.f_bavail <= named.f_bfree, "statvfs()");
  check(named.f_favail <= named.f_files && named.f_namemax == 255 && strlen(named.f_basetype) > 0 && named.f_fstr[0] == 0, "its other members");
  int file = creat("v", 0600);
  check(fstatvfs(file, &open_one) == 0 && memcmp(&open_one, &named, sizeof named) == 0, "fstatvfs()");
#if __SIZEOF_LONG__ == 4
  struct statvfs64 wide, other;
  check(statvfs64(".", &wide) == 0 && wide.f_blocks == named.f_blocks && wide.f_bavail == named.f_bavail && wide.f_ffree == named.f_ffree, "statvfs64()");
  check(wide.f_frsize == named.f_frsize && wide.f_fsid == named.f_fsid && wide.f_namemax == 255 && fstatvfs64(file, &other) == 0 && memcmp(&other, &wide, offsetof(struct statvfs64, f_time)) == 0, "fstatvfs64()");
#endif
  close(file);
  unlink("v");
  check(fstatvfs(file, &open_one) == -1 && errno == EBADF && statvfs("v", &named) == -1 && errno == ENOENT, "no such file");
}

/* pstat(2): "The elemcount parameter must be 1. The index parameter must be 0." */
static void check_system_status(void) {
  struct pst_static fixed;
  struct {
    struct pst_dynamic status;
    char behind[4];
  } now = {.behind = "end"};
  check(pstat_getstatic(&fixed, sizeof fixed, 1, 0) == 1 && fixed.page_size == getpagesize() && fixed.physical_memory > 256 && fixed.boot_time <= time(NULL), "pstat_getstatic()");
  check(pstat_getstatic(&fixed, sizeof fixed, 2, 0) == -1 && errno == EINVAL && pstat_getstatic(&fixed, sizeof fixed, 1, 1) == -1, "there is one");
  check(pstat_getdynamic(&now.status, sizeof now.status, 1, 0) == 1 && now.status.psd_proc_cnt == 1 && strcmp(now.behind, "end") == 0, "pstat_getdynamic()");
  check(now.status.psd_free > 0 && now.status.psd_free <= fixed.physical_memory && now.status.psd_avg_1_min == 0, "what is free of the memory");
}

/* getmsg(2), putmsg(2): "ENOSTR: fildes is not associated with a stream". */
static void check_streams(void) {
  int flags = 0, file = creat("s", 0600);
  struct strbuf data = {0};
  check(getmsg(file, NULL, &data, &flags) == -1 && errno == ENOSTR && putmsg(file, NULL, &data, 0) == -1 && isastream(file) == 0, "a file is no stream");
  close(file);
  unlink("s");
  check(getmsg(file, NULL, &data, &flags) == -1 && errno == EBADF && isastream(file) == -1, "nor is a closed one");
}

/* getc() and putc() as HP's <stdio.h> has them. */
#define GETC(p) (--(p)->__cnt < 0 ? __filbuf(p) : (int)*(p)->__ptr++)
#define PUTC(c, p) (--(p)->__cnt < 0 ? __flsbuf((unsigned char)(c), (p)) : (int)(*(p)->__ptr++ = (unsigned char)(c)))

static void check_macros(void) {
  FILE *out = fopen("m", "w");
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) wrong += PUTC(i, out) != (i & 255);
  check(wrong == 0 && fclose(out) == 0, "putc(), the macro");
  FILE *in = fopen("m", "r");
  for (int i = 0; i < 20000; ++i) wrong += GETC(in) != (i & 255);
  check(wrong == 0 && GETC(in) == EOF && (in->__flag & _IOEOF) && sizeof(FILE) == EITHER(16, 32), "getc(), the macro");
  fclose(in);
  unlink("m");
}

static int handled;
static void handle(int number) { handled = number; }

static void check_processes(void) {
  int ends[2], status;
  check(pipe(ends) == 0, "pipe()");
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    write(1, "child", 5);
    _exit(getppid() > 0 ? 3 : 4);
  }
  char text[8] = "";
  check(wait(&status) == child && status == 3 << 8, "fork() and wait()");
  child = fork();
  if (child == 0) _exit(setsid() == getpid() && getpgrp() == getpid() ? 5 : 6);
  check(wait(&status) == child && status == 5 << 8, "setsid()");
  check(setreuid(-1, getuid()) == 0 && geteuid() == getuid() && setregid(-1, getgid()) == 0, "setreuid(), setregid()");
  check(read(ends[0], text, 8) == 5 && strcmp(text, "child") == 0, "a pipe's bytes");
  check(signal(SIGUSR1, handle) == SIG_DFL && kill(getpid(), SIGUSR1) == 0 && handled == SIGUSR1, "signal()");
  check(signal(SIGUSR1, SIG_IGN) == SIG_DFL, "its handler was called once, as in System V");
  check(raise(SIGUSR1) == 0, "SIG_IGN");
  check(putenv("NEW=value") == 0 && strcmp(getenv("NEW"), "value") == 0, "putenv()");
  time_t now;
  check(time(&now) == now && now > 0 && clock() < 1000000, "time()");
  char *start = sbrk(0);
  check(sbrk(4096) == start && sbrk(0) == start + 4096, "sbrk()");
  char name[64];
  check(gethostname(name, sizeof name) == 0 && name[0] != 0, "gethostname()");
  struct hostent *host = gethostbyname("127.0.0.1");
  check(host != NULL && host->h_length == 4 && memcmp(host->h_addr_list[0], "\177\0\0\1", 4) == 0, "gethostbyname()");
}

static void check_accounts(void) {
  check(getpwnam("daemon") != NULL && getpwnam("daemon")->pw_uid == 7, "getpwnam()");
  struct passwd *user = getpwuid(7);
  check(user != NULL && strcmp(user->pw_dir, "/daemon") == 0 && strcmp(user->pw_shell, "/bin/no") == 0, "getpwuid()");
  check(getpwuid(99) == NULL, "getpwuid() of nobody");
  struct group *group = getgrgid(5);
  check(group != NULL && strcmp(group->gr_name, "lp") == 0 && strcmp(group->gr_mem[1], "two") == 0 && group->gr_mem[2] == NULL, "getgrgid()");
}

static void check_services(void) {
  struct servent *service = getservbyname("http", "tcp");
  check(service != NULL && service->s_port == 80 && strcmp(service->s_name, "www") == 0, "getservbyname() of another name");
  service = getservbyport(53, "udp");
  check(service != NULL && strcmp(service->s_name, "domain") == 0, "getservbyport()");
  setservent(0);
  int count = 0;
  while (getservent() != NULL) ++count;
  endservent();
  check(count == 3, "getservent()");
}

/* The code set of the C locale is one that iconv() knows. */
static void check_codeset(void) {
  iconv_t conversion = iconv_open("utf8", nl_langinfo(CODESET));
  char text[] = "\xd1", made[8] = "", *from = text, *to = made;
  size_t left = 1, room = 8;
  check(iconv(conversion, &from, &left, &to, &room) == 0 && strcmp(made, "\303\256") == 0 && iconv_close(conversion) == 0, "nl_langinfo(), iconv()");
  check(iconv_open("iso8859_1", "roman8") != (iconv_t)-1 && iconv_open("ucs2", "utf8") == (iconv_t)-1, "iconv_open()");
}

int profil(unsigned short *, size_t, size_t, unsigned);

/* Some ticks of 10 ms; processors for IA-64 are faster. */
#ifdef __ia64__
enum { steps = 8000000 };
#else
enum { steps = 1500000 };
#endif

__attribute__((noinline)) static void work(void) {
  for (volatile int i = 0; i < steps; ++i) continue;
}

/* Where a function's code is, by a pointer to it: a procedure label, a descriptor. */
static size_t code_of(void (*function)(void)) {
#if defined __ia64__
  return *(unsigned long long *)function;
#elif __SIZEOF_POINTER__ == 8
  return ((size_t *)function)[2];
#else
  size_t label = (size_t)function;
  return label & 2 ? *(size_t *)(label - 2) : label;
#endif
}

/* profil(2) charges the program's own loop. */
static void check_profil(void) {
  static unsigned short counts[256];
  profil(counts, sizeof counts, code_of(work), 0xffff);
  work();
  profil(counts, 0, 0, 0);
  int sum = 0;
  for (int i = 0; i < 256; ++i) sum += counts[i];
  check(sum > 0, "profil()");
}

static void at_end(void) {
  write(1, "# end\n", 6);
}

int main(int count, char **arguments) {
  atexit(at_end);
  if (count > 1) { /* what a terminal, or a pipe, sees */
    fprintf(stderr, "%s and %d\n", arguments[1], 2);
    return 0;
  }
  check_files();
  check_file_system();
  check_system_status();
  check_streams();
  check_macros();
  check_processes();
  check_accounts();
  check_services();
  check_codeset();
  check_profil();
  printf("1..%d\n", checks);
  return 0;
}
