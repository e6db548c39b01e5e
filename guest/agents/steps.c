/* Part 5: what the cases are made of. A case's pc is performed by spin(): the case's text is moved
   so that the pc falls on the loop. The loop has a few instructions, so a tick may find the case's
   pc or one of those behind it; ticks of all these count for the counter of the case's pc. */

struct call current; /* the last call that succeeded */
unsigned long shift; /* real text address less the case's */
unsigned long here;  /* the case's address of the loop's first instruction */
unsigned long where; /* the case's pc */
struct call next;    /* being made up */

unsigned long span(void) {
  return last_pc - first_pc;
}

/* `distance` is a 32-bit number with a sign. */
unsigned long object_address(int number, unsigned long distance) {
  if (distance & 0x80000000UL) distance |= ~0xffffffffUL;
  return (unsigned long)objects[number].memory + distance;
}

void new_call(int name, int width, unsigned int flags) {
  next.name = name;
  next.width = width;
  next.flags = flags;
  next.count = 0;
  next.profcnt = 0;
  next.profp = POINTER_VALID;
  next.tvp = POINTER_NULL;
}

void region(unsigned long base, unsigned long size, unsigned long offset, unsigned long scale) {
  struct region* to = &next.regions[next.count++];
  to->base = base;
  to->size = size;
  to->offset = offset;
  to->scale = scale;
}

/* Whether a loop from there on has pcs that a region counts. */
int is_counted(const struct call* call, unsigned long first) {
  unsigned long x, at;
  for (x = 0; x <= span(); ++x) {
    if (region_of(call, first + x, &at) >= 0) return 1;
  }
  return 0;
}

/* Whether the regions can be moved with the text: the offset of `home`, which has the pc, may not
   wrap to above it, nor another one from above it to below. Systems that take the difference in a
   word of their own do not see that. */
int has_room(const struct call* call, int home) {
#if !IS_EARLY
  int i;
  for (i = 0; i < call->count; ++i) {
    const struct region* region = &call->regions[i];
    int is_above = region->offset > where;
    int will_be_above = region->offset + shift > where + shift;
    if (is_overflow_bin(region)) continue;
    if (is_above ? !will_be_above : will_be_above && i == home) return 0;
  }
#else
  (void)call;
  (void)home;
#endif
  return 1;
}

/* Moves the text to where the loop is at the case's pc: with its main instruction; with its first
   or last one if that is what no region counts and the others would be counted. */
void place(const struct call* call, unsigned long pc) {
  unsigned long at;
  int i = region_of(call, pc, &at);
  where = pc;
  here = (pc - (main_pc - first_pc)) & 0xffffffffUL;
  if (i < 0 && is_counted(call, here)) here = pc;
  if (i < 0 && is_counted(call, here)) here = (pc - span()) & 0xffffffffUL;
  if (i < 0 && is_counted(call, here)) give_up("the loop is longer than what no region has");
  shift = first_pc - here;
  if (!has_room(call, i)) {
    give_up("the distance to the offset does not fit in front of this program's text or behind it");
  }
}

#if HAS_SPROFIL
struct timeval tick;

/* A copy of the entries behind which no memory can be read. */
struct prof* entries_without_more(const struct prof* entries, int count) {
  char* pages = (char*)map_pages((void*)0, 2 * PAGES);
  struct prof* copy = (struct prof*)(pages + PAGES) - count;
  int i;
  unmap_pages(pages + PAGES);
  for (i = 0; i < count; ++i) copy[i] = entries[i];
  return copy;
}

int do_sprofil(const struct call* call) {
  struct prof regions[REGIONS];
  struct prof* profp = regions;
  struct timeval* tvp = &tick;
  int i;
  for (i = 0; i < call->count; ++i) {
    const struct region* from = &call->regions[i];
    unsigned long offset = from->offset + (is_overflow_bin(from) ? 0 : shift);
    regions[i].pr_base = (void*)from->base;
    regions[i].pr_size = (unsigned int)from->size;
#if CONFORM_SYSTEM == HP_UX
    regions[i].pr_offset = (void*)offset;
#else
    regions[i].pr_off = offset;
#endif
    regions[i].pr_scale = (unsigned int)from->scale;
  }
  if (call->profcnt != (long)call->count) profp = entries_without_more(regions, call->count);
  if (call->profp == POINTER_NULL) profp = 0;
  if (call->profp == POINTER_BAD) profp = (struct prof*)bad_address();
  if (call->tvp == POINTER_NULL) tvp = 0;
  if (call->tvp == POINTER_BAD) tvp = (struct timeval*)bad_address();
  return sprofil(profp, (int)call->profcnt, tvp, call->flags);
}
#endif

