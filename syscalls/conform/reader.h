// Typed reading of a JSON tree. The first error is kept, with its line and the path of its key;
// after it every value reads as nothing, so callers need to check only at the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syscalls/conform/json_tree.h"

namespace hardclock::conform {

// A value and its path.
struct Node {
  const JsonValue* json;
  std::string path;  // "cases[3].events[0].tick.pc"; empty for the root

  bool is(JsonValue::Kind kind) const { return json->kind == kind; }
};

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  const std::string& file() const { return file_; }

  // "cases.json:17: cases[3].events[0].tick.pc: REASON"
  std::string message(const Node& at, std::string_view reason) const;
  void fail(const Node& at, std::string_view reason);

  // Fails unless `object` is an object with all of the required keys, and others only from
  // `optional`.
  void check_keys(const Node& object, std::initializer_list<std::string_view> required,
                  std::initializer_list<std::string_view> optional = {});
  // A member of an object; fails if it is missing.
  Node get(const Node& object, std::string_view key);
  std::optional<Node> find(const Node& object, std::string_view key) const;
  std::vector<Node> elements(const Node& array);
  std::vector<std::pair<std::string, Node>> members(const Node& object);

  const std::string& text(const Node& value);
  bool truth(const Node& value);
  std::uint64_t number(const Node& value, std::uint64_t least, std::uint64_t most);
  std::int64_t signed_number(const Node& value, std::int64_t least, std::int64_t most);

 private:
  bool expect(const Node& value, JsonValue::Kind kind);

  std::string file_;
  std::string error_;
};

// The number, if `text` is only decimal digits and at most 2^64-1.
std::optional<std::uint64_t> parse_decimal(std::string_view text);
// The number, if `text` is "0x" and hexadecimal digits and at most 2^64-1.
std::optional<std::uint64_t> parse_hexadecimal(std::string_view text);

}  // namespace hardclock::conform
