// profil, sprofil and pcsample, by the rules of syscalls/profil/SYSTEM.h, where the manual page or
// the kernel's function behind each is named. spin() is all that is profiled.
#include <errno.h>
#include <pcsample.h>
#include <string.h>
#include <sys/lwp.h>
#include <sys/profil.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/guests/systems/checks.h"

enum { TICKS = 20, COUNTERS = 16 };
// One counter an instruction of four bytes.
enum { PER_INSTRUCTION = 0x8000 };

static unsigned short counters[COUNTERS];

static int sum(void) {
  int total = 0;
  for (int i = 0; i < COUNTERS; ++i) total += counters[i];
  return total;
}

// The loop's counters have all counted, and no others.
static int counted_loop(void) {
  int total = 0;
  for (int i = 0; i < SPIN_ADDRESSES; ++i) {
    if (counters[i] == 0) return 0;
    total += counters[i];
  }
  return total == sum();
}

// Profiles some ticks of spin() into `buffer`, and stops.
static int profile_spin(void* buffer, unsigned int size, unsigned long offset, unsigned int scale) {
  memset(counters, 0, sizeof counters);
  const int result = profil(buffer, size, offset, scale);
  spin_ticks(TICKS);
  profil(NULL, 0, 0, 0);
  return result;
}

static void test_arithmetic(void) {
  const unsigned long at = _CODE_OF(spin);
  check_number(profile_spin(counters, sizeof counters, at, PER_INSTRUCTION), 0, "profil");
  check(counted_loop(), "the loop's instructions have a counter each");
  const int total = sum();
  // So many of 60 a second are what spin_ticks() uses; other rates make more.
  check(total >= TICKS - 1 && total <= TICKS * 2, "every tick counts");
  spin_ticks(3);
  check_number(sum(), total, "profil with scale 0 stops");
  // Four instructions to a counter put all on the first one, however it is rounded.
  profile_spin(counters, sizeof counters, at, PER_INSTRUCTION / 4);
  check(counters[0] > 0 && counters[0] == sum(), "a quarter of the scale");
  // 077777 a little less than one counter an instruction: V7 conf/mch.s addupc rounds up, so does
  // 4.1BSD's locore.s and AIX; the others do not.
  profile_spin(counters, sizeof counters, at, PER_INSTRUCTION - 1);
#if defined(_OS_EARLY) || defined(_OS_BSD211) || defined(_OS_AIX)
  check(counters[0] > 0 && counters[1] > 0, "077777 rounds up");
#else
  check(counters[0] > 0 && counters[SPIN_ADDRESSES - 1] == 0, "0x7fff rounds down");
#endif
  profile_spin(counters, 2, at - 4, PER_INSTRUCTION);
  check_number(sum(), 0, "what lies behind the buffer is not counted");
}

static void test_edges(void) {
  const unsigned long at = _CODE_OF(spin);
  // Below the offset: 16-bit arithmetic wraps (V7, 2.11BSD), the others ignore it.
  profile_spin(counters, 4, at + 4 * SPIN_ADDRESSES, 2);
#if defined(_OS_V7) || defined(_OS_BSD211)
  check(counters[1] > 0 && counters[1] == sum(), "a pc below the offset wraps");
#else
  check_number(sum(), 0, "a pc below the offset is not counted");
#endif
  profile_spin(counters, 2, at, 2);
  check(counters[0] > 0 && counters[0] == sum(), "scale 2 counts all in the first counter");
  profile_spin(counters, 2, at, 1);
#if defined(_OS_SVR4) || defined(_OS_HPUX) || defined(_OS_AIX)
  check_number(sum(), 0, "scale 1 is off");
#else
  check(counters[0] > 0, "scale 1 counts all in the first counter, too");
#endif
#ifdef _OS_BSD44
  // subr_prof.c profil()
  check_error(profil(counters, sizeof counters, at, 0x10001), EINVAL, "a scale above 65536");
#endif
}

static void test_overflow(void) {
  counters[0] = 65530;
#ifdef _OS_SOLARIS
  counters[0] = 32760;
#endif
  profil(counters, 2, _CODE_OF(spin), 2);
  spin_ticks(TICKS);
#if defined(_OS_SOLARIS)
  check_number(counters[0], 32767, "a counter does not pass 32767");
  counters[0] = 0;
  spin_ticks(3);
  check_number(counters[0], 0, "and then profiling is off");
#elif defined(_OS_HPUX) || defined(_OS_AIX)
  check_number(counters[0], 65535, "a counter stays at its maximum");
#else
  check(counters[0] > 0 && counters[0] < 100, "a counter wraps");
#endif
  profil(NULL, 0, 0, 0);
}

// A buffer that is not there, and one at an odd address.
static void test_faults(void) {
  char* const end = sbrk(0);
  unsigned short* const buffer = (unsigned short*)(((unsigned long)end + 0xfff) & ~0xfffUL);
  check_number(profil(buffer, 32, _CODE_OF(spin), PER_INSTRUCTION), 0,
               "profil does not look at the buffer");
  spin_ticks(3);
  brk((char*)buffer + 0x100);
  spin_ticks(3);
  check(buffer[0] == 0 && buffer[1] == 0, "a buffer that is not there ends profiling");
  brk(end);
  profil((char*)counters + 1, 16, _CODE_OF(spin), PER_INSTRUCTION);
  memset(counters, 0, sizeof counters);
  spin_ticks(3);
  profil(NULL, 0, 0, 0);
#if defined(_OS_BSD41) || defined(_OS_BSD42_SIGNALS) || defined(_OS_BSD44) || defined(_OS_AIX)
  // The VAX and POWER can do it; 4.4BSD's addupc_task() copies bytes.
  check(sum() > 0, "counters at odd addresses count");
#else
  check_number(sum(), 0, "a counter at an odd address ends profiling");
#endif
}

