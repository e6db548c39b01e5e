/* A shared library with an initializer. */
#include <string.h>

int greetings, initialized;
const char *const greeting_words[2] = {"hello", "goodbye"};

void set_up(void *library, int is_loading) { initialized += library != 0 && is_loading; }

int greet(const char *name) {
  ++greetings;
  return strlen(name);
}

int call_back(int (*function)(int), int value) { return function(value); }
