// Set-id and sticky bits, which chmod(2) gives and a write takes back; what a directory without them refuses.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_mode(const char* what) {
  struct stat status;
  if (stat("thing", &status) != 0)
    printf("%s: errno %d\n", what, errno);
  else
    printf("%s: %o\n", what, (unsigned)status.st_mode);
}

static void change(const char* what, mode_t mode) {
  if (chmod("thing", mode) != 0) printf("chmod: errno %d\n", errno);
  print_mode(what);
}

static void print_child(const char* name) {
  struct stat status, parent;
  stat(name, &status);
  stat("thing", &parent);
  printf("%s: %o, group of its directory %d\n", name, (unsigned)status.st_mode, status.st_gid == parent.st_gid);
}

static void test_directory(void) {
  umask(0);
  mkdir("thing", 01755);
  print_mode("mkdir with sticky");
  rmdir("thing");
  mkdir("thing", 07777);
  print_mode("mkdir with all");
  change("setgid", 02775);
  mkdir("thing/inner", 0700);
  print_child("thing/inner");
  close(open("thing/file", O_CREAT | O_WRONLY, 0600));
  print_child("thing/file");
  change("not", 0755);
  print_child("thing/inner");
  change("setuid", 04711);
  change("sticky", 01777);
  int folder = open("thing", O_RDONLY);
  fchmod(folder, 03770);
  print_mode("fchmod");
  close(folder);
  printf("rename %d\n", rename("thing/file", "thing/other"));
  unlink("thing/other");
  rmdir("thing/inner");
  rmdir("thing");
}

static void test_file(void) {
  int file = open("thing", O_CREAT | O_RDWR, 0755);
  change("setuid", 04755);
  change("sticky", 01644);
  change("all", 07777);
  fchmod(file, 06755);
  print_mode("fchmod");
  fchmod(file, 02644);
  print_mode("setgid without execution");
  umask(077);
  print_mode("a mask changes nothing");
  link("thing", "second");
  unlink("thing");
  rename("second", "thing");
  print_mode("by another name");
  close(file);
  unlink("thing");
  umask(0);
  mkfifo("thing", 0644);
  change("fifo", 06755);
  unlink("thing");
}

int main(void) {
  test_directory();
  test_file();
  return 0;
}
