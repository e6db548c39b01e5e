/* Whether the process ended as the case wants it to. */
int is_good(const struct test* test, int result) {
  if (result == STATUS_SKIPPED << 8) return 1;
  return test->ended_by == 0 ? result == 0 : (result & 0177) == test->ended_by;
}

/* Each case is a process of its own. */
void report(int number, const struct test* test, int result) {
  put_text(test->skipped != 0 || is_good(test, result) ? "ok " : "not ok ");
  put_number((long)number);
  put_text(" - ");
  put_text(test->title);
  if (test->skipped != 0) {
    put_text(" # SKIP ");
    put_text(test->skipped);
  } else if (result == STATUS_SKIPPED << 8) {
    put_text(" # SKIP see above");
  }
  put_text("\n");
}

int perform(const struct test* test) {
  int child, result = -1;
  if (test->defect != 0) {
    put_text("# ");
    put_text(test->defect);
    put_text("\n");
    return -1;
  }
  if (test->perform == 0) return 0;
  child = fork();
  if (child == 0) {
    is_doomed = test->ended_by != 0;
    (*test->perform)();
    _exit(status);
  }
  if (child == -1 || wait(&result) != child) put_text("# no process for the case\n");
  if ((result & 0177) != 0 && !is_good(test, result)) {
    put_text("# ended by signal ");
    put_number((long)(result & 0177));
    put_text("\n");
  }
  return result;
}

/* Performs the case, and again when it was not as expected: on a busy machine a tick may come late and
   find the process elsewhere. A system that breaks a rule does so each time. */
#define MOST_TIMES 3
int perform_until_good(const struct test* test) {
  int result, time;
  for (time = 1;; ++time) {
    result = perform(test);
    if (time == MOST_TIMES || test->defect != 0 || is_good(test, result)) return result;
    put_text("# not as expected: the case is performed again\n");
  }
}

int main(int argc, char** argv) {
  int i, all_ok = 1;
  program = argv[0];
  if (argc == 8) {
    first_pc = number_in(argv[3]);
    last_pc = number_in(argv[4]);
    main_pc = number_in(argv[5]);
    rounds_per_tick = number_in(argv[6]);
    status = (int)number_in(argv[7]);
    (*resumed[number_in(argv[2])])();
    _exit(status);
  }
  put_text("1..");
  put_number((long)TESTS);
  put_text("\n");
  if (!calibrate()) {
    put_text("Bail out! profil() counts no ticks of a loop\n");
    _exit(1);
  }
#if CONFORM_SYSTEM == GLIBC
  sprofil_tick_length = measure_sprofil();
  if (sprofil_tick_length == 0) {
    put_text("Bail out! sprofil() counts no ticks of a loop\n");
    _exit(1);
  }
#endif
  put_text("# the loop has ");
  put_number((long)(span() + 1));
  put_text(" bytes or less, a tick ");
  put_number((long)rounds_per_tick);
  put_text(" rounds of it\n");
  for (i = 0; i < TESTS; ++i) {
    int result = perform_until_good(&tests[i]);
    report(i + 1, &tests[i], result);
    if (tests[i].skipped == 0 && !is_good(&tests[i], result)) all_ok = 0;
  }
  _exit(!all_ok);
  return 0;
}
