// One system's calls as its programs see them, as TAP; needs a writable working directory.
//
//   PROGRAM                        the checks
//   PROGRAM random SEED PROCESSES  hostile calls, of which nothing is expected
//
// With other arguments it was executed by one of the checks.
#include <stdlib.h>
#include <string.h>

#include "tests/cli/guests/systems/checks.h"

int main(int argc, char** argv) {
  if (argc == 4 && strcmp(argv[1], "random") == 0) {
    return random_calls((unsigned int)atoi(argv[2]), atoi(argv[3]));
  }
  if (argc > 1) return executed(argc, argv);
  test_files(argv[0]);
  test_processes(argv[0]);
  test_signals();
  test_default_signals();
  test_memory();
  test_clocks();
  test_threads();
  test_hostile_calls();
  test_profiles(argv[0]);
  return finish_checks();
}
