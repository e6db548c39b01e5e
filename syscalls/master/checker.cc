#include "syscalls/master/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "sim/codegen/identifiers.h"

namespace hardclock::mastergen {
namespace {

// A handler's name becomes a C++ function beside those that the generated header declares.
bool is_reserved(std::string_view name) {
  return codegen::is_keyword(name) || name == "all_calls" || name == "find_call";
}

bool can_be_result(ValueKind kind) {
  using enum ValueKind;
  constexpr ValueKind results[] = {int32,   uint32, word, int64, size, hex,
                                   pointer, fd,     pid,  mode,  none};
  return std::ranges::find(results, kind) != std::end(results);
}

bool can_be_size(ValueKind kind) {
  using enum ValueKind;
  return kind == size || kind == int32 || kind == uint32 || kind == word;
}

// The state of a multiplexed call, from the states of its requests.
CallState sum_of(const std::set<CallState>& states) {
  return states.size() == 1 ? *states.begin() : CallState::partial;
}

class Checker {
 public:
  explicit Checker(const Table& table) : table_(table) {}

  Diagnostics run() {
    if (is_reserved(table_.system)) {
      error(1, "system '{}' is a C++ keyword; choose another name", table_.system);
    }
    for (const Call& call : table_.calls) {
      check_order(call);
      check_handler(call);
      check_results(call);
      check_parameters(call);
      check_state(call);
      check_request(call);
      previous_ = &call;
    }
    check_multiplexed();
    codegen::sort_by_line(errors_);
    return std::move(errors_);
  }

 private:
  template <class... Args>
  void error(int line, fmt::format_string<Args...> text, Args&&... args) {
    errors_.push_back({line, fmt::format(text, std::forward<Args>(args)...)});
  }

  void check_order(const Call& call) {
    if (previous_ == nullptr) return;
    const auto before = std::pair(previous_->number, previous_->subcode);
    const auto here = std::pair(call.number, call.subcode);
    if (here == before) {
      error(call.line, "{} is already in line {}", call_id(call), previous_->line);
    } else if (here < before) {
      error(call.line, "{} comes after {}; lines ascend by number", call_id(call),
            call_id(*previous_));
    }
  }

  void check_handler(const Call& call) {
    if (is_reserved(call.handler)) {
      error(call.line, "'{}' cannot be a function's name in C++", call.handler);
    }
    const auto [first, is_new] = handlers_.try_emplace(call.handler, &call);
    if (!is_new) {
      error(call.line, "'{}' is already the name of {} in line {}; add `as` and another one",
            call.handler, call_id(*first->second), first->second->line);
    }
  }

  void check_results(const Call& call) {
    if (!can_be_result(call.result)) {
      error(call.line, "a result cannot be '{}'", kind_name(call.result));
    }
    if (!call.second_result) return;
    const ValueKind second = call.second_result->kind;
    if (!can_be_result(second) || second == ValueKind::none || second == ValueKind::int64) {
      error(call.line, "a second result cannot be '{}'", kind_name(second));
    }
    if (call.result == ValueKind::none || call.result == ValueKind::int64) {
      error(call.line, "no second result with '{}'", kind_name(call.result));
    }
  }

  void check_parameters(const Call& call) {
    std::set<std::string_view> names;
    unsigned slots = call.subcode ? 1 : 0;
    for (const Parameter& parameter : call.parameters) {
      slots += slots_of(parameter.kind);
      if (!parameter.name.empty() && !names.insert(parameter.name).second) {
        error(call.line, "two parameters are named '{}'", parameter.name);
      }
      check_parameter(call, parameter);
    }
    if (slots > max_call_slots) {
      error(call.line, "{} argument slots; a call has at most {}", slots, max_call_slots);
    }
    if (has_parameter(call, ValueKind::call) && has_parameter(call, ValueKind::subcode)) {
      error(call.line, "a call is either multiplexed (subcode) or indirect (call)");
    }
  }

  void check_parameter(const Call& call, const Parameter& parameter) {
    const bool is_last = &parameter == &call.parameters.back();
    const std::string_view kind = kind_name(parameter.kind);
    switch (parameter.kind) {
      case ValueKind::none:
        error(call.line, "a parameter cannot be 'none'");
        break;
      case ValueKind::rest:
      case ValueKind::unknown:
        if (!is_last) error(call.line, "'{}' must be the last parameter", kind);
        break;
      case ValueKind::subcode:
      case ValueKind::call:
        check_selector(call, parameter);
        break;
      case ValueKind::in:
      case ValueKind::out:
        check_size(call, parameter);
        break;
      default:
        break;
    }
  }

  void check_selector(const Call& call, const Parameter& parameter) {
    const std::string_view kind = kind_name(parameter.kind);
    if (call.subcode) error(call.line, "a request cannot have a '{}'", kind);
    const auto same_kind =
        std::count_if(call.parameters.begin(), call.parameters.end(),
                      [&](const Parameter& other) { return other.kind == parameter.kind; });
    if (same_kind > 1) error(call.line, "more than one '{}'", kind);
  }

  void check_size(const Call& call, const Parameter& buffer) {
    const auto size =
        std::find_if(call.parameters.begin(), call.parameters.end(),
                     [&](const Parameter& other) { return other.name == buffer.size; });
    if (size == call.parameters.end()) {
      error(call.line, "the size of '{}' is '{}', which is no parameter", buffer.name, buffer.size);
    } else if (!can_be_size(size->kind)) {
      error(call.line, "the size of '{}' is '{}', which is no number but '{}'", buffer.name,
            buffer.size, kind_name(size->kind));
    }
  }

  void check_state(const Call& call) {
    if (call.state == CallState::partial && call.note.empty()) {
      error(call.line, "{} is partial; add a \"note\" that says what is missing", call.name);
    }
    if (call.state != CallState::missing && has_parameter(call, ValueKind::unknown)) {
      error(call.line, "{} is {} but has unknown parameters; replace the '?'", call.name,
            state_name(call.state));
    }
  }

  void check_request(const Call& call) {
    if (!call.subcode) {
      parent_ = &call;
      return;
    }
    if (parent_ == nullptr || parent_->number != call.number) {
      error(call.line, "{} is a request of {}, which has no line before it", call_id(call),
            call.number);
    } else if (!subcode_slot(*parent_)) {
      error(call.line, "{} is a request of {}, which has no 'subcode' parameter", call_id(call),
            parent_->name);
    } else {
      requests_[parent_].insert(call.state);
    }
  }

  void check_multiplexed() {
    for (const Call& call : table_.calls) {
      if (call.subcode || !subcode_slot(call)) continue;
      const auto requests = requests_.find(&call);
      if (requests == requests_.end()) {
        error(call.line, "{} has a 'subcode' but no line {}.SUBCODE follows", call.name,
              call.number);
      } else if (const CallState sum = sum_of(requests->second); call.state != sum) {
        error(call.line, "{} is {}, but its requests make it {}", call.name, state_name(call.state),
              state_name(sum));
      }
    }
  }

  const Table& table_;
  const Call* previous_ = nullptr;
  const Call* parent_ = nullptr;                         // the last line that is no request
  std::map<std::string_view, const Call*> handlers_;     // never iterated
  std::map<const Call*, std::set<CallState>> requests_;  // of a multiplexed call; never iterated
  Diagnostics errors_;
};

}  // namespace

Diagnostics check(const Table& table) {
  return Checker(table).run();
}

}  // namespace hardclock::mastergen
