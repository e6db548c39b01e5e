// Result<T, E>: a value or the reason why there is none. Guest mistakes travel as Results, never
// as C++ exceptions, so that a caller cannot overlook them.
#pragma once

#include <utility>
#include <variant>

#include "sim/base/check.h"

namespace hardclock {

// Wraps an error so that Result<T, E> can be built from it even when T and E are the same type.
template <class E>
struct Failure {
  E error;
};
template <class E>
Failure(E) -> Failure<E>;

struct Ok {};  // the value of a Result that carries none

template <class T, class E>
class [[nodiscard]] Result {
 public:
  constexpr Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  template <class F>
  constexpr Result(Failure<F> failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  constexpr bool ok() const { return state_.index() == 0; }
  constexpr explicit operator bool() const { return ok(); }

  // Taking the side that is absent is a bug in hardclock.
  constexpr const T& value() const& {
    CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  constexpr T& value() & {
    CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  constexpr T&& value() && {
    CHECK(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  constexpr const E& error() const {
    CHECK(!ok());
    return *std::get_if<1>(&state_);
  }
  constexpr const T& operator*() const& { return value(); }
  constexpr T& operator*() & { return value(); }
  constexpr T&& operator*() && { return std::move(*this).value(); }
  constexpr const T* operator->() const { return &value(); }
  constexpr T* operator->() { return &value(); }

 private:
  std::variant<T, E> state_;
};

}  // namespace hardclock
