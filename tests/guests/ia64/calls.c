// How a program starts, and what calls answer: results, errors, pages, files.
#include "tests/guests/ia64/guest.h"

enum { PAGE = 0x4000, PRIVATE_ANONYMOUS = 0x22, READ_WRITE = 3 };

static void test_start(int argc, char** argv, ulong* behind) {
  check(argc == 2 && same_text(argv[1], "argument") && argv[2] == 0, "the arguments");
  while (*behind != 0) ++behind;
  ulong page = 0;
  for (const ulong* aux = behind + 1; aux[0] != 0; aux += 2) {
    if (aux[0] == 6) page = aux[1];  // AT_PAGESZ
  }
  check_number(page, PAGE, "pages of 16 KiB");
  char names[6][65];
  check_number(CALL1(NR_uname, names), 0, "uname");
  check(same_text(names[0], "Linux") && same_text(names[4], "ia64"), "on an ia64");
}

static void test_errors(void) {
  check_number(CALL1(NR_close, 99), -EBADF, "EBADF");
  check_number(CALL2(NR_stat, 8, 8), -EFAULT, "EFAULT");
  check_number(CALL3(NR_wait4, -1, 0, 0), -ECHILD, "ECHILD");
  check_number(CALL0(2000), -ENOSYS, "ENOSYS");
}

static void test_memory(void) {
  char* const at = (char*)CALL6(NR_mmap, 0, 1, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
  check((ulong)at >> 61 == 1 && (ulong)at % PAGE == 0, "a mapping in region 1");
  at[PAGE - 1] = 7;
  char* const next = (char*)CALL6(NR_mmap2, 0, 1, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
  check(next == at + PAGE, "the next one is behind it");
  check_number(CALL2(NR_munmap, at + 0x1000, 1), -EINVAL, "no page begins in its middle");
  check_number(CALL2(NR_munmap, at, 1), 0, "munmap");
  const ulong end = CALL1(NR_brk, 0);
  check(CALL1(NR_brk, end + 100) == (long)end + 100, "brk");
  ((char*)end)[99] = 1;
}

static void test_files(void) {
  const long file = CALL3(NR_open, "calls.tmp", 0x242, 0644);  // O_RDWR, O_CREAT, O_TRUNC
  check(file > 2, "open");
  check_number(CALL3(NR_write, file, "0123456789", 10), 10, "write");
  check_number(CALL3(NR_lseek, file, -4, 2), 6, "lseek from the end");
  char text[8] = "";
  check(CALL3(NR_read, file, text, 8) == 4 && same_text(text, "6789"), "read");
  const char* const mapped = (const char*)CALL6(NR_mmap2, 0, PAGE, 1, 2, file, 0);
  check(mapped[9] == '9' && mapped[10] == 0 && mapped[PAGE - 1] == 0, "a mapped file");
  ulong status[18];
  check_number(CALL2(NR_stat, "calls.tmp", status), 0, "stat");
  check_number(status[6], 10, "st_size");
  check_number((unsigned)status[3], 0100644, "st_mode");
  CALL1(NR_close, file);
  check_number(CALL1(NR_unlink, "calls.tmp"), 0, "unlink");
  const long reader = CALL0(NR_pipe);
  const long writer = second_result;
  check(writer == reader + 1, "pipe has two results");
  CALL3(NR_write, writer, "pipe", 5);
  check(CALL3(NR_read, reader, text, 8) == 5 && same_text(text, "pipe"), "what went through it");
}

int guest_main(int argc, char** argv, ulong* behind) {
  test_start(argc, argv, behind);
  test_errors();
  test_memory();
  test_files();
  return finish_checks();
}
