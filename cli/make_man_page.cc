// Prints hardclock.1: the build's way to the page of `hardclock help --man`, without the simulator.
#include "cli/answer.h"
#include "cli/help_text.h"

int main() {
  return hardclock::answer(hardclock::man_page());
}