long do_call(const struct call* call) {
  errno = 0;
#if HAS_SPROFIL
  if (call->name == SPROFIL) return do_sprofil(call);
#endif
#if HAS_PCSAMPLE
  if (call->name == PCSAMPLE) return pcsample((uintptr_t*)call->regions[0].base, call->profcnt);
#endif
  return start_profil(&call->regions[0], is_overflow_bin(&call->regions[0]) ? 0 : shift);
}

/* Makes the call, with the text where `pc` needs it. */
void call(unsigned long pc, long result, int error) {
  unsigned long old_shift = shift, old_here = here, old_where = where;
  long seen;
  place(&next, pc);
  seen = do_call(&next);
  if (seen != result) fail("the call's result", result, seen);
  if (seen == -1 && error != 0 && errno != error) fail("errno", error, errno);
  if (seen != -1) {
    current = next;
#if CONFORM_SYSTEM == GLIBC
    tick_length = next.name == SPROFIL ? sprofil_tick_length : 10000;
#endif
  } else {
    shift = old_shift;
    here = old_here;
    where = old_where;
  }
}

/* Moves the text with a call that is the last one in all else. */
void move(unsigned long pc) {
  unsigned long old_shift = shift;
  place(&current, pc);
#if CONFORM_SYSTEM == GLIBC
  if (shift != old_shift && current.name == SPROFIL) {
    give_up("sprofil() starts only once, so its text cannot be moved to another pc");
  }
#endif
  if (shift != old_shift) do_call(&current);
}

/* As if the call had been made and had succeeded: what it was before an exec. */
void suppose(unsigned long pc) {
  current = next;
  place(&current, pc);
}

#if HAS_SPROFIL
void tick_is(long seconds, long microseconds) {
  if ((long)tick.tv_sec != seconds) fail("tv_sec", seconds, (long)tick.tv_sec);
  if ((long)tick.tv_usec != microseconds) fail("tv_usec", microseconds, (long)tick.tv_usec);
}
#endif

/* From the start of an object to a byte of a region's counters: addresses wrap. */
long distance_to(const struct object* object, const struct region* region, unsigned long at) {
  unsigned long distance = region->base + at - (unsigned long)object->memory;
#if WORD == 0xffffUL
  distance &= WORD;
  if (distance & 0x8000) distance |= ~WORD;
#endif
  return (long)distance;
}

/* Whether the regions have counters in the object, and the numbers of the first and the last. Large
   objects are not looked at as a whole at each event: ticks would find the program looking. */
int is_reached(int number, int* first, int* last) {
  const struct object* object = &objects[number];
  int i;
  *first = elements_of(object);
  *last = -1;
  if (!object->is_mapped) return 0;
  for (i = 0; i < current.count; ++i) {
    const struct region* region = &current.regions[i];
    long from = distance_to(object, region, 0UL);
    long to = region->size > LONGEST ? object->size : from + (long)region->size + object->width;
    if (region->size > LONGEST && region->size > (unsigned long)-from) from = 0;
    if (to <= object->skew || from >= object->size) continue;
    from = from < object->skew ? 0 : (from - object->skew) / object->width;
    to = (to - object->skew) / object->width;
    if (from < *first) *first = (int)from;
    if (to > *last) *last = (int)to;
  }
  if (*last >= elements_of(object)) *last = elements_of(object) - 1;
  return *first <= *last;
}

unsigned long counts_since(int object, int index) {
  unsigned long mask = objects[object].width == 2 ? 0xffffUL : 0xffffffffUL;
  return (load(&objects[object], index, 0) - before[object][index]) & mask;
}

/* The counter of a pc of the case: its object and index. 0: there is none. */
int counter_of(unsigned long pc, int* object, int* index) {
  unsigned long at;
  long distance;
  int i = region_of(&current, pc, &at);
  if (i < 0) return 0;
  for (*object = 0; *object < object_count; ++*object) {
    const struct object* to = &objects[*object];
    distance = distance_to(to, &current.regions[i], at) - to->skew;
    if (distance < 0 || distance / to->width >= elements_of(to)) continue;
    *index = (int)(distance / to->width);
    return 1;
  }
  return 0;
}

