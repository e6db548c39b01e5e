"""The program for a real machine that tools/timing-check --emit-c writes: a file of C, and one of
assembler source with a function for each kernel (timing_guests.py, routine)."""

from timing_guests import (BUFFER, MOST_NUMBERS, MOST_POINTERS, NUMBERS, POINTERS, REACH,
                           TRIP_COUNT)

# C89 whose functions HP's compiler of 1990 knows, too. Numbers are printed as whole ones: a C
# library that a program brings along for a simulator may know no others.
_PROGRAM = r"""/*
 * Loops whose cycles are in doubt, or known, for the processor that this program runs on. Written
 * by tools/timing-check --emit-c of hardclock from @FILE@.
 *
 *   cc -O@OPTIONS@ -o timing @NAME@.c @NAME@_loops.s
 *   ./timing MHZ [CPU]
 *
 * It is for @CONVENTION@@ADVICE@.
 * MHZ is the processor's clock rate, such as 99 or 133.33; CPU one of
 *   @CPUS@
 * and may be left out if there is only one. Take a machine that does nothing else. A row a loop:
 * its name, its processor, what each reading of the processor's description expects of an
 * iteration in cycles, what was measured, and which reading that is: "agrees" where there is only
 * one, "none" or "differs" if it is no expected one (2 % or 0.05 cycles beside it). Exit status: 0
 * every loop has a reading that agrees; 1 one has not; 2 a mistake on the command line.
 *
 * Each loop is called for @TRIPS@ and for @TWICE@ trips, as often as takes @MILLISECONDS@ ms or
 * @GRAINS@ steps of the clock. The least of @ROUNDS@ times counts; the difference of the two is
 * what @TRIPS@ trips take. Loops begin at multiples of 128 bytes where the linker keeps that (SGI's
 * of IRIX 5.3 does not). Without the system's headers: -DNO_HEADERS.
 */
#ifdef NO_HEADERS
struct timeval {
  long tv_sec;
  long tv_usec;
};
extern int printf();
extern int strcmp();
extern int gettimeofday();
#else
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/time.h>
#endif

#define TRIPS @TRIPS@
#define ROUNDS @ROUNDS@
#define BUFFER_WORDS @BUFFER_WORDS@
#define BEFORE_WORDS @BEFORE_WORDS@

struct reading {
  char *name;
  double cycles;
};

struct kernel {
  char *name;
  char *cpu;
  void (*run)();
  unsigned int step;
  unsigned int pointers;
  unsigned int filling;
  int self_pointing;
  struct reading *readings;
  unsigned int *numbers;
  unsigned int *code; /* what the assembler has to make; 0: it cannot be looked at */
  unsigned int code_words;
};

/* What a loop's code finds at the address that it is passed. */
struct block {
  unsigned int trip_count;
  unsigned int pointers[@MOST_POINTERS@];
  union {
    unsigned int words[@NUMBER_WORDS@];
    double aligned;
  } numbers;
};

@DECLARATIONS@

static struct kernel kernels[] = {
@KERNELS@
  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
};

static struct block block;
static union {
  unsigned int words[@POINTER_COUNT@ * BUFFER_WORDS + 2048];
  double aligned;
} memory;

/* Addresses have 32 bits in the conventions that the loops' code knows. */
static unsigned int word_of(address)
unsigned int *address;
{
  return (unsigned int)(unsigned long)address;
}

static void prepare(kernel)
struct kernel *kernel;
{
  unsigned int i, j;
  unsigned int *first, *pointer;
  /* From the middle of a page on. */
  first = memory.words + (4096 + 2048 - (word_of(memory.words) & 4095)) / 4;
  for (i = 0; i < kernel->pointers; ++i) {
    pointer = first + BEFORE_WORDS;
    for (j = 0; j < BUFFER_WORDS; ++j) first[j] = kernel->filling;
    if (kernel->self_pointing == 8) {
      pointer[0] = @HIGH_WORD@;
      pointer[1] = @LOW_WORD@;
    } else if (kernel->self_pointing) {
      pointer[0] = word_of(pointer);
    }
    block.pointers[i] = word_of(pointer);
    first += BUFFER_WORDS;
  }
  for (i = 0; i < @NUMBER_WORDS@; ++i) block.numbers.words[i] = kernel->numbers[i];
}

static double seconds() {
  struct timeval now;
  gettimeofday(&now, (struct timezone *)0);
  return (double)now.tv_sec + (double)now.tv_usec / 1000000.0;
}

/* The least step of the clock. */
static double grain() {
  double before, after, least;
  int i;
  least = 1.0;
  for (i = 0; i < 20; ++i) {
    before = seconds();
    do after = seconds();
    while (after <= before);
    if (after - before < least) least = after - before;
  }
  return least;
}

static double time_of(kernel, trips, calls)
struct kernel *kernel;
unsigned int trips;
long calls;
{
  double start;
  block.trip_count = trips * kernel->step;
  start = seconds();
  while (calls-- > 0) (*kernel->run)(&block);
  return seconds() - start;
}

static double cycles_of(kernel, megahertz, enough)
struct kernel *kernel;
double megahertz, enough;
{
  long calls;
  double once, twice, time;
  int i;
  prepare(kernel);
  for (calls = 1; time_of(kernel, TRIPS, calls) < enough; calls *= 2) continue;
  once = time_of(kernel, TRIPS, calls);
  twice = time_of(kernel, 2 * TRIPS, calls);
  for (i = 1; i < ROUNDS; ++i) {
    time = time_of(kernel, TRIPS, calls);
    if (time < once) once = time;
    time = time_of(kernel, 2 * TRIPS, calls);
    if (time < twice) twice = time;
  }
  return (twice - once) * megahertz * 1000000.0 / ((double)calls * TRIPS);
}

static double distance(a, b)
double a, b;
{
  return a < b ? b - a : a - b;
}

/* Assemblers may insert or move instructions. */
static int is_changed(kernel)
struct kernel *kernel;
{
  unsigned int *code;
  unsigned int i;
  code = (unsigned int *)(unsigned long)kernel->run;
  if (kernel->code == 0) return 0;
  for (i = 0; i < kernel->code_words; ++i) {
    if (code[i] != kernel->code[i]) return 1;
  }
  return 0;
}

/* The closest one that agrees, or 0. */
static struct reading *reading_of(kernel, cycles)
struct kernel *kernel;
double cycles;
{
  struct reading *each, *best;
  double allowed;
  best = 0;
  for (each = kernel->readings; each->name != 0; ++each) {
    allowed = each->cycles * 0.02;
    if (allowed < 0.05) allowed = 0.05;
    if (distance(each->cycles, cycles) > allowed) continue;
    if (best == 0 || distance(each->cycles, cycles) < distance(best->cycles, cycles)) best = each;
  }
  return best;
}

static void print_cycles(cycles)
double cycles;
{
  long hundredths;
  hundredths = (long)(cycles * 100.0 + 0.5);
  if (hundredths < 0) hundredths = 0;
  printf("%ld.%ld%ld", hundredths / 100, hundredths / 10 % 10, hundredths % 10);
}

/* Whether a reading agrees. */
static int show(kernel, cycles)
struct kernel *kernel;
double cycles;
{
  struct reading *each, *found;
  found = reading_of(kernel, cycles);
  printf("%s  %s ", kernel->name, kernel->cpu);
  for (each = kernel->readings; each->name != 0; ++each) {
    printf(" ");
    if (each->name[0] != 0) printf("%s=", each->name);
    print_cycles(each->cycles);
  }
  printf("  ");
  print_cycles(cycles);
  if (found != 0) {
    printf("  %s\n", found->name[0] != 0 ? found->name : "agrees");
  } else {
    printf("  %s\n", kernel->readings->name[0] != 0 ? "none" : "differs");
  }
  return found != 0;
}

/* "133.33"; 0 if it is none. */
static double number_of(text)
char *text;
{
  double number, place;
  number = 0;
  place = 0;
  for (; *text != 0; ++text) {
    if (*text == '.' && place == 0) {
      place = 1;
    } else if (*text >= '0' && *text <= '9') {
      number = number * 10 + (*text - '0');
      place *= 10;
    } else {
      return 0;
    }
  }
  return place > 0 ? number / place : number;
}

static int usage() {
  printf("usage: MHZ CPU, the clock rate and one of: @CPUS@\n");
  return 2;
}

static int has_one_cpu() {
  struct kernel *each;
  for (each = kernels; each->name != 0; ++each) {
    if (strcmp(each->cpu, kernels->cpu) != 0) return 0;
  }
  return 1;
}

int main(argc, argv)
int argc;
char **argv;
{
  struct kernel *each;
  char *cpu;
  double megahertz, enough;
  int agreed, differed;
  if (argc != 3 && !(argc == 2 && has_one_cpu())) return usage();
  megahertz = number_of(argv[1]);
  cpu = argc == 3 ? argv[2] : kernels->cpu;
  if (megahertz <= 0) return usage();
  enough = grain() * @GRAINS@;
  if (enough < @MILLISECONDS@ / 1000.0) enough = @MILLISECONDS@ / 1000.0;
  agreed = differed = 0;
  for (each = kernels; each->name != 0; ++each) {
    if (strcmp(each->cpu, cpu) != 0) continue;
    if (is_changed(each)) {
      printf("%s  %s  the assembler changed its code\n", each->name, each->cpu);
      ++differed;
    } else if (show(each, cycles_of(each, megahertz, enough))) {
      ++agreed;
    } else {
      ++differed;
    }
  }
  if (agreed + differed == 0) return usage();
  printf("%d agree, %d differ\n", agreed, differed);
  return differed != 0;
}
"""

