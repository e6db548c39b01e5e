// Files for Konata, replayed by a reader written from the format's description
// (github.com/shioyadan/Konata, docs/kanata-log-format.md), which knows nothing of the writer.
#include "sim/trace/konata.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/trace/random_records.h"

namespace hardclock {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
  return fields;
}

// What a viewer knows of an instruction.
struct Seen {
  std::uint64_t number = 0;
  std::string label;
  std::string detail;
  std::vector<PipelineRecord::Stage> stages;
  std::vector<std::uint64_t> producers;  // ids in the file
  std::uint64_t introduced = 0;
  std::optional<std::uint64_t> left;
  std::uint64_t retirement = 0;
  bool flushed = false;
};

class Replay {
 public:
  explicit Replay(const std::string& file) {
    std::istringstream in(file);
    std::string line;
    std::getline(in, line);
    expect(line == "Kanata\t0004", line);
    while (std::getline(in, line)) command(line);
  }

  const std::vector<Seen>& instructions() const { return instructions_; }

 private:
  static void expect(bool holds, const std::string& line) {
    if (!holds) throw std::runtime_error("in the command: " + line);
  }

  Seen& alive(const std::string& id, const std::string& line) {
    expect(std::stoull(id) < instructions_.size(), line);
    Seen& seen = instructions_[std::stoull(id)];
    expect(!seen.left, line);
    return seen;
  }

  void command(const std::string& line) {
    const std::vector<std::string> fields = fields_of(line);
    const std::string& name = fields.at(0);
    if (name == "C=") {
      expect(!cycle_ && fields.size() == 2, line);
      cycle_ = std::stoull(fields[1]);
      return;
    }
    expect(cycle_.has_value(), line);
    if (name == "C") {
      expect(fields.size() == 2 && std::stoull(fields[1]) > 0, line);
      *cycle_ += std::stoull(fields[1]);
    } else if (name == "I") {
      expect(fields.size() == 4 && std::stoull(fields[1]) == instructions_.size(), line);
      instructions_.emplace_back().number = std::stoull(fields[2]);
      instructions_.back().introduced = *cycle_;
    } else {
      of_instruction(name, fields, alive(fields.at(1), line), line);
    }
  }

  void of_instruction(const std::string& name, const std::vector<std::string>& fields, Seen& seen,
                      const std::string& line) {
    expect(fields.size() == 4, line);
    if (name == "L") {
      expect(fields[2] == "0" || fields[2] == "1", line);
      (fields[2] == "0" ? seen.label : seen.detail) += fields[3];
    } else if (name == "S") {
      expect(fields[2] == "0", line);
      seen.stages.push_back({fields[3], *cycle_, *cycle_});
    } else if (name == "E") {
      expect(fields[2] == "0" && !seen.stages.empty() && seen.stages.back().name == fields[3],
             line);
      seen.stages.back().end = *cycle_;
    } else if (name == "R") {
      expect(fields[3] == "0" || fields[3] == "1", line);
      seen.left = *cycle_;
      seen.retirement = std::stoull(fields[2]);
      seen.flushed = fields[3] == "1";
    } else if (name == "W") {
      expect(fields[3] == "0" && std::stoull(fields[2]) < instructions_.size(), line);
      seen.producers.push_back(std::stoull(fields[2]));
    } else {
      expect(false, line);
    }
  }

  std::vector<Seen> instructions_;
  std::optional<std::uint64_t> cycle_;
};

std::string file_of(const std::vector<PipelineRecord>& records) {
  std::ostringstream out;
  KonataWriter writer(out);
  for (const PipelineRecord& record : records) writer.add(record);
  writer.finish();
  return out.str();
}

