// /proc, read as programs read it. Prints what every Linux says of such a program, or 0 for what is
// wrong.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

static char content[65536];

static int read_file(const char *path) {
  memset(content, 0, sizeof content);
  const int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  int size = 0;
  for (;;) {  // in small pieces, as stdio would
    const int count = read(file, content + size, 1000);
    if (count <= 0) break;
    size += count;
  }
  close(file);
  return size;
}

static void answer(const char *what, long result) {
  printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
}

static const char *link_of(const char *path) {
  static char target[4096];
  const ssize_t size = readlink(path, target, sizeof target - 1);
  if (size < 0) return strerror(errno);
  target[size] = 0;
  return target;
}

static void maps(void) {
  static int data = 1;
  sbrk(4096);  // so that there is a heap
  const unsigned long places[] = {(unsigned long)maps, (unsigned long)&data,
                                  (unsigned long)sbrk(0) - 1, (unsigned long)places};
  static const char *const names[] = {"text", "data", "heap", "stack"};
  char lines[4][40] = {"no text", "no data", "no heap", "no stack"};
  read_file("/proc/self/maps");
  unsigned long before = 0;
  for (char *line = strtok(content, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    unsigned long start = 0, end = 0;
    char may[5], path[200] = "";
    sscanf(line, "%lx-%lx %4s %*s %*s %*s %199s", &start, &end, may, path);
    if (start < before || end <= start) puts("regions are not in order");
    before = end;
    for (int i = 0; i < 4; ++i) {
      if (places[i] < start || places[i] >= end) continue;
      const char *const shown = path[0] == '[' ? path : strrchr(path, '/') ? "a file" : "nothing";
      snprintf(lines[i], sizeof lines[i], "%s: %c%c%c%c %.20s", names[i], may[0], may[1],
               i == 0 ? may[2] : '.', may[3], shown);
    }
  }
  for (int i = 0; i < 4; ++i) puts(lines[i]);
}

static void own_files(char **argv) {
  const int size = read_file("/proc/self/cmdline");
  printf("cmdline: %d, %s, %s\n", size == (int)(strlen(argv[0]) + 1 + strlen(argv[1]) + 1),
         content + strlen(argv[0]) + 1, strcmp(content, argv[0]) == 0 ? "name" : content);
  setenv("ADDED", "later", 1);
  read_file("/proc/self/environ");
  printf("environ: %s, mode %o\n", content, ({
           struct stat status;
           stat("/proc/self/environ", &status);
           status.st_mode & 0777u;
         }));
  prctl(PR_SET_NAME, "renamed");
  read_file("/proc/self/comm");
  printf("comm: %s", content);
  int pid = 0, parent = 0, group = 0;
  char state = 0, name[20] = "";
  read_file("/proc/self/stat");
  sscanf(content, "%d (%19[^)]) %c %d %d", &pid, name, &state, &parent, &group);
  int fields = 1;
  for (const char *at = content; *at != 0; ++at) fields += *at == ' ';
  printf("stat: %d fields, own %d, %s %c, parent %d, group %d\n", fields, pid == getpid(), name,
         state, parent == getppid(), group == getpgrp());
  read_file("/proc/self/status");
  char wanted[80];
  snprintf(wanted, sizeof wanted, "\nPid:\t%d\nPPid:\t%d\nTracerPid:\t0\nUid:\t%d\t%d\t%d\t%d\n",
           getpid(), getppid(), getuid(), geteuid(), geteuid(), geteuid());
  printf("status: %.7s, ids %d, threads %d\n", content + 6, strstr(content, wanted) != NULL,
         strstr(content, "\nThreads:\t1\n") != NULL);
  read_file("/proc/self/auxv");
  const unsigned long *const pairs = (const unsigned long *)content;
  int i = 0;
  while (pairs[i] != 0 && pairs[i] != AT_ENTRY) i += 2;
  printf("auxv: %d\n", pairs[i + 1] == getauxval(AT_ENTRY));
  unsigned long total = 0, resident = 0;
  read_file("/proc/self/statm");
  sscanf(content, "%lu %lu", &total, &resident);
  printf("statm: %d\n", resident > 0 && resident <= total);
}

static void links(char **argv) {
  char path[100], directory[1000];
  printf("exe: %d\n", strcmp(link_of("/proc/self/exe"), realpath(argv[0], directory)) == 0);
  struct stat exe, named;
  printf("through it: %d\n", stat("/proc/self/exe", &exe) == 0 && stat(argv[0], &named) == 0 &&
                                 exe.st_ino == named.st_ino && exe.st_size > 1000);
  printf("cwd: %d\n", strcmp(link_of("/proc/self/cwd"), getcwd(directory, 1000)) == 0);
  snprintf(path, sizeof path, "%d", getpid());
  printf("self: %d\n", strcmp(link_of("/proc/self"), path) == 0);
  printf("file through root: %d\n", read_file("/proc/self/root/proc/version") > 0);
  const int file = open("/proc/version", O_RDONLY);
  int ends[2];
  if (pipe(ends) != 0) puts("no pipe");
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  printf("fd: %s", link_of(path));
  snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), ends[0]);
  printf(", %.6s\n", link_of(path));
  int numbers = 0;
  DIR *const all = opendir("/proc/self/fd");
  for (const struct dirent *entry; (entry = readdir(all)) != NULL;) numbers += entry->d_name[0] != '.';
  closedir(all);
  printf("descriptors: %d\n", numbers >= 7);  // 0 to 2, the file, the pipe, the directory
}

