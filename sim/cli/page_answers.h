// Where a manual page says something else than its kernel does: what the page answers to a question
// of the comparison.
#pragma once

#include <span>
#include <string_view>

namespace hardclock {

struct PageAnswer {
  std::string_view question;  // a Question's text
  std::string_view system;
  std::string_view answer;    // other than the system's own
  std::string_view sentence;  // the page's, in quotation marks, or which contradiction has it
};

std::span<const PageAnswer> page_answers();

}  // namespace hardclock
