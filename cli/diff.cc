// hardclock diff: what functions took in two profiles.
#include <string>
#include <vector>

#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/profile_files.h"
#include "cli/shared_objects.h"
#include "sim/report/difference.h"
#include "sim/report/flat.h"
#include "sim/report/viewers/report_tables.h"

namespace hardclock {
namespace {

struct ProfileTable {
  report::FlatReport rows;  // by function
  std::string processor;    // as in report::Profile
};

Result<ProfileTable, std::string> table_of(const std::string& profile_path,
                                           const std::string& program_path,
                                           const std::vector<std::string>& roots) {
  const auto image = load_profiled_program(program_path);
  if (!image) return Failure{image.error().message};
  const auto profile = load_profile(
      profile_path, {.byte_order = image->endian, .address_bits = image->address_bits});
  if (!profile) return Failure{profile.error().message};
  const report::Identity program = report::identity_of(program_path, *image);
  if (const auto other = objection(profile_path, *profile, program)) return Failure{other->message};
  const auto objects = find_shared_objects({&*profile}, program, roots);
  if (!objects) return Failure{objects.error()};
  const report::Profile* const exact = has_cycles(*profile) ? &*profile : nullptr;
  return ProfileTable{report::flat(*profile, image->symbols, exact, program, *objects),
                      profile->processor};
}

// As far as both tell.
bool same_rate(const report::FlatReport& a, const report::FlatReport& b) {
  return a.tick_rate == Hertz() || b.tick_rate == Hertz() || a.tick_rate == b.tick_rate;
}

// Cycles of two processors, or of two ways to count them, may well be compared, but not unawares.
void note_other_conditions(const ProfileTable& before, const ProfileTable& after) {
  if (before.processor == after.processor) return;
  const auto shown = [](const std::string& processor) {
    return processor.empty() ? std::string("not said") : printable(processor, processor.size());
  };
  complain("A and B were counted under different conditions: A: " + shown(before.processor) +
           "; B: " + shown(after.processor));
}

std::string rate_of(const report::FlatReport& table) {
  return std::to_string(table.tick_rate.value());
}

}  // namespace

int diff_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("diff", args);
  if (!arguments) return complain(arguments.error().message);
  const auto format = read_answer_format(*arguments, table_formats);
  if (!format) return complain(format.error().message);
  const auto roots = read_roots(*arguments);
  if (!roots) return complain(roots.error().message);
  const std::vector<std::string>& operands = arguments->operands();
  const auto before = table_of(operands[0], operands[1], *roots);
  if (!before) return complain(before.error());
  const auto after = table_of(operands[2], operands[operands.size() == 4 ? 3 : 1], *roots);
  if (!after) return complain(after.error());
  const report::Difference difference = report::difference(before->rows, after->rows);
  if (!difference.of_cycles && !same_rate(before->rows, after->rows)) {
    return complain("A has " + rate_of(before->rows) + " and B " + rate_of(after->rows) +
                    " ticks a second, which cannot be compared; profile both at one --hz");
  }
  note_other_conditions(*before, *after);
  if (*format == "text") {
    return deliver(*arguments, report::to_text(difference, answer_terminal(*arguments)));
  }
  return deliver(*arguments, report::data_text(report::table_of(difference), *format));
}

}  // namespace hardclock