static void others(void) {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  char path[60];
  snprintf(path, sizeof path, "/proc/%d/stat", child);
  kill(child, SIGSTOP);
  waitpid(child, NULL, WUNTRACED);
  read_file(path);
  printf("stopped: %c\n", *(strchr(content, ')') + 2));
  kill(child, SIGKILL);
  sleep(1);
  read_file(path);
  printf("ended: %c\n", *(strchr(content, ')') + 2));
  waitpid(child, NULL, 0);
  printf("gone: %d\n", open(path, O_RDONLY) < 0 && errno == ENOENT);
  int processes = 0, named = 0;
  DIR *const all = opendir("/proc");
  for (const struct dirent *entry; (entry = readdir(all)) != NULL;) {
    processes += strspn(entry->d_name, "0123456789") == strlen(entry->d_name);
    named += strcmp(entry->d_name, "meminfo") == 0 || strcmp(entry->d_name, "self") == 0;
  }
  closedir(all);
  printf("processes: %d, files %d\n", processes > 0, named);
  snprintf(path, sizeof path, "/proc/self/task/%d/comm", getpid());
  read_file(path);
  printf("task: %s", content);
}

static volatile int secret = 4711;
static const volatile int fixed[4096] = {1, 2};

static int file_at(int memory, volatile const void *place, int *value) {
  return pread64(memory, value, sizeof *value, (off64_t)(unsigned long)place) == sizeof *value;
}

static void own_memory(void) {
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  struct stat status;
  if (memory < 0 || fstat(memory, &status) != 0) puts("no memory");
  printf("memory: mode %o, size %d\n", status.st_mode, (int)status.st_size);
  int value = 0, local = 12;
  printf("reads: %d", file_at(memory, &secret, &value) && value == 4711);
  printf(" %d\n", file_at(memory, &local, &value) && value == 12);
  value = 5;
  const off64_t place = (off64_t)(unsigned long)&secret;
  printf("seeks: %d", lseek64(memory, place, SEEK_SET) == place);
  printf(", writes %d", write(memory, &value, sizeof value) == sizeof value && secret == 5);
  printf(", then %d\n", lseek64(memory, 0, SEEK_CUR) == place + (off64_t)sizeof value);
  value = 77;
  const off64_t constant = (off64_t)(unsigned long)&fixed[1];
  printf("writes what is read-only: %d\n",
         pwrite64(memory, &value, sizeof value, constant) == sizeof value && fixed[1] == 77);
  answer("nowhere", pread64(memory, &value, sizeof value, 16));
  answer("writing nowhere", pwrite64(memory, &value, sizeof value, 16));
  answer("seeking from an end", lseek64(memory, 0, SEEK_END));
  void *volatile bad = (void *)16;
  answer("to a bad buffer", pread64(memory, bad, 4, place));
  const long page = sysconf(_SC_PAGESIZE);
  char *const two = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(two + page, (size_t)page);
  static char bytes[64];
  printf("up to a hole: %d\n",
         (int)pread64(memory, bytes, sizeof bytes, (off64_t)(unsigned long)(two + page - 10)));
  char *const shared = mmap(NULL, (size_t)page, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  answer("read-only and shared", pwrite64(memory, &value, 4, (off64_t)(unsigned long)shared));
  close(memory);
  const int only = open("/proc/self/mem", O_RDONLY);
  answer("open for reading", pwrite64(only, &value, sizeof value, place));
  close(only);
}

static void memory_of_others(void) {
  int go[2];
  char path[60], byte;
  if (pipe(go) != 0) puts("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(go[1]);
    if (read(go[0], &byte, 1) != 0) _exit(1);
    _exit(secret);
  }
  close(go[0]);
  snprintf(path, sizeof path, "/proc/%d/task/%d/mem", child, child);
  const int memory = open(path, O_RDWR);
  int value = 0;
  printf("a child's: %d", file_at(memory, &secret, &value) && value == 5);
  value = 21;
  pwrite64(memory, &value, sizeof value, (off64_t)(unsigned long)&secret);
  close(go[1]);
  int end = 0;
  waitpid(child, &end, 0);
  printf(", changed %d, own %d", WEXITSTATUS(end), secret);
  printf(", after its end %d\n", (int)pread64(memory, &value, 4, (off64_t)(unsigned long)&secret));
  close(memory);
}

// What is mounted last on / is what statfs(2) tells of, by include/uapi/linux/magic.h.
static void root_file_system(void) {
  static const struct {
    const char *name;
    unsigned long magic;
  } known[] = {{"ext2", 0xef53},         {"ext3", 0xef53},       {"ext4", 0xef53},
               {"overlay", 0x794c7630}, {"tmpfs", 0x01021994}, {"rootfs", 0x01021994},
               {"rootfs", 0x858458f6},  {"btrfs", 0x9123683e}, {"xfs", 0x58465342}};
  struct statfs of_root;
  int matches = 0;
  char type[32] = "", mount[256], *line = content;
  for (; line != NULL && *line != 0; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    char place[256] = "";
    sscanf(line, "%255s %255s", mount, place);
    if (strcmp(place, "/") == 0) sscanf(line, "%*s %*s %31s", type);
  }
  statfs("/", &of_root);
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    matches |= strcmp(type, known[i].name) == 0 && (unsigned long)of_root.f_type == known[i].magic;
  }
  printf("root's type: %d\n", matches);
}

