#include "cli/last_words.h"

#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "cli/answer.h"
#include "cli/leftovers.h"
#include "sim/base/check.h"
#include "syscalls/host/terminal.h"

namespace hardclock {
namespace {

LastWords::Words words_to_say;
bool has_spoken = false;
std::terminate_handler abort_with_reason = nullptr;

[[noreturn]] void end() {
  host::restore_terminal();
  remove_leftovers();
  std::_Exit(exit_failure);
}

[[noreturn]] void say_and_end(const char* ending) {
  internal::after_failed_check = end;
  if (!std::exchange(has_spoken, true)) {
    try {
      if (words_to_say) words_to_say(ending);
    } catch (...) {
      // The bug may be anywhere, in what is said as well, and so may the want of memory.
    }
  }
  end();
}

bool is_for_want_of_memory(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
  return false;
}

void after_uncaught_exception() {
  if (!is_for_want_of_memory(std::current_exception())) abort_with_reason();
  host::restore_terminal();
  complain_of_memory();
  say_and_end("out of memory");
}

}  // namespace

void end_after_bug() {
  say_and_end("internal error");
}

void end_in_order_after_failures() {
  internal::after_failed_check = end_after_bug;
  if (abort_with_reason == nullptr) abort_with_reason = std::get_terminate();
  std::set_terminate(after_uncaught_exception);
}

LastWords::LastWords(Words words) {
  words_to_say = std::move(words);
  end_in_order_after_failures();
}

LastWords::~LastWords() {
  words_to_say = nullptr;
}

}  // namespace hardclock
