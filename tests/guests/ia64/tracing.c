// ptrace(2): calls, the register stack of a thread that stands still, single steps, breakpoints,
// all registers at once. Numbers are those of arch/ia64/include/uapi/asm/{ptrace,ptrace_offsets}.h
// (Linux 6.1); the arguments of a call are where strace looks for them.
#include "tests/guests/ia64/guest.h"

enum { NR_ptrace = 1048, SIGKILL = 9, WALL = 0x40000000, EIO = 5 };
enum {
  TRACEME = 0, PEEKDATA = 2, PEEKUSR = 3, POKEDATA = 5, POKEUSR = 6, CONT = 7, SINGLESTEP = 9,
  GETREGS = 18, SETREGS = 19, SYSCALL = 24, GETSIGINFO = 0x4202,
};
enum {
  PT_F2 = 0x610, PT_NAT_BITS = 0x600, PT_R4 = 0x7b0, PT_B1 = 0x7d8, PT_AR_LC = 0x808,
  PT_CR_IPSR = 0x830, PT_CR_IIP = 0x838, PT_CFM = 0x840, PT_AR_PFS = 0x850, PT_AR_RSC = 0x858,
  PT_PR = 0x870, PT_AR_BSP = 0x880, PT_R1 = 0x888, PT_R12 = 0x8a0, PT_R15 = 0x8b8, PT_R8 = 0x8c0,
  PT_R10 = 0x8d0, PT_B0 = 0x970,
};
enum { TRAP_TRACE = 2 };

// pt_all_user_regs
struct registers {
  ulong nat, ip, cfm, psr, pr, gr[32], br[8], ar[128], fr[128][2];
};

static struct registers all;
static int last;

static long request(long what, long pid, ulong address, ulong data) {
  return CALL4(NR_ptrace, what, pid, address, data);
}

static long user(long pid, ulong offset) {
  return request(PEEKUSR, pid, offset, 0);
}

// The signal for which it has stopped; 0: it has ended.
static int next(long pid) {
  last = -1;
  CALL4(NR_wait4, pid, &last, WALL, 0);
  return (last & 0xff) == 0x7f ? last >> 8 & 0xff : 0;
}

static int go(long what, long pid) {
  request(what, pid, 0, 0);
  return next(pid);
}

static long start(void (*body)(void)) {
  const long pid = CALL6(NR_clone2, SIGCHLD, 0, 0, 0, 0, 0);
  if (pid != 0) return pid;
  CALL4(NR_ptrace, TRACEME, 0, 0, 0);
  body();
  CALL1(NR_exit, 0);
  return 0;
}

static void stop(void) {
  CALL2(NR_kill, CALL0(NR_getpid), SIGUSR1);
}

// ia64_rse_skip_regs()
static ulong skip(ulong address, long registers) {
  long delta = (long)(address >> 3 & 63) + registers;
  if (registers < 0) delta -= 0x3e;
  long collections = 0;
  for (; delta <= -63; delta += 63) --collections;
  for (; delta >= 63; delta -= 63) ++collections;
  return address + 8 * (ulong)(registers + collections);
}

static ulong argument(long pid, int number) {
  const ulong marker = (ulong)user(pid, PT_CFM);
  const long outputs = (long)(marker & 127) - (long)(marker >> 7 & 127);
  return skip((ulong)user(pid, PT_AR_BSP), number - outputs);
}

static ulong pc(long pid) {
  return (ulong)user(pid, PT_CR_IIP) | ((ulong)user(pid, PT_CR_IPSR) >> 41 & 3);
}

static void make_calls(void) {
  stop();
  const long none = CALL2(NR_kill, CALL0(NR_getpid), 0);
  CALL1(NR_exit, none == 77 ? CALL0(NR_getppid) == CALL0(NR_getpid) : 9);
}

