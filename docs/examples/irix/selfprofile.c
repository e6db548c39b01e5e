/* Profiles itself with profil(2), then with sprofil(2), as an IRIX program does: three quarters of
 * the time goes to busy(), a quarter to calm(). Declares what it calls, so that SGI's cc compiles
 * it without header files:
 *   hardclock run -L ROOT /usr/bin/cc -o selfprofile selfprofile.c && hardclock run -L ROOT ./selfprofile
 */
extern int printf(const char *, ...);

/* <sys/profil.h>, IRIX's sprofil(2) */
struct prof {
  void *pr_base;     /* counters */
  unsigned pr_size;  /* bytes of them */
  unsigned pr_off;   /* address that the first one stands for */
  unsigned pr_scale; /* 65536: two bytes of text a byte of counters */
};
#define PROF_USHORT 1
#define PROF_UINT 2

extern int profil(unsigned short *buff, unsigned bufsiz, unsigned offset, unsigned scale);
extern int sprofil(struct prof *profp, int profcnt, void *tvp, unsigned flags);

volatile unsigned sum;

void busy(n) unsigned n;
{
  unsigned i;
  for (i = 0; i < n; i++) sum = sum * 3 + i;
}

void calm(n) unsigned n;
{
  unsigned i;
  for (i = 0; i < n; i++) sum = sum * 3 + i;
}

void end_of_calm() {}

#define TEXT_BYTES 4096
#define ROUNDS 160

/* One counter for four bytes of text: one an instruction. */
static unsigned short halves[TEXT_BYTES / 4];
static unsigned words[TEXT_BYTES / 4];
static unsigned elsewhere;

static void work() {
  int i;
  for (i = 0; i < ROUNDS; i++) {
    busy(30000);
    calm(10000);
  }
}

static unsigned first_address() { return (unsigned)busy & ~3u; }

static unsigned ticks_in(from, to, wide) unsigned from, to; int wide;
{
  unsigned i, ticks = 0;
  for (i = (from - first_address()) / 4; i < (to - first_address()) / 4; i++)
    ticks += wide ? words[i] : halves[i];
  return ticks;
}

static void show(name, wide) char *name; int wide;
{
  printf("%-8s busy %3u calm %3u\n", name, ticks_in((unsigned)busy, (unsigned)calm, wide),
         ticks_in((unsigned)calm, (unsigned)end_of_calm, wide));
}

int main() {
  struct prof regions[2];
  struct { long sec, usec; } tick;

  if (profil(halves, sizeof halves, first_address(), 0x8000) != 0) return 1;
  work();
  profil(0, 0, 0, 0);
  show("profil", 0);

  regions[0].pr_base = words;
  regions[0].pr_size = sizeof words;
  regions[0].pr_off = first_address();
  regions[0].pr_scale = 0x10000;
  regions[1].pr_base = &elsewhere; /* the overflow bin: whatever no region has */
  regions[1].pr_size = sizeof elsewhere;
  regions[1].pr_off = 0;
  regions[1].pr_scale = 2;
  if (sprofil(regions, 2, &tick, PROF_UINT) != 0) return 1;
  work();
  sprofil(0, 0, 0, 0);
  show("sprofil", 1);
  printf("tick %ld.%06ld s, elsewhere %u\n", tick.sec, tick.usec, elsewhere);
  return 0;
}
