/* HP-UX Reference, getopt_long(3C), which is GNU's. */
#pragma once
enum { no_argument, required_argument, optional_argument };
struct option {
  const char* name;
  int has_arg, *flag, val;
};
int getopt_long(int, char* const*, const char*, const struct option*, int*);
int getopt_long_only(int, char* const*, const char*, const struct option*, int*);