/* Whether an overflow bin has its counter in the object, and which. All other text has it. */
int bin_in(int number, int* index) {
  const struct object* object = &objects[number];
  const struct region* last = &current.regions[current.count - 1];
  long distance;
  if (current.count < 2 || !object->is_mapped || !is_overflow_bin(last)) return 0;
  distance = distance_to(object, last, 0UL) - object->skew;
  *index = (int)(distance / object->width);
  return distance >= 0 && *index < elements_of(object);
}

/* Of the loop's counters and the bins' last, for ticks that find the program looking are theirs. */
void remember(void) {
  unsigned long x;
  int i, k, last;
  for (i = 0; i < object_count; ++i) {
    if (!is_reached(i, &k, &last)) continue;
    for (; k <= last; ++k) before[i][k] = (counter)load(&objects[i], k, 0);
  }
  for (i = 0; i < object_count; ++i) {
    if (bin_in(i, &k)) before[i][k] = (counter)load(&objects[i], k, 0);
  }
  for (x = 0; x <= span(); ++x) {
    if (!counter_of(here + x, &i, &k) || !objects[i].is_mapped) continue;
    before[i][k] = (counter)load(&objects[i], k, 0);
  }
}

/* Whether all counters of the loop are in an object or near one. */
int has_all_counters(void) {
  unsigned long x, at;
  int i, n;
  for (x = 0; x <= span(); ++x) {
    if ((i = region_of(&current, here + x, &at)) < 0) continue;
    for (n = 0; n < object_count; ++n) {
      long from = distance_to(&objects[n], &current.regions[i], at);
      long near = objects[n].is_far ? FAR_PAGES / 4 : GUARD - (long)current.width;
      if (from >= -near && from < objects[n].size + near) break;
    }
    if (n == object_count) return 0;
  }
  return 1;
}

/* Zeroes what pcs of the loop count right in front of an object and right behind it. */
void clear_surroundings(void) {
  unsigned long x, at;
  long k;
  int i, n;
  for (x = 0; x <= span(); ++x) {
    if ((i = region_of(&current, here + x, &at)) < 0) continue;
    for (n = 0; n < object_count; ++n) {
      const struct object* object = &objects[n];
      long from = distance_to(object, &current.regions[i], at);
      long last = object->skew + (long)elements_of(object) * object->width;
      if (!object->is_mapped || from < (object->is_paged ? 0 : -GUARD)) continue;
      for (k = from; k < from + current.width && k < object->size + GUARD; ++k) {
        if ((k < object->skew || k >= last) && object->memory[k] != 0) object->memory[k] = 0;
      }
    }
  }
}

/* Takes the ticks of counters that pcs of the loop have. */
long take_expected(void) {
  unsigned long x;
  long sum = 0;
  int object, index;
  for (x = 0; x <= span(); ++x) {
    if (!counter_of(here + x, &object, &index) || !objects[object].is_mapped) continue;
    sum += (long)counts_since(object, index);
    before[object][index] = (counter)load(&objects[object], index, 0);
  }
  return sum;
}

/* What other counters got is wrong, and shall be seen as at least one tick. In the end all counters
   are looked at, also those that no region of the last call has. */
void take_strays(int are_reached) {
  int i, k, last, bin;
  for (i = 0; i < object_count; ++i) {
    if (!objects[i].is_mapped) continue;
    k = 0;
    last = elements_of(&objects[i]) - 1;
    if (are_reached && !is_reached(i, &k, &last)) continue;
    if (!bin_in(i, &bin)) bin = -1;
    for (; k <= last; ++k) {
      long strays = (long)counts_since(i, k);
      if (strays > (k == bin ? TICKS / 2 : STRAYS)) counted[i][k] += (int)(strays < TICKS ? TICKS : strays);
      before[i][k] = (counter)load(&objects[i], k, 0);
    }
  }
}

int has_preset(int object, int index) {
  return preset_low[object][index] != 0 || preset_high[object][index] != 0;
}

/* Whether not all of the loop's ticks can count for this counter of its first pc: some pcs have no
   counter, or several have one and one of these began near its limit. */
