// Owners of an object that processes of the guest share. How many there are is part of the
// simulation's state: it decides whether a page is copied, or what shmctl(2) says. So it is
// counted, apart from the pointers by which the host happens to reach the object: a std::shared_ptr
// keeps the object's memory, and changes nothing that a guest could see.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace hardclock {

template <class T>
class Owner;

// The base of what has owners. When the last one goes the object ends, for the guest: its member
// function end(), if there is one, is called. It must not be owned again.
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  std::uint64_t owners() const { return owners_; }
  bool has_ended() const { return has_ended_; }

 private:
  template <class T>
  friend class Owner;
  std::uint64_t owners_ = 0;
  bool has_ended_ = false;
};

template <class T>
class Owner {
 public:
  Owner() = default;
  Owner(std::nullptr_t) {}
  template <class U>
  requires std::convertible_to<U*, T*> Owner(std::shared_ptr<U> object)
      : object_(std::move(object)) {
    begin();
  }
  template <class U>
  requires std::convertible_to<U*, T*> Owner(std::unique_ptr<U> object)
      : Owner(std::shared_ptr<T>(std::move(object))) {}
  Owner(const Owner& other) : object_(other.object_) { begin(); }
  Owner(Owner&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owner& operator=(Owner other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owner() { reset(); }

  void reset() {
    const std::shared_ptr<T> before = std::exchange(object_, nullptr);
    if (before == nullptr) return;
    Owned& owned = *before;
    if (--owned.owners_ != 0) return;
    owned.has_ended_ = true;
    if constexpr (requires { before->end(); }) before->end();
  }

  T* get() const { return object_.get(); }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_.get(); }
  // Keeps the object for the host; not for the guest.
  const std::shared_ptr<T>& object() const { return object_; }
  bool is_only_one() const { return object_->owners() == 1; }

  friend bool operator==(const Owner& a, const Owner& b) { return a.object_ == b.object_; }
  friend bool operator==(const Owner& a, std::nullptr_t) { return a.object_ == nullptr; }

 private:
  void begin() {
    if (object_ != nullptr) ++static_cast<Owned&>(*object_).owners_;
  }

  std::shared_ptr<T> object_;
};

// The object, if it has not ended; else nullptr.
template <class T>
std::shared_ptr<T> lock_unended(const std::weak_ptr<T>& object) {
  auto locked = object.lock();
  if (locked != nullptr && locked->has_ended()) locked = nullptr;
  return locked;
}

}  // namespace hardclock
