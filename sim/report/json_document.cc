#include "sim/report/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace hardclock::report {
namespace {

// What a document may cost in memory: a member of an object takes about 200 bytes of it, another
// value at most 50.
constexpr std::size_t most_members = 1'000'000;
constexpr std::size_t most_values = 8'000'000;
constexpr std::size_t deepest = 64;

struct TooLarge {
  std::string why;
};

// Stops the parser, by TooLarge, when a document is out of bounds.
class Bounds {
 public:
  void count(Json::parse_event_t event) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        count_one(depth_, deepest, "is nested deeper than {} levels");
        return count_one(values_, most_values, "has more than {} values");
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end:
        --depth_;
        return;
      case Json::parse_event_t::key:
        return count_one(members_, most_members, "has more than {} members of objects");
      case Json::parse_event_t::value:
        return count_one(values_, most_values, "has more than {} values");
    }
  }
  void forget_values(std::size_t values) { values_ -= values; }

 private:
  static void count_one(std::size_t& counted, std::size_t most, const char* why) {
    if (++counted > most) throw TooLarge{fmt::format(fmt::runtime(why), most)};
  }

  std::size_t depth_ = 0;
  std::size_t members_ = 0;
  std::size_t values_ = 0;
};

// The number of "0x" and hexadecimal digits, up to 64 bits.
std::optional<std::uint64_t> address_in(std::string_view key) {
  if (!key.starts_with("0x")) return std::nullopt;
  std::uint64_t address = 0;
  const char* const end = key.data() + key.size();
  const auto [stop, problem] = std::from_chars(key.data() + 2, end, address, 16);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return address;
}

// An item that is not like the others of its table.
struct Stranger {
  std::string what;
};

// A row of numbers, of which some are addresses; the first one may be a parent's index, or -1.
struct RowShape {
  std::size_t size = 0;
  unsigned addresses = 0;  // their bits
  bool has_parent = false;

  bool is_address(std::size_t i) const { return (addresses >> i & 1) != 0; }
  bool is_parent(std::size_t i) const { return has_parent && i == 0; }
  std::size_t bytes() const { return size * sizeof(std::uint64_t); }
};
// Of call_tree and of call_arcs.
constexpr RowShape row_shapes[] = {{.size = 5, .addresses = 0b00010, .has_parent = true},
                                   {.size = 4, .addresses = 0b0011, .has_parent = false}};

template <class Item>
void append(const Item& item, std::vector<std::uint8_t>& bytes) {
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(&item);
  bytes.insert(bytes.end(), begin, begin + sizeof item);
}

constexpr std::uint64_t no_parent = ~std::uint64_t{0};

// Nullopt: it belongs to no row.
std::optional<std::uint64_t> number_in(const Json& item, bool is_address, bool is_parent) {
  if (is_address) {
    return item.is_string() ? address_in(item.get_ref<const std::string&>()) : std::nullopt;
  }
  if (is_parent && item == -1) return no_parent;
  if (!item.is_number_unsigned()) return std::nullopt;
  const auto number = item.get<std::uint64_t>();
  return is_parent && number == no_parent ? std::nullopt : std::optional(number);
}