static void test_calls(void) {
  const long pid = start(make_calls);
  check_number(next(pid), SIGUSR1, "a signal stops the child");
  check_number(go(SYSCALL, pid), SIGTRAP, "so does a call");
  check_number(user(pid, PT_R15), NR_getpid, "its number");
  go(SYSCALL, pid);
  check_number(user(pid, PT_R8), pid, "its result");
  go(SYSCALL, pid);
  check_number(user(pid, PT_R15), NR_kill, "the next one");
  const ulong place = pc(pid);
  check_number(request(PEEKDATA, pid, argument(pid, 0), 0), pid, "its first argument");
  check_number(request(PEEKDATA, pid, argument(pid, 1), 0), 0, "its second argument");
  check_number(request(POKEDATA, pid, argument(pid, 1), 999), 0, "another one");
  go(SYSCALL, pid);
  check_number(user(pid, PT_R8), EINVAL, "the call had it");
  check_number(user(pid, PT_R10), -1, "that is an error");
  check(pc(pid) == place, "at the end of a call the place is that of its start");
  request(POKEUSR, pid, PT_R8, 77);
  request(POKEUSR, pid, PT_R10, 0);
  go(SYSCALL, pid);
  check_number(user(pid, PT_R15), NR_getppid, "the one behind it");
  request(POKEUSR, pid, PT_R15, NR_getpid);
  go(SYSCALL, pid);
  check_number(user(pid, PT_R8), pid, "another call was made");
  request(CONT, pid, 0, 0);
  next(pid);
  check_number(last, 1 << 8, "the child has seen both results");
}

static void pass_values(void) {
  CALL1(NR_exit, pass_nats(stop));
}

// The place in the backing store of the value nearest to the end; 0: there is none.
static ulong find(long pid, ulong value) {
  ulong at = (ulong)user(pid, PT_AR_BSP);
  for (int i = 0; i < 100; ++i) {
    at -= 8;
    if ((at & 0x1f8) != 0x1f8 && (ulong)request(PEEKDATA, pid, at, 0) == value) return at;
  }
  return 0;
}

static void test_frames(void) {
  long pid = start(pass_values);
  next(pid);
  check(find(pid, 34) != 0 && find(pid, 47) != 0, "frames that wait are in the backing store");
  request(CONT, pid, 0, 0);
  next(pid);
  check_number(last, 0, "and are as before, NaTs, too");
  pid = start(pass_values);
  next(pid);
  check_number(request(POKEDATA, pid, find(pid, 47), 48), 0, "a register of another frame");
  request(CONT, pid, 0, 0);
  next(pid);
  check_number(last, 4 << 8, "is changed");
}

void nops(void);

static void stop_before_nops(void) {
  stop();
  nops();
  CALL1(NR_exit, 5);
}

static int trap_code(long pid) {
  static struct {
    struct siginfo info;
    char rest[128];
  } told;
  request(GETSIGINFO, pid, 0, (ulong)&told);
  return told.info.code;
}

static void test_steps(void) {
  const long pid = start(stop_before_nops);
  const ulong entry = *(ulong*)nops;
  next(pid);
  int steps = 0, traps = 0;
  do {
    traps += go(SINGLESTEP, pid) == SIGTRAP;
  } while (pc(pid) != entry && ++steps < 200);
  check(pc(pid) == entry && traps == steps + 1, "step by step to a function");
  check_number(trap_code(pid), TRAP_TRACE, "its code");
  for (ulong slot = 1; slot < 6; ++slot) {
    go(SINGLESTEP, pid);
    check_number((long)(pc(pid) - entry), (long)(slot / 3 * 16 + slot % 3), "from slot to slot");
  }
  check_number(user(pid, PT_R8) == 3, 0, "before the last one");
  go(SINGLESTEP, pid);
  check_number(user(pid, PT_R8), 3, "behind it");
  check_number(request(SINGLESTEP, pid, 0, 200), -EIO, "no signal has that number");
  request(CONT, pid, 0, 0);
  next(pid);
  check_number(last, 5 << 8, "the child goes on");
}

