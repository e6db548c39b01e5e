/* Part 4: spinning at known instructions for a known number of ticks. No clock is asked meanwhile:
   the program has measured, with profil() itself, which instructions the ticks find and how many
   rounds there are in a tick. The machine should have nothing else to do. */

#define TICKS 8  /* of the machine, for one of the case */
#define STRAYS 1 /* ticks of an event that may come before or after the spinning */

volatile unsigned int touched;

void spin(unsigned long rounds) {
  do {
    (void)touched;
  } while (--rounds != 0);
}

/* Through this, so that no compiler puts a copy of it elsewhere. */
void (*volatile spinner)(unsigned long) = spin;

unsigned long rounds_per_tick;
unsigned long first_pc, last_pc; /* of those that ticks find in spin() */
unsigned long main_pc;           /* the one that most ticks find */

/* Somewhere else in the loop, or else some instructions would never be found: what comes before the
   rounds takes a different time for each call. */
void spin_from_anywhere(unsigned long rounds) {
  static unsigned long random = 1;
  int i;
  random = (random * 25173 + 13849) & 0xffff;
  for (i = (int)(random >> 8 & 7); i > 0; --i) (void)touched;
  for (i = (int)(random >> 11 & 3); i > 0; --i) ++touched;
  if (random >> 13 & 1) touched = 1;
  if (random >> 14 & 1) (void)touched;
  if (random >> 15) ++touched;
  (*spinner)(rounds);
}

#if CONFORM_SYSTEM == GLIBC
/* Other programs may take the processor, and the rounds of a tick may take longer then. So the
   kernel is asked for the process's user time, as the timer of profil() has it, some times a tick.
 */
#define FAR_SECONDS 100000L
#define PARTS 16

long tick_length = 10000; /* microseconds */

long microseconds(void) {
  static int owner; /* a new process has no timers */
  struct itimerval timer;
  if (owner != (int)getpid()) {
    timer.it_value.tv_sec = FAR_SECONDS;
    timer.it_value.tv_usec = timer.it_interval.tv_sec = timer.it_interval.tv_usec = 0;
    setitimer(ITIMER_VIRTUAL, &timer, (struct itimerval*)0);
    owner = (int)getpid();
  }
  getitimer(ITIMER_VIRTUAL, &timer);
  return (FAR_SECONDS - (long)timer.it_value.tv_sec) * 1000000L - (long)timer.it_value.tv_usec;
}

void spin_ticks(long ticks) {
  long end = microseconds() + ticks * tick_length;
  while (microseconds() < end) spin_from_anywhere(rounds_per_tick / PARTS + 1);
}
#elif CONFORM_SYSTEM == IRIX
int ticks_a_tick = 1; /* of the fast clock 10: they are charged at the next normal one or exit */

void spin_ticks(long ticks) {
  for (; ticks > 0; --ticks) spin_from_anywhere(rounds_per_tick / (unsigned long)ticks_a_tick);
  if (ticks_a_tick != 1) (void)getpid();
}
#else
void spin_ticks(long ticks) {
  for (; ticks > 0; --ticks) spin_from_anywhere(rounds_per_tick);
}
#endif

#define SURVEY 512 /* counters of two bytes of text each */
#define ENOUGH 128 /* ticks */
#define CHANCE 1   /* of them that may find anything else */
unsigned short survey[SURVEY];

int start_profil(const struct region* region, unsigned long text) {
  profil_buffer buffer = (profil_buffer)region->base;
  return RESULT_OF(profil(buffer, region->size, region->offset + text, region->scale));
}

/* A variable: compilers that know glibc's header warn of a null pointer, which it says to pass. */
profil_buffer volatile no_buffer = 0;

int stop_profil(void) {
  return RESULT_OF(profil(no_buffer, 0, 0, 0));
}

long surveyed(void) {
  long sum = 0;
  int i;
  for (i = 0; i < SURVEY; ++i) sum += survey[i];
  return sum;
}