// Empty: it is no such row.
std::vector<std::uint64_t> numbers_in_row(const Json& array) {
  const auto* const shape = std::ranges::find(row_shapes, array.size(), &RowShape::size);
  if (!array.is_array() || shape == std::end(row_shapes)) return {};
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const auto number = number_in(array[i], shape->is_address(i), shape->is_parent(i));
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

// Takes what a profile has millions of out of the document, which would need ten times the memory
// for it: members whose keys are addresses, and rows of call trees and call arcs.
class Tables {
 public:
  // Whether the document keeps the event's member or value.
  bool see(Json::parse_event_t event, Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        expect_no_count();
        open_.push_back({.is_array = event == Json::parse_event_t::array_start, .bytes = {}});
        return true;
      case Json::parse_event_t::key:
        address_ = address_in(parsed.get_ref<const std::string&>());
        return !address_;
      case Json::parse_event_t::value:
        if (!address_) return true;
        take_count(parsed);
        return false;
      case Json::parse_event_t::object_end:
        close(parsed, sizeof(CountAt));
        return true;
      case Json::parse_event_t::array_end:
        close(parsed, open_.back().row_bytes);
        return !take_row(parsed);
    }
    return true;
  }

 private:
  struct Open {
    bool is_array = false;
    std::vector<std::uint8_t> bytes;  // of what was taken so far
    std::size_t row_bytes = 0;
  };

  // Puts what was taken out of it in the place of the container.
  void close(Json& parsed, std::size_t item_bytes) {
    std::vector<std::uint8_t> bytes = std::move(open_.back().bytes);
    open_.pop_back();
    if (bytes.empty()) return;
    if (parsed.is_array() && !parsed.empty()) {
      throw Stranger{"a table of calls has an item of another kind"};
    }
    // Beside addresses, other members are wrong, and so are those.
    if (!parsed.empty()) return;
    // Not Json::binary(): where that finds no memory, the destructor of what it has begun crashes.
    parsed = Json(Json::binary_t(std::move(bytes), item_bytes));
  }

  void expect_no_count() const {
    if (address_) throw Stranger{no_count()};
  }
  std::string no_count() const {
    return fmt::format("the address 0x{:08x} has no whole number from 0 to {}", *address_,
                       std::numeric_limits<std::uint64_t>::max());
  }
  void take_count(const Json& value) {
    if (!value.is_number_unsigned()) throw Stranger{no_count()};
    append(CountAt{*address_, value.get<std::uint64_t>()}, open_.back().bytes);
    address_.reset();
  }

  bool take_row(const Json& parsed) {
    if (open_.empty() || !open_.back().is_array) return false;
    const std::vector<std::uint64_t> row = numbers_in_row(parsed);
    if (row.empty()) return false;
    Open& table = open_.back();
    const std::size_t size = row.size() * sizeof(std::uint64_t);
    if (!table.bytes.empty() && size != table.row_bytes) {
      throw Stranger{fmt::format("item {} of a table of calls is not like those before it",
                                 table.bytes.size() / table.row_bytes)};
    }
    table.row_bytes = size;
    for (const std::uint64_t number : row) append(number, table.bytes);
    return true;
  }

  std::vector<Open> open_;
  std::optional<std::uint64_t> address_;  // the key whose value comes
};

// JSON leaves open which of two equal keys counts, so a document with such a pair is refused.
class DuplicateKeys {
 public:
  void see(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      open_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!open_.back().insert(key).second && !first_) first_ = key;
    }
  }

  const std::optional<std::string>& first() const { return first_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::optional<std::string> first_;
};

}  // namespace

Result<Json, std::string> parse_json(std::span<const std::uint8_t> bytes) {
  Bounds bounds;
  DuplicateKeys duplicates;
  Tables tables;
  const auto see = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
    const bool is_kept = tables.see(event, parsed);
    const bool is_row = !is_kept && event == Json::parse_event_t::array_end;
    if (is_kept || is_row) bounds.count(event);
    if (is_row) bounds.forget_values(1 + parsed.size());
    if (is_kept) duplicates.see(event, parsed);
    return is_kept;
  };
  try {
    Json document = Json::parse(bytes.begin(), bytes.end(), see);
    if (duplicates.first()) {
      return Failure{
          fmt::format("the key {} occurs twice in one object", quote(*duplicates.first()))};
    }
    return document;
  } catch (const Stranger& error) {
    return Failure{error.what};
  } catch (const TooLarge& error) {
    return Failure{"it " + error.why + ", which no profile has"};
  } catch (const Json::parse_error& error) {
    return Failure{fmt::format("it stops being JSON at byte {} of {}; the file is damaged",
                               std::min(error.byte, bytes.size()), bytes.size())};
  } catch (const Json::exception&) {
    return Failure{std::string("it has a number that is out of range; the file is damaged")};
  }
}

std::size_t number_of_items(const Json& table) {
  return table.get_binary().size() / table.get_binary().subtype();
}

CountAt count_in(const Json& counts, std::size_t i) {
  CountAt pair;
  std::memcpy(&pair, counts.get_binary().data() + i * sizeof pair, sizeof pair);
  return pair;
}

Json row_in(const Json& rows, std::size_t i) {
  const std::size_t bytes = rows.get_binary().subtype();
  const auto* const shape = std::ranges::find(row_shapes, bytes, &RowShape::bytes);
  const std::uint8_t* at = rows.get_binary().data() + i * bytes;
  Json row = Json::array();
  for (std::size_t column = 0; column < shape->size; ++column, at += sizeof(std::uint64_t)) {
    std::uint64_t number = 0;
    std::memcpy(&number, at, sizeof number);
    if (shape->is_address(column)) {
      row.push_back(fmt::format("0x{:x}", number));
    } else if (shape->is_parent(column) && number == no_parent) {
      row.push_back(-1);
    } else {
      row.push_back(number);
    }
  }
  return row;
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  return Json(text.substr(0, longest)).dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace hardclock::report
