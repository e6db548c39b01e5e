// Manual pages that differ from their kernels: the page's own answer to a question of the
// comparison.
#pragma once

#include <span>
#include <string_view>

namespace hardclock {

struct PageAnswer {
  std::string_view question;  // a Question's text
  std::string_view system;
  std::string_view answer;    // differs from the system's own
  std::string_view sentence;  // the page's, in quotation marks, or the contradiction that has it
};

std::span<const PageAnswer> page_answers();

}  // namespace hardclock