TRIPS = 500  # of a call; twice as many are called, too
ROUNDS = 7
MILLISECONDS = 2
GRAINS = 500


def _c_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") + '"'


def _array(name, words):
    rows = [", ".join(f"0x{word:08x}" for word in words[i:i + 8]) for i in range(0, len(words), 8)]
    return f"static unsigned int {name}[] = {{\n  " + ",\n  ".join(rows) + "};"


def _declarations(routine, number):
    readings = "".join(f"{{{_c_string(name)}, {float(cycles)!r}}}, "
                       for name, cycles in routine.readings)
    words = list(routine.numbers) + [0] * (2 * MOST_NUMBERS - len(routine.numbers))
    code = _array(f"code_{number}", routine.words) + "\n" if routine.can_be_read else ""
    return (f"extern void timing_{number}();\n"
            f"static struct reading readings_{number}[] = {{{readings}{{0, 0.0}}}};\n"
            + code + _array(f"numbers_{number}", words))


def _entry(routine, number):
    kernel = routine.kernel
    self_pointing = 0 if not kernel.self_pointing else 8 if routine.points_with_64_bits else 4
    code = f"code_{number}, {len(routine.words)}" if routine.can_be_read else "0, 0"
    return (f"  {{{_c_string(kernel.id)}, {_c_string(kernel.cpu)}, timing_{number}, "
            f"{kernel.counter_step}, {len(kernel.pointers)}, {routine.filling}, {self_pointing}, "
            f"readings_{number}, numbers_{number}, {code}}},")


