// The lab as a person works at it: what is shown, what keys do, and what is typed for them. The
// same for a terminal and for a script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/lab/machine.h"
#include "sim/lab/session.h"

namespace hardclock::lab {

enum class View : std::uint8_t {
  overview,
  arithmetic,
  registers,
  counters,
  systems,
  rules,
  help,
};

struct Command {
  char key = 0;             // one of key_table()
  std::uint64_t times = 1;  // of keys that repeat
  std::string argument;     // of keys that ask for one
};

struct Key {
  char key;
  std::string_view name;    // for the line of keys: "step"
  std::string_view asks;    // the question for its argument; empty: it has none
  std::string_view manual;  // what it does
  bool repeats = false;     // s10 is ten times s
};
const std::vector<Key>& key_table();

// Words with blanks between them: "s10 t g 17 x rounding 2". The rest of a line behind # is a
// comment. Error: what is wrong with which word.
Result<std::vector<Command>, std::string> parse_script(std::string_view text);
// As a script has it: "s10", "g 17".
std::string text_of(const Command& command);

class Ui {
 public:
  explicit Ui(Session session) : session_(std::move(session)) {}

  // Error: what is wrong with its argument, one line.
  Result<Ok, std::string> perform(const Command& command);

  // A key of a terminal: a character, or one of these.
  static constexpr int enter = '\n', escape = 27, backspace = 127, no_key = -1;
  void press(int key);
  // As Session::stop_if().
  void stop_if(std::function<bool()> wanted) { session_.stop_if(std::move(wanted)); }

  bool is_over() const { return is_over_; }
  const Session& session() const { return session_; }
  View view() const { return view_; }
  std::optional<std::size_t> broken_rule() const { return rule_; }
  const std::string& message() const { return message_; }
  // What is asked for and what has been typed; empty: nothing is asked for.
  std::string prompt() const;

 private:
  Result<Ok, std::string> run_to(const std::string& where);
  Result<Ok, std::string> guess(const std::string& text);
  Result<Ok, std::string> break_rule(const std::string& name);
  void type(int key);

  Session session_;
  View view_ = View::overview;
  std::optional<std::size_t> rule_;
  std::string message_;
  const Key* asking_ = nullptr;
  std::string typed_;
  bool is_over_ = false;
};

}  // namespace hardclock::lab
