// What the state of a simulation is. Each class that has some says so in a member function
// archive(Archive&), which names all of its members, in a structured binding; so the compiler
// notices a new one. (Where all members are state, it only says how many there are, in
// `state_members`. Where a base class has members, too, no binding is possible: tools/check-format
// looks whether all are named.) A member is
//   state     what is to come depends on it
//   derived   it follows from the state, is there for speed, or lives only while run() does
//   wiring    a description, an option, or somebody who looks on; the same in a new simulation that
//             is set up alike
//   counted   for reports alone: the guests never see it
// Two engines that have come to the same place have the same state: where they represent it
// differently, archive() gives a form that both have.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/owner.h"
#include "sim/base/units.h"

namespace hardclock {

// Where the state belongs, for those who want to know in which part two simulations differ.
enum class StatePart : std::uint8_t {
  kernel,      // clock, processes, signals, waits, files, what calls have set
  processors,  // registers, pipelines, branch predictors
  memory,      // address spaces and what is in them
  caches,      // with TLBs and write buffers
};
inline constexpr std::size_t state_parts = 4;

// Who goes through the state, member by member, always in the same order: a digest and a saver are
// told it, a loader sets it. An archive() that does not only name members asks which of them it is.
class Archive {
 public:
  enum class Kind : std::uint8_t { digest, saver, loader };

  virtual ~Archive() = default;
  bool loads() const { return kind_ == Kind::loader; }
  bool is_digest() const { return kind_ == Kind::digest; }

  // Tells them, or sets them. In the host's byte order.
  virtual void bytes(std::span<std::byte> bytes) = 0;

  template <class... Members>
  void state(Members&... members);
  // Tells a value that is no member; the result is the one that was told when this state was saved.
  template <class T>
  T value(T value);
  template <class... Members>
  static void derived(const Members&...) {}
  template <class... Members>
  static void wiring(const Members&...) {}
  template <class... Members>
  static void counted(const Members&...) {}
  // State that two runs need not have in common, as the host's identities: a digest is not told.
  template <class... Members>
  void saved(Members&... members) {
    if (!is_digest()) state(members...);
  }
  // A pointer to one of the objects that exist from the start, or null.
  template <class T>
  void constant(const T*& object);
  // What lies outside of the simulation, or never changes: what was saved has the object itself.
  template <class T>
  void kept(std::shared_ptr<T>& object);
  // The same for a value: what was saved has a copy.
  template <class T>
  void kept(T& value);
  // This cannot be loaded, so that a saver gives up; `what` is for the user: "an epoll".
  virtual void refuse(std::string_view /*what*/) {}

  // An object that is there already, and that several others may know.
  template <class T>
  void existing(T& object);

  // An object that several others know: its number, from 1 on, and whether it has just got it. Then
  // its state is to follow. The number of nullptr is 0. Not for a loader.
  struct Object {
    std::uint64_t number = 0;
    bool is_new = false;
  };
  template <class T>
  Object object(const T* object);

  // For a loader: the objects that it has made.
  template <class T>
  void add(std::uint64_t number, const std::shared_ptr<T>& object);
  // Null: none has this number.
  template <class T>
  std::shared_ptr<T> find(std::uint64_t number);

  // Called when all is loaded, in the order of the calls.
  void later(std::function<void()> act) { later_.push_back(std::move(act)); }
  void finish() {
    for (const auto& act : std::exchange(later_, {})) act();
  }

  // What new objects need that are made while a state is loaded: the memory budget, the kernel.
  template <class T>
  void provide(T& object) {
    provided_[std::type_index(typeid(T))] = &object;
  }
  template <class T>
  T& provided() const {
    return *static_cast<T*>(provided_.at(std::type_index(typeid(T))));
  }

  // What follows, while this object lives, is of that part.
  class Part {
   public:
    Part(Archive& archive, StatePart part)
        : archive_(archive), before_(std::exchange(archive.part_, part)) {}
    ~Part() { archive_.part_ = before_; }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    Archive& archive_;
    StatePart before_;
  };
  StatePart part() const { return part_; }

 protected:
  explicit Archive(Kind kind) : kind_(kind) {}
  // A saver keeps it, a loader sets it to what was kept.
  virtual void keep(std::shared_ptr<const void>& /*object*/) {}

 private:
  // An object is known by the base class that has its virtual functions, if there is one.
  template <class T>
  struct RootOf {
    using Type = T;
  };
  template <class T>
  requires requires { typename T::StateRoot; }
  struct RootOf<T> {
    using Type = typename T::StateRoot;
  };
  struct Made {
    std::shared_ptr<void> object;
    std::type_index root;
  };
  Object object_at(const void* address);

  Kind kind_;
  StatePart part_ = StatePart::kernel;
  std::unordered_map<const void*, std::uint64_t> objects_;
  std::array<std::uint64_t, state_parts>
      numbered_{};  // so that parts of a digest differ by themselves
  std::unordered_map<std::uint64_t, Made> made_;
  std::map<std::type_index, void*> provided_;
  std::vector<std::function<void()>> later_;
};

// Several pointers to one object may be of different bases.
template <class T>
Archive::Object Archive::object(const T* object) {
  if constexpr (std::is_polymorphic_v<T>) {
    return object_at(dynamic_cast<const void*>(object));
  } else {
    return object_at(object);
  }
}

inline Archive::Object Archive::object_at(const void* address) {
  if (address == nullptr) return {};
  std::uint64_t& numbered = numbered_[is_digest() ? static_cast<std::size_t>(part_) : 0];
  const auto [at, is_new] = objects_.try_emplace(address, numbered + 1);
  if (is_new) ++numbered;
  return {at->second, is_new};
}

template <class T>
void Archive::existing(T& object) {
  const std::uint64_t known = loads() ? 0 : objects_.size();
  const auto number = value(loads() ? std::uint64_t{0} : this->object(&object).number);
  const bool is_new = loads() ? !made_.contains(number) : objects_.size() != known;
  if (!is_new) return;
  if (loads()) made_.insert_or_assign(number, Made{nullptr, typeid(T)});
  object.archive(*this);
}

template <class T>
void Archive::add(std::uint64_t number, const std::shared_ptr<T>& object) {
  using Root = typename RootOf<T>::Type;
  made_.insert_or_assign(number, Made{std::shared_ptr<Root>(object), typeid(Root)});
}

template <class T>
std::shared_ptr<T> Archive::find(std::uint64_t number) {
  using Root = typename RootOf<T>::Type;
  const auto found = made_.find(number);
  if (found == made_.end() || found->second.root != typeid(Root)) return nullptr;
  auto root = std::static_pointer_cast<Root>(found->second.object);
  if constexpr (std::is_same_v<Root, T>) {
    return root;
  } else {
    return std::dynamic_pointer_cast<T>(root);
  }
}

template <class T>
void Archive::constant(const T*& object) {
  if (is_digest()) return void(value(this->object(object).number));
  object = reinterpret_cast<const T*>(value(reinterpret_cast<std::uintptr_t>(object)));
}

template <class T>
void Archive::kept(std::shared_ptr<T>& object) {
  std::shared_ptr<const void> held = object;
  keep(held);
  if (loads()) object = std::static_pointer_cast<T>(std::const_pointer_cast<void>(held));
}

template <class T>
void Archive::kept(T& value) {
  if (is_digest()) return;
  std::shared_ptr<const void> held;
  if (!loads()) held = std::make_shared<const T>(value);
  keep(held);
  if (loads() && held != nullptr) value = *static_cast<const T*>(held.get());
}

}  // namespace hardclock
