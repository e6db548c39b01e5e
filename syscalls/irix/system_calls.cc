#include <array>
#include <cstring>
#include <vector>

#include "syscalls/irix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// nuname(2): five strings in fields of 257 bytes each: system, node, release, version, machine.
// IP12 is the R3000 Indigo's processor board.
constexpr std::size_t name_field = 257;
constexpr std::array<const char*, 5> names = {"IRIX", "hardclock", "5.3", "11091812", "IP12"};

// sysconf(2) names by their numbers in IRIX <unistd.h>.
struct SystemLimit {
  std::uint32_t name;
  std::uint32_t value;
};
constexpr SystemLimit limits[] = {
    {1, 20480},            // _SC_ARG_MAX
    {2, 150},              // _SC_CHILD_MAX
    {3, 100},              // _SC_CLK_TCK
    {4, 16},               // _SC_NGROUPS_MAX
    {5, posix::open_max},  // _SC_OPEN_MAX
    {6, 1},                // _SC_JOB_CONTROL
    {7, 1},                // _SC_SAVED_IDS
    {8, 199009},           // _SC_VERSION
    {11, page_size},       // _SC_PAGESIZE
    {14, 1},               // _SC_NPROC_CONF
    {15, 1},               // _SC_NPROC_ONLN
    {31, 32},              // _SC_KERN_POINTERS
};

}  // namespace

// syssgi(SGI_SPROFIL, profp, profcnt, tvp, flags)
CallResult sprofil(Call& call) {
  return sprofil_at(call, 1);
}

// syssgi(SGI_RUSAGE, who, usage)
CallResult getrusage(Call& call) {
  return getrusage_at(call, 1);
}

CallResult nuname(Call& call) {
  std::vector<std::uint8_t> bytes(names.size() * name_field);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::memcpy(&bytes[i * name_field], names[i], std::strlen(names[i]));
  }
  if (!call.memory.write_bytes(call.address(0), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(1);  // "a non-negative value": SGI's libc tests for an error only
}

// syssgi(SGI_SYSCONF, name)
CallResult sysconf(Call& call) {
  for (const SystemLimit& limit : limits) {
    if (limit.name == call.argument(1)) return CallResult::value(limit.value);
  }
  return CallResult::failure(Errno::einval);
}

// sysmp(MP_PGSIZE)
CallResult pagesize(Call& call) {
  return getpagesize(call);
}

}  // namespace hardclock::irix::calls
