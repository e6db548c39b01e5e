// pstat(2): what the system says of itself. HP's numbers of its functions are not public; those
// here are for hardclock's own library (guest/hpux/libc/pstat.c), far from any that a library of
// HP's may pass. Members, by their offsets in programs: Hyperic's libsigar for PA-RISC and IA-64,
// whose source is public (src/os/hpux/hpux_sigar.c), xz's liblzma for 64-bit IA-64, Tanuki's
// wrapper for IA-64 in both widths, and Berkeley DB's libdb for SOM. In struct pst_static, and in
// struct pst_dynamic up to psd_free, every member is a long.
#include <algorithm>
#include <span>

#include "syscalls/hpux/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::hpux::calls {
namespace {

using posix::GuestStruct;

enum Function : std::uint32_t {
  static_status = 0x68630000,
  static_status_64,  // of 32-bit programs, in the layout of 64-bit ones
  dynamic_status,
  dynamic_status_64,
};

GuestStruct empty_struct(const Call& call, bool is_wide) {
  posix::GuestTypes types = posix::guest_types(call);
  if (is_wide) types.long_bytes = 8;
  return GuestStruct(types);
}

std::uint64_t boot_time(const Call& call) {
  constexpr std::uint64_t microseconds_per_second = 1'000'000;
  return call.os.time_of_day().first -
         call.simulation().clock().microseconds() / microseconds_per_second;
}

// struct pst_static: 92 longs. The machine's memory is what --max-memory allows.
GuestStruct to_static(const Call& call, bool is_wide) {
  GuestStruct status = empty_struct(call, is_wide);
  status.skip_longs(3).word_long(boot_time(call));
  status.word_long(call.simulation().budget()->limit_bytes() / page_size);  // physical_memory
  return status.word_long(page_size).skip_longs(86);
}

// struct pst_dynamic, as long as Hyperic's libsigar for IA-64 has it.
GuestStruct to_dynamic(const Call& call, bool is_wide) {
  constexpr std::size_t wide_bytes = 5096, narrow_bytes = 2952;
  GuestStruct status = empty_struct(call, is_wide);
  status.word_long(1).skip_longs(15);                                      // psd_proc_cnt
  status.word_long(call.simulation().budget()->free_bytes() / page_size);  // psd_free
  const std::size_t bytes = status.long_bytes() == 8 ? wide_bytes : narrow_bytes;
  return status.skip(bytes - status.bytes().size());
}

// The one instance of a structure, or what fits of it.
CallResult store_instance(Call& call, const GuestStruct& status) {
  const std::uint64_t bytes = call.arguments[2];
  if (bytes == 0 || call.arguments[3] != 1 || call.argument(4) != 0) {
    return CallResult::failure(Errno::einval);
  }
  const std::span<const std::uint8_t> all(status.bytes());
  const auto fitting =
      all.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, all.size())));
  return call.memory.write_bytes(call.address(1), fitting).ok()
             ? CallResult::value(1)
             : CallResult::failure(Errno::efault);
}

}  // namespace

// pstat(function, buffer, bytes, count, index)
CallResult pstat(Call& call) {
  switch (call.argument(0)) {
    case static_status:
    case static_status_64:
      return store_instance(call, to_static(call, call.argument(0) == static_status_64));
    case dynamic_status:
    case dynamic_status_64:
      return store_instance(call, to_dynamic(call, call.argument(0) == dynamic_status_64));
    default:
      return call.os.answer_missing("pstat by HP's numbers of functions");
  }
}

}  // namespace hardclock::hpux::calls
