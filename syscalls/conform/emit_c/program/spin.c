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

/* Each tick begins somewhere else in the loop, or else some instructions would never be found: what
   comes before the rounds takes a different time for each of them. */
void spin_ticks(long ticks) {
  static unsigned long random = 1;
  int i;
  for (; ticks > 0; --ticks) {
    random = (random * 25173 + 13849) & 0xffff;
    for (i = (int)(random >> 8 & 7); i > 0; --i) (void)touched;
    for (i = (int)(random >> 11 & 3); i > 0; --i) ++touched;
    if (random >> 13 & 1) touched = 1;
    if (random >> 14 & 1) (void)touched;
    if (random >> 15) ++touched;
    (*spinner)(rounds_per_tick);
  }
}

#define SURVEY 512 /* counters of two bytes of text each */
#define ENOUGH 128 /* ticks */
#define CHANCE 1   /* of them that may find anything else */
unsigned short survey[SURVEY];

int start_profil(const struct region* region, unsigned long text) {
  profil_buffer buffer = (profil_buffer)region->base;
  return RESULT_OF(profil(buffer, region->size, region->offset + text, region->scale));
}

int stop_profil(void) {
  return RESULT_OF(profil((profil_buffer)0, 0, 0, 0));
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

#if HAS_CLOCK
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