static void step_into_call(void) {
  stop();
  CALL1(NR_exit, CALL0(NR_getpid) == 0);
}

// A step over a call ends with it.
static void test_step_over_call(void) {
  const long pid = start(step_into_call);
  next(pid);
  int calls = 0;
  for (int steps = 0; steps < 200 && calls == 0; ++steps) {
    const int is_number = user(pid, PT_R15) == NR_getpid;
    const ulong before = pc(pid);
    if (go(SINGLESTEP, pid) != SIGTRAP) break;
    calls += is_number && user(pid, PT_R8) == pid && pc(pid) - before < 17;
  }
  check_number(calls, 1, "a step over a call");
  request(CONT, pid, 0, SIGKILL);
  next(pid);
  check_number(last, SIGKILL, "SIGKILL");
}

static void test_breakpoint(void) {
  const long pid = start(stop_before_nops);
  const ulong entry = *(ulong*)nops, slot_mask = ((1UL << 41) - 1) << 5;
  next(pid);
  const ulong text = (ulong)request(PEEKDATA, pid, entry, 0);
  check(text == *(ulong*)entry, "the child's text");
  const ulong with_break = (text & ~slot_mask) | 0x3333300UL << 5;  // gdb's: break.m 0x99998
  check_number(request(POKEDATA, pid, entry, with_break), 0, "a breakpoint");
  check_number(go(CONT, pid), SIGTRAP, "the child comes to it");
  check(pc(pid) == entry, "and stands at it");
  check(text == *(ulong*)entry, "the parent's text is as before");
  request(POKEDATA, pid, entry, text);
  request(CONT, pid, 0, 0);
  next(pid);
  check_number(last, 5 << 8, "without it the child goes on");
}

static void test_registers(void) {
  const long pid = start(pass_values);
  next(pid);
  check_number(request(GETREGS, pid, 0, (ulong)&all), 0, "all registers");
  check((long)all.ip == user(pid, PT_CR_IIP) && (long)all.cfm == user(pid, PT_CFM), "place, frame");
  check((long)all.gr[1] == user(pid, PT_R1) && (long)all.gr[12] == user(pid, PT_R12), "r1, r12");
  check((long)all.gr[15] == user(pid, PT_R15) && (long)all.gr[4] == user(pid, PT_R4), "r15, r4");
  check((long)all.br[0] == user(pid, PT_B0) && (long)all.br[1] == user(pid, PT_B1), "b0, b1");
  check((long)all.ar[17] == user(pid, PT_AR_BSP) && all.ar[65] == 77, "ar.bsp, ar.lc");
  check((long)all.ar[64] == user(pid, PT_AR_PFS) && (long)all.pr == user(pid, PT_PR), "pfs, pr");
  check((long)all.fr[2][0] == user(pid, PT_F2) && (long)all.nat == user(pid, PT_NAT_BITS), "f2");
  all.ar[65] = 78;
  all.gr[4] = 12345;
  all.fr[40][0] = 99;
  check_number(request(SETREGS, pid, 0, (ulong)&all), 0, "other registers");
  check(user(pid, PT_R4) == 12345 && user(pid, PT_AR_LC) == 78, "r4 and ar.lc have changed");
  check_number(user(pid, 8 * 16), 99, "so has f40");
  check_number(request(PEEKUSR, pid, 0x9d0, 0), -EIO, "no register is there");
  check_number(request(PEEKUSR, pid, 4, 0), -EIO, "nor there");
  request(CONT, pid, 0, 0);
  next(pid);
  check_number(last, 8 << 8, "the child finds ar.lc changed, and nothing else");
}

int guest_main(int argc, char** argv, ulong* behind) {
  (void)argc, (void)argv, (void)behind;
  test_calls();
  test_frames();
  test_steps();
  test_step_over_call();
  test_breakpoint();
  test_registers();
  return finish_checks();
}
