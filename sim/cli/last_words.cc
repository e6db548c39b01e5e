#include "sim/cli/last_words.h"

#include <cstdlib>
#include <utility>

#include "sim/base/check.h"
#include "sim/cli/answer.h"
#include "sim/cli/leftovers.h"
#include "syscalls/host/terminal.h"

namespace hardclock {
namespace {

std::function<void()> words_to_say;

[[noreturn]] void end() {
  host::restore_terminal();
  remove_leftovers();
  std::_Exit(exit_failure);
}

[[noreturn]] void say_and_end() {
  internal::after_failed_check = end;
  try {
    if (words_to_say) words_to_say();
  } catch (...) {
    // The bug may be anywhere, in what is said as well.
  }
  end();
}

}  // namespace

void end_after_bug() {
  say_and_end();
}

void end_in_order_after_failed_checks() {
  internal::after_failed_check = say_and_end;
}

LastWords::LastWords(std::function<void()> words) {
  words_to_say = std::move(words);
  end_in_order_after_failed_checks();
}

LastWords::~LastWords() {
  words_to_say = nullptr;
}

}  // namespace hardclock