// The first sample of the format's description, without its comments and with the E commands,
// which it leaves out as it may.
TEST(Konata, WritesTheSampleOfTheDescription) {
  PipelineRecord first;
  first.pc = GuestAddr(0x12000d918);
  first.text = "iBC(r17)";
  first.stages = {{"F", 216, 217}, {"X", 217, 218}};
  PipelineRecord second;
  second.number = 1;
  second.pc = GuestAddr(0x12000d91c);
  second.text = "r4 = iALU(r3, r2)";
  second.stages = {{"F", 217, 218}, {"X", 218, 219}};
  second.completed = false;
  EXPECT_EQ(file_of({first, second}),
            "Kanata\t0004\n"
            "C=\t216\n"
            "I\t0\t0\t0\n"
            "L\t0\t0\t12000d918  iBC(r17)\n"
            "S\t0\t0\tF\n"
            "C\t1\n"
            "E\t0\t0\tF\n"
            "S\t0\t0\tX\n"
            "I\t1\t1\t0\n"
            "L\t1\t0\t12000d91c  r4 = iALU(r3, r2)\n"
            "S\t1\t0\tF\n"
            "C\t1\n"
            "E\t0\t0\tX\n"
            "R\t0\t0\t0\n"
            "E\t1\t0\tF\n"
            "S\t1\t0\tX\n"
            "C\t1\n"
            "E\t1\t0\tX\n"
            "R\t1\t1\t1\n");
}

void check_instruction(const Seen& seen, const PipelineRecord& record, std::uint64_t first) {
  RC_ASSERT(seen.number == record.number);
  RC_ASSERT(seen.label.ends_with("  instruction " + std::to_string(record.number)));
  RC_ASSERT(seen.stages == record.stages);
  RC_ASSERT(seen.left.has_value());
  RC_ASSERT(seen.flushed == !record.completed);
  if (!record.stages.empty()) {
    RC_ASSERT(seen.introduced == record.stages.front().begin);
    RC_ASSERT(*seen.left == record.stages.back().end);
  }
  std::string detail;
  for (const std::string& note : record.notes) detail += (detail.empty() ? "" : "\\n") + note;
  RC_ASSERT(seen.detail == detail);
  std::vector<std::uint64_t> producers;
  for (const std::uint64_t producer : record.producers) {
    if (producer >= first) producers.push_back(producer - first);
  }
  RC_ASSERT(seen.producers == producers);
}

RC_GTEST_PROP(Konata, AReplayFindsEveryInstruction, ()) {
  const std::vector<PipelineRecord> records = random_records();
  const Replay replay(file_of(records));
  RC_ASSERT(replay.instructions().size() == records.size());
  std::map<std::uint64_t, std::uint64_t> retired;  // cycles by retirement
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Seen& seen = replay.instructions()[i];
    check_instruction(seen, records[i], records.front().number);
    if (!seen.flushed) RC_ASSERT(retired.emplace(seen.retirement, *seen.left).second);
  }
  // "A serial id for instructions retired": 0, 1, 2 and so on as time goes.
  std::uint64_t serial = 0;
  std::uint64_t cycle = 0;
  for (const auto& [retirement, left] : retired) {
    RC_ASSERT(retirement == serial++);
    RC_ASSERT(left >= cycle);
    cycle = left;
  }
}

TEST(Konata, NoInstructionsAreAHeader) {
  EXPECT_EQ(file_of({}), "Kanata\t0004\n");
}

// A tab would be one more field, a newline one more command.
TEST(Konata, TextStaysInItsField) {
  PipelineRecord record;
  record.text = "nop\tand\nmore";
  record.notes = {"a\tb"};
  record.stages = {{"I\tF", 3, 4}};
  const Replay replay(file_of({record}));
  ASSERT_EQ(replay.instructions().size(), 1u);
  EXPECT_EQ(replay.instructions()[0].label, "00000000  nop and more");
  EXPECT_EQ(replay.instructions()[0].detail, "a b");
  EXPECT_EQ(replay.instructions()[0].stages[0].name, "I F");
}

// Long streams: what is over is in the file before the stream ends.
TEST(Konata, KeepsOnlyWhatOverlaps) {
  std::ostringstream out;
  KonataWriter writer(out);
  PipelineRecord record;
  for (record.number = 0; record.number < 1000; ++record.number) {
    record.stages = {{"F", record.number, record.number + 5}};
    writer.add(record);
  }
  const std::string text = out.str();
  EXPECT_NE(text.find("\nR\t993\t993\t0\n"), std::string::npos);
  EXPECT_NE(text.find("\nI\t998\t"), std::string::npos);
}

}  // namespace
}  // namespace hardclock
