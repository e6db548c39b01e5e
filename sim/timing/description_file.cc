#include "sim/timing/description_file.h"

#include <vector>

namespace hardclock {
namespace {

std::string file_row(const TimingRow& row) {
  std::string text = row.keyword + " " + row.name;
  for (const auto& [key, value] : row.values) text += " " + key + " " + value;
  return text + " \\\n    " + row.grade + ": " + row.source + "\n";
}

std::string file_notes(const std::vector<std::string>& notes) {
  std::string text = notes.empty() ? "" : "\n";
  for (const std::string& note : notes) text += "note " + note + "\n";
  return text;
}

std::string statement(const std::string& keyword, const std::string& value) {
  return value.empty() ? "" : keyword + " " + value + "\n";
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ",") + word;
  return list;
}

}  // namespace

std::string to_file(const CpuDescription& description) {
  std::string text = statement("cpu", description.name) +
                     statement("called", list_of(description.other_names)) +
                     statement("isa", description.isa) +
                     statement("pipeline", std::string(pipeline_word(description))) +
                     statement("about", description.about) + "\n";
  for (const TimingRow& row : description.rows) {
    if (row.keyword != "like") text += file_row(row);
  }
  return text + file_notes(description.notes);
}

std::string to_file(const MachineDescription& description) {
  std::string text =
      statement("cpu", description.name) + statement("about", description.about) + "\n";
  for (const TimingRow& row : description.rows) text += file_row(row);
  return text + file_notes(description.notes);
}

}  // namespace hardclock
