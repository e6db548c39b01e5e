// What the kernel takes, as McVoy and Staelin measure it ("lmbench", USENIX 1996; a caught signal,
// a protection fault and a page fault as lat_sig.c and lat_pagefault.c of lmbench 3 do).
//
//   lmbench calls | signals | switch
//   lmbench pages FILE                  is made, and removed in the end
//   lmbench processes WRITTEN TOUCHED   as lat_proc of tests/guests/lmbench; 9 and 64 at most
//
// Prints "NAME VALUE ns". Counts are powers of two, because a division is a call of libgcc's.
#include "tests/guests/ia64/guest.h"

enum { CALLS_SHIFT = 10, CALLS = 1 << CALLS_SHIFT };
enum { PROCESSES_SHIFT = 4, PROCESSES = 1 << PROCESSES_SHIFT };
enum { PAGE = 16384, PAGES_SHIFT = 6, PAGES = 1 << PAGES_SHIFT };
enum { O_RDONLY = 0, O_WRONLY = 1, O_CREAT = 0100 };
enum { PROT_READ = 1, MAP_SHARED = 1, MAP_PRIVATE_ANONYMOUS = 0x22 };
// What hardclock counts as a page, whatever the system's is.
enum { FRAME = 4096, FRAMES = 64 };

static ulong now(void) {
  ulong time[2];
  CALL2(NR_clock_gettime, 1, time);
  return time[0] * 1000000000 + time[1];
}

// Without what asking for the time takes.
static ulong since(ulong start) {
  const ulong end = now();
  const ulong asking = now() - end;
  return end - start - asking;
}

static void print_time(const char* name, ulong time, int shift) {
  if ((long)time < 0) time = 0;
  print(name);
  print(" ");
  print_number((long)(time >> shift));
  print(" ns\n");
}

static int measure_calls(void) {
  const long null = CALL3(NR_open, "/dev/null", O_WRONLY, 0);
  const long zero = CALL3(NR_open, "/dev/zero", O_RDONLY, 0);
  if (null < 0 || zero < 0) return 1;
  char byte = 0;
  ulong start = now();
  for (int i = 0; i < CALLS; ++i) CALL0(NR_getppid);
  print_time("null_call", since(start), CALLS_SHIFT);
  start = now();
  for (int i = 0; i < CALLS / 2; ++i) {
    CALL3(NR_read, zero, &byte, 1);
    CALL3(NR_write, null, &byte, 1);
  }
  print_time("null_io", since(start), CALLS_SHIFT);
  return 0;
}

static ulong time_of_kill(long process, int signal) {
  const ulong start = now();
  for (int i = 0; i < CALLS; ++i) CALL2(NR_kill, process, signal);
  return since(start);
}

static void ignore(int signal, void* info, void* context) {
  (void)signal, (void)info, (void)context;
}

// The store is in a bundle of its own.
static void skip(int signal, void* info, void* context) {
  (void)signal, (void)info;
  struct sigcontext* const machine = context;
  machine->ip = (machine->ip & ~15UL) + 16;
}

// A caught signal without its sending; a fault without the signal.
static int measure_signals(void) {
  const long process = CALL0(NR_getpid);
  catch_signal(SIGUSR1, ignore, SA_SIGINFO);
  catch_signal(SIGSEGV, skip, SA_SIGINFO);
  const long page = CALL6(NR_mmap, 0, PAGE, PROT_READ, MAP_PRIVATE_ANONYMOUS, -1, 0);
  if (page < 0) return 1;
  const ulong sent = time_of_kill(process, 0);
  const ulong caught = time_of_kill(process, SIGUSR1) - sent;
  print_time("signal_handler", caught, CALLS_SHIFT);
  const ulong start = now();
  for (int i = 0; i < CALLS; ++i) {
    __asm__ volatile("{ .mii\n st8 [%0] = r0\n nop.i 0\n nop.i 0 ;;\n}" : : "r"(page) : "memory");
  }
  print_time("protection_fault", since(start) - caught, CALLS_SHIFT);
  return 0;
}

static int make_file(const char* name) {
  static char page[PAGE];
  const long file = CALL3(NR_open, name, O_WRONLY | O_CREAT, 0600);
  for (int i = 0; i < PAGES; ++i) {
    if (CALL3(NR_write, file, page, PAGE) != PAGE) return 0;
  }
  return CALL1(NR_close, file) == 0;
}

