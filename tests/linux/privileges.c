// What Linux answers to a user without privileges (capabilities(7)). privileges.expected is what this prints,
// run natively by user 1000.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void print_result(const char* what, long result) {
  printf("%s: %ld", what, result);
  if (result < 0) printf(" %s", strerrorname_np(errno));
  putchar('\n');
}

static void refused(void) {
  const struct timeval time = {1000000000, 0};
  const struct timespec fine = {1000000000, 0}, beyond = {0, 1000000000};
  print_result("mount", mount("none", "/", "tmpfs", 0, NULL));
  print_result("umount", umount("/"));
  print_result("umount2", umount2("/", 0));
  print_result("swapon", swapon("/dev/null", 0));
  print_result("swapoff", swapoff("/dev/null"));
  print_result("reboot", syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_CAD_OFF, 0));
  print_result("acct", acct(NULL));
  print_result("chroot", chroot("/"));
  print_result("chroot to nothing", chroot("/nothing"));
  print_result("chroot to a file", chroot("/dev/null"));
  print_result("vhangup", vhangup());
  print_result("settimeofday", settimeofday(&time, NULL));
  print_result("clock_settime", clock_settime(CLOCK_REALTIME, &fine));
  print_result("of no time", clock_settime(CLOCK_REALTIME, &beyond));
  print_result("of another clock", clock_settime(CLOCK_MONOTONIC, &fine));
  print_result("pivot_root", syscall(SYS_pivot_root, "/", "/"));
  print_result("syslog", syscall(SYS_syslog, 5, NULL, 0));
}

static void print_set(const char* what, const struct __user_cap_data_struct* data, int count) {
  printf("%s:", what);
  for (int i = 0; i < count; ++i) printf(" %x %x %x", data[i].effective, data[i].permitted, data[i].inheritable);
  putchar('\n');
}

static void capabilities(void) {
  const unsigned versions[] = {_LINUX_CAPABILITY_VERSION_1, _LINUX_CAPABILITY_VERSION_2, _LINUX_CAPABILITY_VERSION_3};
  for (int i = 0; i < 3; ++i) {
    struct __user_cap_header_struct header = {versions[i], 0};
    struct __user_cap_data_struct data[2] = {{1, 2, 3}, {4, 5, 6}};
    print_result("capget", syscall(SYS_capget, &header, data));
    print_set("none", data, 2);
    print_result("capset of the same", syscall(SYS_capset, &header, data));
    data[0].permitted = 1;
    print_result("capset of more", syscall(SYS_capset, &header, data));
  }
  struct __user_cap_header_struct header = {0, 0};
  struct __user_cap_data_struct data[2];
  print_result("another version", syscall(SYS_capget, &header, data));
  printf("the present one %x\n", header.version);
  header.version = 0;
  print_result("asked for alone", syscall(SYS_capget, &header, NULL));
  printf("the present one %x\n", header.version);
  header.version = 0;
  print_result("set", syscall(SYS_capset, &header, data));
  header.pid = -1;
  print_result("of a bad process", syscall(SYS_capget, &header, data));
  header.pid = 4000000;
  print_result("of no process", syscall(SYS_capget, &header, data));
  header.pid = 1;
  memset(data, 0, sizeof data);
  print_result("set another's", syscall(SYS_capset, &header, data));
  print_result("no header", syscall(SYS_capget, NULL, data));
}

static void identities(void) {
  print_result("setfsuid", setfsuid(0));
  print_result("as before", setfsuid(-1));
  print_result("setfsgid", setfsgid(0));
  print_result("as before", setfsgid(-1));
}

// A thread may ask for its own list of locks.
static void locks(void) {
  void* head = NULL;
  size_t bytes = 0;
  print_result("get_robust_list", syscall(SYS_get_robust_list, 0, &head, &bytes));
  printf("there is one %d, of three longs %d\n", head != NULL, bytes == 3 * sizeof(long));
  print_result("of no thread", syscall(SYS_get_robust_list, 4000000, &head, &bytes));
}

int main(void) {
  refused();
  capabilities();
  identities();
  locks();
  return 0;
}
