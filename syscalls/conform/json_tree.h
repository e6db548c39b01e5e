// JSON text as a tree that remembers the line of each value, for messages about a case file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/result.h"

namespace hardclock::conform {

struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };

  Kind kind = Kind::null;
  std::size_t line = 1;         // of its first character
  bool truth = false;           // boolean
  bool negative = false;        // integer
  std::uint64_t magnitude = 0;  // integer: at most 2^64-1, negative at most 2^63
  std::string text = {};        // string, valid UTF-8
  // array: without names; object: in the order of the text, no name twice.
  std::vector<std::pair<std::string, const JsonValue*>> members = {};

  // The member of an object, or nullptr.
  const JsonValue* find(std::string_view name) const;
};

// "an object", "a number", ... for messages.
std::string_view kind_name(JsonValue::Kind kind);

// Owns its values, side by side: destruction does not recurse, however deep the text nests.
class JsonTree {
 public:
  const JsonValue& root() const { return values_.front(); }

 private:
  friend class JsonTreeBuilder;
  std::deque<JsonValue> values_;  // the root is the first; a deque never moves them
};

struct JsonError {
  std::size_t line = 1;
  std::string reason;
};

inline constexpr std::size_t deepest_json = 64;  // nested arrays and objects
inline constexpr std::size_t most_json_values = 1'000'000;

// `text` may be any bytes. Errors: not JSON (RFC 8259), a number too large to be represented, a
// name twice in one object, more than deepest_json levels or most_json_values values.
Result<JsonTree, JsonError> parse_json(std::string_view text);

}  // namespace hardclock::conform