/* Rounds until a few ticks have come; 0 when none ever comes. */
unsigned long rounds_for_ticks(void) {
  unsigned long rounds;
  for (rounds = 1000; rounds < 0x40000000UL; rounds *= 2) {
    long sum = surveyed();
    (*spinner)(rounds);
    sum = surveyed() - sum;
    if (sum >= 4) return rounds / (unsigned long)sum;
  }
  return 0;
}

/* The instructions of the loop, from the survey of what lies behind `start`. */
int find_loop(const struct region* all, unsigned long start) {
  unsigned long x;
  int most = CHANCE;
  first_pc = 0;
  for (x = 0; x < 2 * SURVEY; ++x) {
    unsigned long at;
    if (!find_byte(all, all->offset + x, 2, &at) || survey[at / 2] <= CHANCE) continue;
    if (first_pc == 0) first_pc = start + x;
    last_pc = start + x;
    if (survey[at / 2] <= most) continue;
    most = survey[at / 2];
    main_pc = start + x;
  }
  return first_pc != 0;
}

int calibrate(void) {
  struct region all;
  unsigned long start = text_address(spin);
  long sum;
  all.base = (unsigned long)survey;
  all.size = sizeof survey;
  all.offset = start & WORD;
  all.scale = FINEST_SCALE;
  start_profil(&all, 0);
  rounds_per_tick = rounds_for_ticks();
  if (rounds_per_tick == 0) return 0;
  sum = surveyed();
  spin_ticks(ENOUGH);
  sum = surveyed() - sum;
  stop_profil();
  if (sum == 0) return 0;
  rounds_per_tick = rounds_per_tick / (unsigned long)sum * ENOUGH +
                    rounds_per_tick % (unsigned long)sum * ENOUGH / (unsigned long)sum;
  return rounds_per_tick != 0 && find_loop(&all, start);
}

#if CONFORM_SYSTEM == GLIBC
/* The timer of sprofil() comes as often as the kernel looks at timers. How often that is, is
   measured in a process of its own, for sprofil() can be started only once in one. */
long length_of_sprofil_tick(void) {
  struct prof regions[2];
  unsigned short others = 0;
  long from, ticks;
  int i;
  for (i = 0; i < SURVEY; ++i) survey[i] = 0;
  regions[0].pr_base = (void*)survey;
  regions[0].pr_size = sizeof survey;
  regions[0].pr_off = text_address(spin);
  regions[0].pr_scale = FINEST_SCALE;
  regions[1].pr_base = (void*)&others;
  regions[1].pr_size = sizeof others;
  regions[1].pr_off = 0;
  regions[1].pr_scale = 2;
  if (sprofil(regions, 2, (struct timeval*)0, PROF_USHORT) != 0) return 0;
  from = microseconds();
  spin_ticks(ENOUGH / 2L);
  from = microseconds() - from;
  ticks = surveyed() + *(volatile unsigned short*)&others;
  return ticks == 0 ? 0 : from / ticks;
}

long measure_sprofil(void) {
  long length = 0;
  int child, ends[2];
  if (pipe(ends) != 0) return 0;
  child = fork();
  if (child == 0) {
    length = length_of_sprofil_tick();
    _exit(write(ends[1], (char*)&length, sizeof length) != (long)sizeof length);
  }
  close(ends[1]);
  if (read(ends[0], (char*)&length, sizeof length) != (long)sizeof length) length = 0;
  close(ends[0]);
  wait((int*)0);
  return length;
}
long sprofil_tick_length;

long milliseconds(void) {
  return microseconds() / 1000;
}
#elif HAS_CLOCK
long milliseconds(void) {
  struct timeval now;
  static long start;
#if CONFORM_SYSTEM == SOLARIS_2_5
  gettimeofday(&now, (void*)0);
#else
  gettimeofday(&now, 0);
#endif
  if (start == 0) start = (long)now.tv_sec;
  return ((long)now.tv_sec - start) * 1000 + (long)now.tv_usec / 1000;
}
#endif
