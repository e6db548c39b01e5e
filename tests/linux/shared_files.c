// /dev/shm (shm_overview(7)): a file system of its own, where shm_open(3) and sem_open(3) keep their
// objects. Names have the process's number and a moment: under QEMU others use the directory, too,
// some of them in containers with the same numbers.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char inside[100], other[100], object[100], semaphore_name[100];

static void print(const char* what, long result) {
  if (result < 0)
    printf("%s: %s\n", what, strerror(errno));
  else
    printf("%s: %ld\n", what, result);
}

static dev_t device_of(const char* path) {
  struct stat status;
  if (lstat(path, &status) != 0) perror(path);
  return status.st_dev;
}

static void look(void) {
  struct stat status, of_dev;
  struct statfs file_system;
  if (stat("/dev/shm", &status) != 0 || stat("/dev", &of_dev) != 0) perror("/dev/shm");
  printf("mode %o, as the working directory %d, as /dev %d\n", (unsigned)status.st_mode,
         status.st_dev == device_of("."), status.st_dev == of_dev.st_dev);
  print("statfs", statfs("/dev/shm", &file_system));
  printf("type %lx, blocks of %ld, names of %ld\n", (unsigned long)file_system.f_type,
         (long)file_system.f_bsize, (long)file_system.f_namelen);
  print("statfs of the working directory", statfs(".", &file_system));
  printf("the same type %d\n", file_system.f_type == 0x01021994);
}

static void cross(void) {
  struct stat status;
  struct statfs file_system;
  const int file = open(inside, O_CREAT | O_EXCL | O_RDWR, 0640);
  print("create", file >= 0 ? 0 : -1);
  print("write", write(file, "inside\n", 7));
  if (fstat(file, &status) != 0) perror("fstat");
  printf("mode %o, size %ld, device of the directory %d\n", (unsigned)status.st_mode, (long)status.st_size,
         status.st_dev == device_of("/dev/shm"));
  print("fstatfs", fstatfs(file, &file_system));
  printf("type %lx\n", (unsigned long)file_system.f_type);
  close(file);
  close(open("outside", O_CREAT | O_RDWR, 0644));
  print("rename out", rename(inside, "moved"));
  print("rename in", rename("outside", other));
  print("link out", link(inside, "moved"));
  print("link in", link("outside", other));
  print("link inside", link(inside, other));
  print("rename inside", rename(other, object));
  print("symbolic link", symlink(inside, "link"));
  print("through it", access("link", R_OK));
  char bytes[20] = "";
  const int linked = open("link", O_RDONLY);
  print("read", read(linked, bytes, sizeof bytes));
  fputs(bytes, stdout);
  close(linked);
  unlink("link");
  unlink("outside");
  unlink(inside);
  unlink(object);
}

static void use_directories(void) {
  char below[120];
  snprintf(below, sizeof below, "%s/below", inside);
  print("mkdir", mkdir(inside, 0755));
  print("mkdir below", mkdir(below, 0755));
  print("same device", device_of(below) == device_of("/dev/shm"));
  print("chdir", chdir(below));
  char here[200];
  printf("getcwd is it %d\n", getcwd(here, sizeof here) != NULL && strcmp(here, below) == 0);
  print("relative", device_of(".") == device_of("/dev/shm"));
  print("above", device_of("../../..") == device_of("/dev/shm"));
  print("FIFO", mkfifo("fifo", 0600));
  print("its device", device_of("fifo") == device_of("/dev/shm"));
  unlink("fifo");
  chdir("/");
  DIR* const directory = opendir("/dev/shm");
  int is_listed = 0;
  for (struct dirent* entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    is_listed += strcmp(entry->d_name, inside + strlen("/dev/shm/")) == 0;
  }
  if (directory != NULL) closedir(directory);
  print("listed", is_listed);
  print("rmdir of what is full", rmdir(inside));
  print("rmdir below", rmdir(below));
  print("rmdir", rmdir(inside));
  print("make the directory itself", mkdir("/dev/shm", 0755));
}

static void share_memory(void) {
  const char* const name = object + strlen("/dev/shm");
  print("shm_open of none", shm_open(name, O_RDWR, 0));
  const int file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
  print("shm_open", file >= 0 ? 0 : -1);
  print("again", shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600));
  print("size", ftruncate(file, 8192));
  int* const numbers = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  print("map", numbers == MAP_FAILED ? -1 : 0);
  if (numbers == MAP_FAILED) return;
  if (fork() == 0) {
    const int mine = shm_open(name, O_RDWR, 0);
    int* const same = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, mine, 0);
    if (same != MAP_FAILED) same[1500] = 42;
    _exit(0);
  }
  wait(NULL);
  print("the child's number", numbers[1500]);
  print("shm_unlink", shm_unlink(name));
  print("shm_unlink again", shm_unlink(name));
  print("still mapped", numbers[1500]);
}

static void share_semaphore(void) {
  const char* const name = semaphore_name;
  sem_t* const semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  print("sem_open", semaphore == SEM_FAILED ? -1 : 0);
  if (semaphore == SEM_FAILED) return;
  if (fork() == 0) {
    sem_t* const same = sem_open(name, 0);
    _exit(same == SEM_FAILED ? 1 : sem_post(same) != 0);
  }
  print("sem_wait", sem_wait(semaphore));
  int status = -1;
  wait(&status);
  print("the child", status);
  print("sem_unlink", sem_unlink(name));
}

int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const int process = getpid();
  const long moment = now.tv_nsec;
  snprintf(inside, sizeof inside, "/dev/shm/hc-in-%d-%ld", process, moment);
  snprintf(other, sizeof other, "/dev/shm/hc-other-%d-%ld", process, moment);
  snprintf(object, sizeof object, "/dev/shm/hc-object-%d-%ld", process, moment);
  snprintf(semaphore_name, sizeof semaphore_name, "/hc-sem-%d-%ld", process, moment);
  umask(022);
  look();
  cross();
  use_directories();
  share_memory();
  fflush(stdout);
  share_semaphore();
  return 0;
}
