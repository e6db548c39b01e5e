#include "sim/timing/inherited_rows.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hardclock {
namespace {

constexpr std::array<std::string_view, 3> never_inherited = {"like", "clock", "revision"};

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// A `like` row.
struct Likeness {
  std::string base;
  std::vector<std::string> keywords;  // empty: all that no other row lists
  std::string grade;

  static Result<Likeness, std::string> read(const TimingRow& row) {
    RowReader reader(row);
    Likeness likeness{row.name, {}, row.grade};
    if (reader.has("rows")) likeness.keywords = words_of_list(reader.word("rows", ""));
    for (const std::string& keyword : likeness.keywords) {
      if (!is_row_keyword(keyword) || std::ranges::count(never_inherited, keyword) != 0) {
        reader.fail("no rows of keyword '" + keyword + "' can be inherited");
      }
    }
    if (std::string error = reader.error(); !error.empty()) return Failure{std::move(error)};
    return likeness;
  }
};

class Heir {
 public:
  Heir(CpuDescription& cpu, std::vector<Likeness> likenesses)
      : cpu_(cpu), likenesses_(std::move(likenesses)), is_placed_(cpu.rows.size()) {}

  void inherit_from(const CpuDescription& base) {
    for (const TimingRow& row : base.rows) {
      const Likeness* const likeness = likeness_of(base.name, row.keyword);
      if (likeness != nullptr) inherit(row, base.name, *likeness);
    }
  }

  // Own rows without a counterpart stand behind the others of their keyword; if there are none,
  // first.
  void finish() {
    std::vector<TimingRow> first;
    for (std::size_t i = 0; i < cpu_.rows.size(); ++i) {
      if (is_placed_[i]) continue;
      const auto last = std::find_if(rows_.rbegin(), rows_.rend(), [&](const TimingRow& row) {
        return row.keyword == cpu_.rows[i].keyword;
      });
      if (last == rows_.rend()) {
        first.push_back(cpu_.rows[i]);
      } else {
        rows_.insert(last.base(), cpu_.rows[i]);
      }
    }
    first.insert(first.end(), rows_.begin(), rows_.end());
    cpu_.rows = std::move(first);
  }

 private:
  // Null: none of the rows takes it.
  const Likeness* likeness_of(const std::string& base, const std::string& keyword) const {
    if (std::ranges::count(never_inherited, keyword) != 0) return nullptr;
    const Likeness* rest = nullptr;
    for (const Likeness& each : likenesses_) {
      if (contains(each.keywords, keyword)) return each.base == base ? &each : nullptr;
      if (each.keywords.empty() && each.base == base) rest = &each;
    }
    return rest;
  }

  void inherit(TimingRow row, const std::string& base, const Likeness& likeness) {
    std::vector<std::string> names = words_of_list(row.name);
    for (std::size_t i = 0; i < cpu_.rows.size(); ++i) {
      const TimingRow& own = cpu_.rows[i];
      if (own.keyword != row.keyword || !takes_place(own, row, names)) continue;
      if (!is_placed_[i]) rows_.push_back(own);
      is_placed_[i] = true;
    }
    if (names.empty()) return;
    row.name.clear();
    for (const std::string& name : names) row.name += (row.name.empty() ? "" : ",") + name;
    if (row.of.empty()) row.of = base;
    row.grade = worse_grade(row.grade, likeness.grade);
    rows_.push_back(std::move(row));
  }

  // Leaves in `names` what the inherited row is still about.
  static bool takes_place(const TimingRow& own, const TimingRow& inherited,
                          std::vector<std::string>& names) {
    if (inherited.keyword == "class") {
      const std::vector<std::string> taken = words_of_list(own.name);
      return std::erase_if(names, [&](const std::string& name) { return contains(taken, name); }) !=
             0;
    }
    if (own.name != inherited.name && !stands_once(own.keyword)) return false;
    names.clear();
    return true;
  }

  CpuDescription& cpu_;
  std::vector<Likeness> likenesses_;
  std::vector<bool> is_placed_;  // by the file's own rows
  std::vector<TimingRow> rows_;
};

class Inheritance {
 public:
  explicit Inheritance(std::vector<CpuDescription>& cpus) : cpus_(cpus), states_(cpus.size()) {}

  Result<Ok, std::string> complete(std::size_t index) {
    CpuDescription& cpu = cpus_[index];
    if (states_[index] == State::complete) return Ok{};
    if (states_[index] == State::begun)
      return Failure{cpu.name + ".timing: its like rows lead back to it; remove one of them"};
    states_[index] = State::begun;
    std::vector<Likeness> likenesses;
    std::vector<std::size_t> bases;
    for (const TimingRow& row : cpu.rows) {
      if (row.keyword != "like") continue;
      auto likeness = Likeness::read(row);
      if (!likeness) return Failure{cpu.name + ".timing: " + likeness.error()};
      const auto base = base_of(cpu, row);
      if (!base) return Failure{base.error()};
      if (std::ranges::find(bases, *base) == bases.end()) bases.push_back(*base);
      likenesses.push_back(*std::move(likeness));
    }
    Heir heir(cpu, std::move(likenesses));
    for (const std::size_t base : bases) {
      if (auto made = complete(base); !made) return made;
      heir.inherit_from(cpus_[base]);
    }
    heir.finish();
    states_[index] = State::complete;
    return Ok{};
  }

 private:
  enum class State : std::uint8_t { fresh, begun, complete };

  Result<std::size_t, std::string> base_of(const CpuDescription& cpu, const TimingRow& row) const {
    const auto found = std::ranges::find(cpus_, row.name, &CpuDescription::name);
    std::string wrong;
    if (found == cpus_.end()) {
      wrong = "there is no cpu " + row.name + " to be like; name one with a .timing file here";
    } else if (found->kind != cpu.kind) {
      wrong = row.name + " has another kind of pipeline; be like one of the same kind";
    } else {
      return static_cast<std::size_t>(found - cpus_.begin());
    }
    return Failure{cpu.name + ".timing: line " + std::to_string(row.line) + ": " + wrong};
  }

  std::vector<CpuDescription>& cpus_;
  std::vector<State> states_;
};

}  // namespace

Result<Ok, std::string> inherit_rows(std::vector<CpuDescription>& cpus) {
  Inheritance inheritance(cpus);
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    if (auto made = inheritance.complete(i); !made) return made;
  }
  return Ok{};
}

}  // namespace hardclock
