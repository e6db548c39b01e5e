#include "sim/report/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
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

 private:
  static void count_one(std::size_t& counted, std::size_t most, const char* why) {
    if (++counted > most) throw TooLarge{fmt::format(fmt::runtime(why), most)};
  }

  std::size_t depth_ = 0;
  std::size_t members_ = 0;
  std::size_t values_ = 0;
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
  const auto see = [&](int /*depth*/, Json::parse_event_t event, const Json& parsed) {
    bounds.count(event);
    duplicates.see(event, parsed);
    return true;
  };
  try {
    Json document = Json::parse(bytes.begin(), bytes.end(), see);
    if (duplicates.first()) {
      return Failure{
          fmt::format("the key {} occurs twice in one object", quote(*duplicates.first()))};
    }
    return document;
  } catch (const TooLarge& error) {
    return Failure{"it " + error.why + ", which no profile has"};
  } catch (const Json::parse_error& error) {
    return Failure{fmt::format("it stops being JSON at byte {} of {}; the file is damaged",
                               std::min(error.byte, bytes.size()), bytes.size())};
  } catch (const Json::exception&) {
    return Failure{std::string("it has a number that is out of range; the file is damaged")};
  }
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  return Json(text.substr(0, longest)).dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace hardclock::report
