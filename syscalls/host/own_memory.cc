#include "syscalls/host/own_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <new>
#include <utility>

namespace hardclock::host {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool reserves_terabytes = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool reserves_terabytes = true;
#else
constexpr bool reserves_terabytes = false;
#endif
#else
constexpr bool reserves_terabytes = false;
#endif

// proc(5), /proc/PID/statm: the first number, in pages; 0 without /proc.
std::uint64_t address_space_now() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Addresses that are kept from other use.
class Reserve {
 public:
  bool keep(std::size_t bytes) {
    void* const addresses =
        ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (addresses == MAP_FAILED) return false;
    addresses_ = addresses;
    bytes_ = bytes;
    return true;
  }
  void release() {
    if (addresses_ != nullptr) ::munmap(std::exchange(addresses_, nullptr), bytes_);
  }

 private:
  void* addresses_ = nullptr;  // null: none, or they are used up
  std::size_t bytes_ = 0;
};

constinit Reserve for_the_end, for_results;
bool has_run_out = false;

// Called by operator new, which tries again afterwards.
void use_reserve() {
  has_run_out = true;
  std::set_new_handler(nullptr);
  for_the_end.release();
}

}  // namespace

void reserve_own_memory() {
  if (for_the_end.keep(std::size_t{32} << 20)) std::set_new_handler(use_reserve);
}

void release_memory_for_results() {
  for_results.release();
}

bool has_run_out_of_memory() {
  return has_run_out;
}

std::uint64_t own_memory_for(std::uint64_t guest_bytes) {
  constexpr std::uint64_t least = std::uint64_t{512} << 20;
  return guest_bytes + guest_bytes / 2 + least;
}

void limit_own_memory(std::uint64_t guest_bytes, std::uint64_t result_bytes) {
  if (reserves_terabytes) return;
  struct ::rlimit limit;
  if (::getrlimit(RLIMIT_AS, &limit) != 0) return;
  const ::rlim_t of_run = address_space_now() + own_memory_for(guest_bytes);
  limit.rlim_cur = std::min<::rlim_t>(limit.rlim_cur, of_run + result_bytes);
  ::setrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur > of_run) for_results.keep(limit.rlim_cur - of_run);
}

}  // namespace hardclock::host
