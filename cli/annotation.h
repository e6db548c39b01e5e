// hardclock report --annotate: functions instruction by instruction, with what each took.
#pragma once

#include <string>
#include <string_view>

#include "cli/answer.h"
#include "cli/source_text.h"
#include "sim/base/terminal.h"
#include "sim/load/image.h"
#include "sim/report/by_line.h"
#include "sim/report/flat.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"

namespace hardclock {

struct Annotation {
  const report::Profile& sampled;
  const report::Profile* exact;  // null: there are no exact cycles
  const report::Identity& program;
  const Image& image;              // the program's
  const report::Objects& objects;  // the shared objects that are known
  const report::Lines& lines;      // of those files that have any
  SourceText& source;
  std::string_view format;     // "text", "csv" or "json"
  AnswerSink* sink = nullptr;  // null: it is printed
  Terminal terminal = {};      // that shows the listing
};

// Prints the functions of that name or, if it is empty, those with a hundredth of all cycles or
// ticks and more, most first, as a listing or as the table "instructions". Returns the command's
// exit status.
int annotate(const Annotation& what, const std::string& function);

}  // namespace hardclock