static int count_in_child(void) {
  const int before = sum();
  spin_ticks(4);
  return sum() > before ? 5 : 6;
}

static const char* program_name;

static int execute_itself(void) {
  char* const names[] = {(char*)program_name, "profile", NULL};
  execve(program_name, names, environ);
  return 99;
}

// The counters of this image are where the old one's were.
int executed_for_profiles(void) {
  spin_ticks(TICKS);
  return sum() == 0 ? 21 : 22;
}

static int fail_to_execute(void) {
  const int before = sum();
  execve("no-such-file", environ, environ);
  spin_ticks(4);
  return sum() > before ? 5 : 6;
}

static void test_inheritance(void) {
  memset(counters, 0, sizeof counters);
  profil(counters, sizeof counters, _CODE_OF(spin), PER_INSTRUCTION);
  check_number(status_of(count_in_child), 5 << 8, "a forked child is profiled");
  check_number(sum(), 0, "in memory of its own");
  spin_ticks(4);
  check(sum() > 0, "its parent goes on");
  check_number(status_of(execute_itself), 21 << 8, "exec ends profiling");
  check_number(status_of(fail_to_execute), 5 << 8, "an exec that fails does not");
  profil(NULL, 0, 0, 0);
}

#ifdef _HAVE_SPROFIL
#ifdef _OS_HPUX
typedef void* text_address;
#else
typedef unsigned long text_address;
#endif

static unsigned int sum_of(const unsigned int* words) {
  unsigned int total = 0;
  for (int i = 0; i < SPIN_ADDRESSES; ++i) total += words[i];
  return total;
}

// sprofil(2)
static void test_sprofil(void) {
  static unsigned int words[SPIN_ADDRESSES];
  struct timeval tick = {9, 9};
  const text_address at = (text_address)_CODE_OF(spin);
  struct prof regions[] = {{words, sizeof words, at, 0x10000}};
  check_number(sprofil(regions, 1, &tick, PROF_UINT), 0, "sprofil");
  check(tick.tv_sec == 0 && tick.tv_usec == 10000, "stores the time of one tick");
  spin_ticks(TICKS);
  check_number(sprofil(NULL, 0, NULL, PROF_UINT), 0, "sprofil of nothing");
  const unsigned int total = sum_of(words);
  check(words[0] > 0 && words[1] > 0 && total >= TICKS - 1, "counters of 32 bits");
  spin_ticks(3);
  check_number((long)sum_of(words), (long)total, "ends profiling");
  check_error(sprofil(BAD_POINTER, 1, NULL, PROF_UINT), EFAULT, "sprofil from a bad address");
  check_error(sprofil(regions, 1, BAD_POINTER, PROF_UINT), EFAULT, "sprofil to a bad address");
#ifndef _OS_HPUX
  /* The IRIX 6.2 kernel as observed: the number is unsigned, and that many cannot be read. */
  check_error(sprofil(regions, -1, NULL, PROF_UINT), EFAULT, "sprofil of -1 regions");
#else
  check_error(sprofil(regions, -1, NULL, PROF_UINT), E2BIG, "sprofil of -1 regions");
  regions[0].pr_size = 3;
  check_error(sprofil(regions, 1, NULL, PROF_UINT), EINVAL, "sprofil of less than a counter");
#endif
}
#endif

#ifdef _HAVE_PCSAMPLE
// pcsample(2)
static void test_pcsample(void) {
  static uintptr_t samples[8];
  check_number(pcsample(samples, 8), 0, "pcsample, the first");
  spin_ticks(TICKS);
  check_number(pcsample(NULL, 0), 8, "returns how many the one before has stored");
  int inside = 0;
  for (int i = 0; i < 8; ++i) {
    const unsigned long at = samples[i] - (uintptr_t)_CODE_OF(spin);
    inside += at == 0 || at == 4;
  }
  check(inside >= 6, "they are pcs");
  check_error(pcsample(samples, -1), EINVAL, "pcsample of -1 samples");
}
#endif

#ifdef _OS_SOLARIS
static volatile int done;
static char stack[4096] __attribute__((aligned(16)));

static void spin_in_lwp(void* argument) {
  (void)argument;
  spin_ticks(TICKS);
  done = 1;
}

static NOINLINE void wait_for_lwp(void) {
  while (done == 0) {
  }
}

static void test_lwps(void) {
  ucontext_t context;
  memset(counters, 0, sizeof counters);
  profil(counters, sizeof counters, _CODE_OF(spin), PER_INSTRUCTION);
  _lwp_makecontext(&context, spin_in_lwp, NULL, NULL, stack, sizeof stack);
  _lwp_create(&context, 0, NULL);
  wait_for_lwp();
  profil(NULL, 0, 0, 0);
#ifdef _OS_SOLARIS25
  check_number(sum(), 0, "a new LWP is not profiled");
#else
  check(sum() >= TICKS / 2, "all LWPs are profiled");
#endif
}
#endif

void test_profiles(const char* program) {
  program_name = program;
  test_arithmetic();
  test_edges();
  test_overflow();
  test_faults();
  test_inheritance();
#ifdef _HAVE_SPROFIL
  test_sprofil();
#endif
#ifdef _HAVE_PCSAMPLE
  test_pcsample();
#endif
#ifdef _OS_SOLARIS
  test_lwps();
#endif
}