int is_mixed(int home, int home_index) {
  unsigned long x;
  int object, index, is_near = has_preset(home, home_index), is_alone = 1;
  for (x = 0; x <= span(); ++x) {
    if (!counter_of(here + x, &object, &index)) return 1;
    if (object != home || index != home_index) is_alone = 0;
    if (has_preset(object, index)) is_near = 1;
  }
  return is_near && !is_alone;
}

/* Of the loop's other counters: 0 while one of them is to count alone, and back to what they were.
 */
void put_neighbours(int home, int home_index, int is_back) {
  unsigned long x;
  int object, index;
  for (x = 0; x <= span(); ++x) {
    if (!counter_of(here + x, &object, &index)) continue;
    if (!objects[object].is_writable || (object == home && index == home_index)) continue;
    store(&objects[object], index, load(&objects[object], index, 1),
          is_back ? before[object][index] : 0UL);
  }
}

/* Spins until this counter alone has got its ticks, or seems to get no more. */
long take_one(int home, int home_index, long wanted) {
  long most = wanted * 2 * (long)(span() / 4 + 1);
  put_neighbours(home, home_index, 0);
  for (; most > 0 && (long)counts_since(home, home_index) < wanted; --most) spin_ticks(1L);
  put_neighbours(home, home_index, 1);
  wanted = (long)counts_since(home, home_index);
  before[home][home_index] = (counter)load(&objects[home], home_index, 0);
  return wanted;
}

#if CONFORM_SYSTEM == GLIBC
/* Spins until the loop has its ticks, or seems to get no more: how many ticks sprofil() has in a
   time is up to the machine, also to what other machines leave it. */
long take_all(long wanted) {
  long sum = 0, most = 4 * wanted;
  for (; most > 0 && sum < wanted; --most) {
    spin_ticks(1L);
    sum += take_expected();
  }
  return sum;
}
#define IS_UNSTEADY (current.name == SPROFIL)
#else
#define IS_UNSTEADY 0
#define take_all(wanted) 0
#endif

/* `n` ticks of the case at `pc`. Profiling that is off by now must not be made again by a call that
   moves the text: then `may_move` is 0, and any pc will do. */
void ticks(unsigned long pc, long n, int may_move) {
  int object, index, has_counter, has_mixed;
  unsigned long at;
  if (may_move) move(pc);
  has_counter = may_move && counter_of(pc, &object, &index) && objects[object].is_mapped;
  if (has_counter && !has_all_counters()) {
    give_up("the loop has instructions with counters far from that of the case's pc");
  }
  has_mixed = has_counter && is_mixed(object, index);
  remember();
  if (has_mixed) {
    counted[object][index] += (int)take_one(object, index, n * TICKS);
  } else if (has_counter && IS_UNSTEADY) {
    counted[object][index] += (int)take_all(n * TICKS);
  } else {
    /* Where nothing is to be seen, the main instruction is found in the end. */
    int is_seen = has_counter || !may_move || region_of(&current, pc, &at) < 0;
    spin_ticks(n * TICKS * (is_seen ? 1L : (long)(span() / 4 + 1)));
  }
  if (has_counter) counted[object][index] += (int)take_expected();
  if (may_move) clear_surroundings();
  take_strays(1);
}

#if CONFORM_SYSTEM == IRIX
/* The same with ticks of the fast clock. */
void fast_ticks(unsigned long pc, long n, int may_move) {
  ticks_a_tick = 10;
  ticks(pc, n, may_move);
  ticks_a_tick = 1;
}
#endif

#if HAS_CLOCK
int slack; /* by how many counts a long run may differ */

/* `time` milliseconds at `pc`, in ticks of the profiling clock, `hertz` a second. */
void run(unsigned long pc, long time, long hertz) {
  int object, index;
  long started, sum;
  move(pc);
  remember();
  started = milliseconds();
  spin_ticks(time * hertz / 1000);
  started = milliseconds() - started;
  if (counter_of(pc, &object, &index)) {
    if (is_mixed(object, index)) give_up("the loop is longer than a counter");
    sum = take_expected();
    if (started > 0) sum = (sum * time + started / 2) / started;
    counted[object][index] += (int)(sum * TICKS);
    slack = (int)(sum / 50 + 1);
  }
  take_strays(1);
}
#else
#define slack 0
#endif
