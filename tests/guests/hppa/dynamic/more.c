/* A shared library that no program is linked with: it is loaded by name. It needs libgreet. */
int more_calls;

extern int greet(const char *name);               /* library.c */
extern int more_starts, more_ends;                /* binding.c */
extern int nobody_has_this_either(int value);

void tear_down(void) { ++more_ends; }

/* SOM libraries have one function for both. */
void set_up(void *library, int is_loading) {
  if (library != 0 && is_loading) {
    ++more_starts;
  } else {
    tear_down();
  }
}

int more(const char *name) {
  ++more_calls;
  return greet(name) + 1;
}

int broken(void) { return nobody_has_this_either(1); }