# Of compilers that know more than one convention.
_OPTIONS = {"o32": "IRIX 6: -32; GCC: -mabi=32 -mfp32", "n32": "IRIX 6: -n32; GCC: -mabi=n32"}
_LEVELS = {"r2000": 1, "r3000": 1, "r6000": 2, "r4000": 3, "r4400": 3, "r4600": 3, "r4700": 3,
           "r5000": 4, "r8000": 4, "r10000": 4, "r12000": 4}


def mips_level(kernel):
    """Of a MIPS kernel's instructions; 0: not known, or another processor."""
    march = next((flag[7:] for flag in kernel.flags if flag.startswith("-march=")), "")
    return int(march[4]) if march in ("mips1", "mips2", "mips3", "mips4") else _LEVELS.get(march, 0)


def c_source(routines, name, file_name, convention):
    """The C file, for routines of one convention."""
    cpus = sorted({routine.kernel.cpu for routine in routines})
    is_little = "little" in convention
    level = max(mips_level(routine.kernel) for routine in routines)
    options = _OPTIONS.get(convention[6:9])
    texts = {
        "FILE": file_name.replace("*/", "* /"),
        "NAME": name,
        "CONVENTION": convention,
        "OPTIONS": f" -mips{level}" if level else "",
        "ADVICE": f" ({options})" if options else "",
        "CPUS": " ".join(cpus),
        "TRIPS": TRIPS,
        "TWICE": 2 * TRIPS,
        "ROUNDS": ROUNDS,
        "MILLISECONDS": MILLISECONDS,
        "GRAINS": GRAINS,
        "BUFFER_WORDS": BUFFER // 4,
        "BEFORE_WORDS": REACH // 4,
        "MOST_POINTERS": MOST_POINTERS,
        "NUMBER_WORDS": 2 * MOST_NUMBERS,
        "POINTER_COUNT": max(1, *(len(routine.kernel.pointers) for routine in routines)),
        "HIGH_WORD": "word_of(pointer)" if is_little else "0",
        "LOW_WORD": "0" if is_little else "word_of(pointer)",
        "DECLARATIONS": "\n".join(_declarations(routine, i) for i, routine in enumerate(routines)),
        "KERNELS": "\n".join(_entry(routine, i) for i, routine in enumerate(routines)),
    }
    text = _PROGRAM
    for key, value in texts.items():
        text = text.replace(f"@{key}@", str(value))
    return text


def assembler_source(routines, guest):
    """The assembler file."""
    return guest.SOURCE_BEGIN + "".join(
        guest.source(f"timing_{i}", routine.words, routine.listing)
        for i, routine in enumerate(routines))


# The block of the C program is that of the routines.
assert (TRIP_COUNT, POINTERS, NUMBERS) == (0, 1, 1 + MOST_POINTERS)
