// A profile is read where the n-th allocation fails, for every n: std::bad_alloc leaves nothing
// that cannot be destroyed. (nlohmann::json says of a value what it is before it has the memory for
// it.)
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "sim/report/profile.h"

namespace {

unsigned long until_failure = 0;  // the allocation that fails, counted from 1; 0: none

void* allocate(std::size_t size) {
  if (until_failure != 0 && --until_failure == 0) throw std::bad_alloc();
  void* const memory = std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
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

namespace hardclock::report {
namespace {

enum Ending { read_whole, out_of_memory };

// In a child: destructors that find no memory end it by std::terminate(), which hardclock does in
// order.
int status_with_failure(std::span<const std::uint8_t> bytes, unsigned long number) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    std::set_terminate([] { ::_exit(out_of_memory); });
    until_failure = number;
    try {
      (void)read_profile(bytes);
    } catch (const std::bad_alloc&) {
      ::_exit(out_of_memory);
    }
    ::_exit(until_failure == 0 ? out_of_memory : read_whole);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

// Its counters are taken out of the document while that is read.
constexpr std::string_view profile = R"({
 "address_bits": 32, "byte_order": "big", "command": "w", "cpu_hz": 33000000,
 "format": "hardclock-profile",
 "processes": [
  {"calls": [{"calls": 4, "function": "0x00400100"}],
   "cycles": {"0x00400104": 18446744073709551615},
   "histograms": [{"counts": [7], "high": "0x00400110", "low": "0x00400100"}],
   "mappings": [{"file": "/bin/w", "offset": 0, "size": 4096, "start": "0x00400000"}],
   "pid": 1, "program": "/bin/w",
   "samples": {"0x00400104": 75, "0x00400108": 25},
   "text_hash": "cbf29ce484222325"}],
 "tick_hz": 100, "version": 1})";

TEST(WithoutMemory, AProfileIsReadOrNot) {
  const std::vector<std::uint8_t> bytes(profile.begin(), profile.end());
  const auto read = read_profile(bytes);
  ASSERT_TRUE(read.ok()) << read.error();
  int status = -1;
  unsigned long number = 0;
  do {
    status = status_with_failure(bytes, ++number);
    ASSERT_TRUE(WIFEXITED(status)) << "allocation " << number << ", signal " << WTERMSIG(status);
  } while (WEXITSTATUS(status) == out_of_memory);
  EXPECT_GT(number, 50U) << "a document has so many parts";
}

}  // namespace
}  // namespace hardclock::report