static void machine(void) {
  struct utsname names;
  char line[200];
  uname(&names);
  snprintf(line, sizeof line, "Linux version %s", names.release);
  read_file("/proc/version");
  printf("version: %d\n", strncmp(content, line, strlen(line)) == 0);
  read_file("/proc/sys/kernel/hostname");
  printf("hostname: %d\n", strncmp(content, names.nodename, strlen(names.nodename)) == 0);
  unsigned long total = 0;
  struct sysinfo info;
  sysinfo(&info);
  read_file("/proc/meminfo");
  sscanf(content, "MemTotal: %lu kB", &total);
  printf("meminfo: %d\n", total == info.totalram / 1024 * info.mem_unit);
  double up = -1, idle = -1;
  read_file("/proc/uptime");
  sscanf(content, "%lf %lf", &up, &idle);
  printf("uptime: %d\n", up >= 0 && idle >= 0 && idle <= up);
  read_file("/proc/loadavg");
  int running = -1, threads = -1, last = -1;
  sscanf(content, "%*f %*f %*f %d/%d %d", &running, &threads, &last);
  printf("loadavg: %d\n", running > 0 && running <= threads && last >= getpid());
  read_file("/proc/stat");
  printf("stat: %.5s, boot %d\n", content, strstr(content, "\nbtime ") != NULL);
  read_file("/proc/cpuinfo");
  printf("cpuinfo: %d\n", strstr(content, "processor") != NULL);
  read_file("/proc/mounts");
  printf("mounts: %d\n", strstr(content, " /proc proc ") != NULL);
  read_file("/proc/self/mountinfo");
  unsigned major = 9, minor = 9;
  struct stat root;
  stat("/", &root);
  sscanf(content, "%*d %*d %u:%u / / ", &major, &minor);
  printf("mountinfo: %d %d\n", strstr(content, " - proc proc ") != NULL, makedev(major, minor) == root.st_dev);
  read_file("/proc/mounts");
  root_file_system();
  read_file("/proc/filesystems");
  printf("filesystems: %d\n", strstr(content, "\tproc\n") != NULL);
}

static void refusals(void) {
  struct stat status;
  if (getuid() != 0) answer("write", open("/proc/version", O_WRONLY));
  answer("create", open("/proc/new", O_WRONLY | O_CREAT, 0666));
  answer("mkdir", mkdir("/proc/new", 0777));
  answer("unlink", unlink("/proc/version"));
  answer("nothing", stat("/proc/self/nothing", &status));
  answer("below a file", stat("/proc/version/x", &status));
  answer("leading zero", stat("/proc/0100", &status));
  answer("version", stat("/proc/version", &status));
  printf("mode %o\n", status.st_mode);
  answer("chdir", chdir("/proc/self/task"));
  answer("from there", stat("../status", &status));
}

// Of a script, whose interpreter this program is.
static void script(const char *program) {
  char folder[] = "/tmp/proc.XXXXXX", path[60];
  if (mkdtemp(folder) == NULL) return;
  snprintf(path, sizeof path, "%s/a-script-of-proc", folder);
  FILE *const file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "#!%s from-script\n", program);
  fclose(file);
  chmod(path, 0755);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execl(path, "whatever", (char *)NULL);
    _exit(1);
  }
  waitpid(child, NULL, 0);
  remove(path);
  rmdir(folder);
}

static void tell_name(void) {
  read_file("/proc/self/comm");
  printf("a script's comm: %s", content);
  fflush(stdout);
  if (fork() != 0) {
    wait(NULL);
    return;
  }
  read_file("/proc/self/comm");
  printf("its child's: %s", content);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "from-script") == 0) {
    tell_name();
    return 0;
  }
  if (argc < 2) {
    char *const arguments[] = {argv[0], "an argument", NULL}, *const environment[] = {"ONE=1", NULL};
    execve("/proc/self/exe", arguments, environment);
    return 1;
  }
  maps();
  own_files(argv);
  links(argv);
  others();
  own_memory();
  memory_of_others();
  script(realpath("/proc/self/exe", NULL));
  machine();
  refusals();
  return 0;
}
