#include "tests/support/failing_new.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

struct Plan {
  unsigned long first = 0, count = 0;
  unsigned long made = 0;
  bool counts = false;

  Plan() {
    const char* const text = std::getenv("FAILING_NEW");
    if (text == nullptr) return;
    counts = std::strcmp(text, "count") == 0;
    char* end = nullptr;
    first = std::strtoul(text, &end, 10);
    count = std::strtoul(end, nullptr, 10);
  }

  void start(unsigned long from) {
    first = from;
    count = 1;
    made = 0;
  }
  bool has_failed() const { return first != 0 && made >= first; }

  bool fails() {
    ++made;
    return first <= made && made < first + count;
  }

  ~Plan() {
    if (counts) std::fprintf(stderr, "%lu\n", made);
  }
};

Plan& plan() {
  static Plan the_plan;
  return the_plan;
}

void* try_once(std::size_t size, std::size_t alignment) {
  if (plan().fails()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size != 0 ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate(std::size_t size, std::size_t alignment = 1) {
  for (;;) {
    if (void* const memory = try_once(size, alignment)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* allocate_or_null(std::size_t size, std::size_t alignment = 1) noexcept {
  try {
    return allocate(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

std::size_t number(std::align_val_t alignment) {
  return static_cast<std::size_t>(alignment);
}

}  // namespace

namespace hardclock::support {

void fail_new(unsigned long number) {
  plan().start(number);
}

bool has_new_failed() {
  return plan().has_failed();
}

}  // namespace hardclock::support

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, number(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, number(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, number(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, number(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
