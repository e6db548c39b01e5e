/* Part 6: what counters hold before and after a case, and processes. */

/* A counter near its limit is brought as many real ticks nearer to it as one tick of the case
   means, and a few more, so that one tick more or less is no different case. */
unsigned long room(unsigned long low, unsigned long limit) {
  unsigned long left = limit - low;
  if (low > limit || left == 0 || left > 16) return low;
  return limit - (left * TICKS + 3 * TICKS / 8);
}

void preset(int number, int index, unsigned long high, unsigned long low) {
  const struct object* object = &objects[number];
  unsigned long real = low;
  preset_high[number][index] = (counter)high;
  preset_low[number][index] = (counter)low;
  if (object->width == 2) real = room(low, 0xffffUL);
  if (object->width == 4 || high == 0xffffffffUL) real = room(low, 0xffffffffUL);
#if CONFORM_SYSTEM == SOLARIS || CONFORM_SYSTEM == SOLARIS_2_5
  real = room(real, 32767UL);
#endif
  store(object, index, high, real);
  before[number][index] = (counter)load(object, index, 0);
}

/* The case expects zeroes in the object, but for what want() says. */
void want_object(int number) {
  int k;
  objects[number].is_wanted = 1;
  for (k = 0; k < ELEMENTS; ++k) wanted_low[number][k] = wanted_high[number][k] = 0;
}

void want(int number, int index, unsigned long high, unsigned long low) {
  wanted_high[number][index] = (counter)high;
  wanted_low[number][index] = (counter)low;
}

void compare_counter(int number, int index) {
  int width = objects[number].width;
  unsigned long mask = width == 2 ? 0xffffUL : 0xffffffffUL;
  unsigned long times = (unsigned long)(counted[number][index] + TICKS / 2) / TICKS;
  unsigned long low = (preset_low[number][index] + times) & mask;
  unsigned long high = preset_high[number][index];
  long difference = (long)low - (long)wanted_low[number][index];
  if (width == 8 && low < preset_low[number][index]) high = (high + 1) & 0xffffffffUL;
  if (high == wanted_high[number][index] && difference <= slack && difference >= -slack) return;
  put_text("# object ");
  put_number((long)number);
  put_text(", counter ");
  put_number((long)index);
  put_text(", ");
  put_number((long)counted[number][index]);
  put_text(" real ticks\n");
  fail("its value", (long)wanted_low[number][index], (long)low);
}

/* The expectations about counters. */
void compare(void) {
  int i, k;
  remember();
  take_strays(0);
  for (i = 0; i < object_count; ++i) {
    if (!objects[i].is_wanted || !objects[i].is_mapped) continue;
    for (k = 0; k < elements_of(&objects[i]); ++k) compare_counter(i, k);
  }
  check_guards();
}

/* The expectation about the state: whether ticks at the last pc still count. Where that has no
   counter in any region there is nothing to be seen. The counters are used up. */
void profiling_is(int is_on) {
  int object, index, i, k;
  long sum = 0, most = TICKS * (long)(span() / 4 + 1);
  if (!counter_of(where, &object, &index) || !objects[object].is_mapped) return;
  for (i = 0; i < object_count; ++i) {
    if (!objects[i].is_mapped || !objects[i].is_writable) continue;
    for (k = 0; k < elements_of(&objects[i]); ++k) store(&objects[i], k, 0UL, 0UL);
  }
  for (remember(); sum == 0 && most > 0; --most) {
    spin_ticks(1L);
    sum = take_expected();
  }
  if (is_on != (sum > 0)) fail("profiling on (1) or off (0)", (long)is_on, (long)(sum > 0));
}

/* Where a process has its text. */
struct text {
  unsigned long shift, here, where;
  struct call call;
};

void keep_text(struct text* in) {
  in->shift = shift;
  in->here = here;
  in->where = where;
  in->call = current;
}

/* The parent goes on when the child has ended, with its own text where the child shared memory. A
   child that could not perform its part has said why: then the case is not performed. */
void await_child(int child, const struct text* own) {
  int result = 0;
  if (child == -1) {
    give_up("no new process");
  } else if (wait(&result) != child) {
    give_up("the new process is not there");
  } else if (result == STATUS_SKIPPED << 8) {
    _exit(status == STATUS_OK ? STATUS_SKIPPED : status);
  } else if (result != 0) {
    fail("the status of the child", 0L, (long)result);
  }
  shift = own->shift;
  here = own->here;
  where = own->where;
  current = own->call;
}

void in_fork(void (*what)(void)) {
  struct text own;
  int child;
  keep_text(&own);
  child = fork();
  if (child == 0) {
    (*what)();
    _exit(status);
  }
  await_child(child, &own);
}

#if HAS_VFORK
/* Parent and child have one memory until the child's exec, but in 4.4BSD, whose descendants share
   again what it copied. */
void in_vfork(void (*what)(void)) {
  static struct text own;
  static int child;
#if defined(__NetBSD__) || defined(__FreeBSD__) || defined(__OpenBSD__)
  give_up("this system's vfork() is not that of 4.4BSD");
#endif
  keep_text(&own);
  child = vfork();
  if (child == 0) {
    (*what)();
    _exit(status);
  }
  await_child(child, &own);
}
#endif

#if HAS_SPROC
void (*in_sproc_do)(void);

void enter_sproc(void* unused) {
  (void)unused;
  (*in_sproc_do)();
  _exit(status);
}

void in_sproc(unsigned int share, void (*what)(void)) {
  struct text own;
  keep_text(&own);
  in_sproc_do = what;
  await_child((int)sproc(enter_sproc, share), &own);
}
#endif

char* program; /* a path of this program */

void exec_fails(void) {
  char* arguments[2];
  arguments[0] = program;
  arguments[1] = 0;
  if (execv("/no/such/program", arguments) != -1) fail("exec of nothing", -1L, 0L);
}

/* Becomes this program again, which goes on with the part `number` of resumed[]. */
void exec_self(int number) {
  char digits[6][12];
  char* arguments[9];
  arguments[0] = program;
  arguments[1] = "+";
  arguments[2] = decimal((unsigned long)number, digits[0]);
  arguments[3] = decimal(first_pc, digits[1]);
  arguments[4] = decimal(last_pc, digits[2]);
  arguments[5] = decimal(main_pc, digits[3]);
  arguments[6] = decimal(rounds_per_tick, digits[4]);
  arguments[7] = decimal((unsigned long)status, digits[5]);
  arguments[8] = 0;
  execv(program, arguments);
  give_up("the program cannot execute itself; start it by its path");
}