static ulong time_of_loads(long at) {
  const ulong start = now();
  for (int i = 0; i < PAGES * (PAGE / FRAME); ++i) *(volatile char*)(at + i * FRAME);
  return since(start);
}

// The second time there is no fault, and another line to be fetched.
static int measure_pages(const char* name) {
  if (!make_file(name)) return 1;
  const long file = CALL3(NR_open, name, O_RDONLY, 0);
  const long at = CALL6(NR_mmap, 0, PAGES * PAGE, PROT_READ, MAP_SHARED, file, 0);
  if (file < 0 || at < 0) return 1;
  const ulong with_faults = time_of_loads(at);
  print_time("page_fault", with_faults - time_of_loads(at + FRAME / 2), PAGES_SHIFT);
  return CALL1(NR_unlink, name) != 0;
}

static int pass(long to, long from) {
  char token = 1;
  return CALL3(NR_write, to, &token, 1) == 1 && CALL3(NR_read, from, &token, 1) == 1;
}

// A token goes round two processes; what a pass takes more than within one is the switch.
static int measure_switch(void) {
  const long from_parent = CALL0(NR_pipe), to_child = second_result;
  const long from_child = CALL0(NR_pipe), to_parent = second_result;
  ulong start = now();
  for (int i = 0; i < CALLS; ++i) {
    if (!pass(to_child, from_parent)) return 1;
  }
  const ulong overhead = since(start);
  const long child = CALL6(NR_clone2, SIGCHLD, 0, 0, 0, 0, 0);
  if (child == 0) {
    char token;
    CALL1(NR_close, to_child);
    while (CALL3(NR_read, from_parent, &token, 1) == 1) CALL3(NR_write, to_parent, &token, 1);
    return 0;
  }
  if (!pass(to_child, from_child)) return 1;
  start = now();
  for (int i = 0; i < CALLS / 2; ++i) {
    if (!pass(to_child, from_child)) return 1;
  }
  print_time("context_switch", since(start) - overhead, CALLS_SHIFT);
  return 0;
}

static void touch(const char* count) {
  static char frames[FRAMES * FRAME] __attribute__((aligned(FRAME)));
  int left = 0;
  for (; *count != 0; ++count) left = left * 10 + *count - '0';
  for (; left > 0; --left) *(volatile char*)(frames + (left - 1) * FRAME) = 1;
}

static int create(const char* program, const char* written, const char* touched) {
  const long child = CALL6(NR_clone2, SIGCHLD, 0, 0, 0, 0, 0);
  if (child == 0) {
    if (program != 0) {
      const char* const arguments[] = {program, "end", touched, 0};
      const char* const environment[] = {0};
      CALL1(NR_close, 1);
      CALL3(NR_execve, program, arguments, environment);
      return 1;
    }
    touch(written);
    CALL1(NR_exit, 0);
  }
  int status = -1;
  return CALL4(NR_wait4, child, &status, 0, 0) == child && status == 0;
}

static int measure_processes(const char* program, const char* written, const char* touched) {
  touch(written);
  ulong start = now();
  for (int i = 0; i < PROCESSES; ++i) {
    if (!create(0, written, touched)) return 1;
  }
  print_time("fork_exit", since(start), PROCESSES_SHIFT);
  start = now();
  for (int i = 0; i < PROCESSES; ++i) {
    if (!create(program, written, touched)) return 1;
  }
  print_time("fork_exec_exit", since(start), PROCESSES_SHIFT);
  return 0;
}

// What is executed prints a line, for which there is no file.
static int end(const char* touched) {
  touch(touched);
  print("hello\n");
  return 0;
}

int guest_main(int argc, char** argv, ulong* behind) {
  (void)behind;
  if (argc == 2 && same_text(argv[1], "calls")) return measure_calls();
  if (argc == 2 && same_text(argv[1], "signals")) return measure_signals();
  if (argc == 2 && same_text(argv[1], "switch")) return measure_switch();
  if (argc == 3 && same_text(argv[1], "pages")) return measure_pages(argv[2]);
  if (argc == 3 && same_text(argv[1], "end")) return end(argv[2]);
  if (argc == 4 && same_text(argv[1], "processes")) {
    return measure_processes(argv[0], argv[2], argv[3]);
  }
  return 2;
}
