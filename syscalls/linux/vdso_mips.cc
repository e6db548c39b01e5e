#include "syscalls/linux/vdso_mips.h"

#include <array>

#include "sim/base/check.h"
#include "sim/base/endian.h"

namespace hardclock::gnu_linux {
namespace {

constexpr std::uint32_t load_number = 0x24020000;  // addiu v0, zero, number
constexpr std::uint32_t system_call = 0x0000000c;
constexpr std::uint64_t code_bytes = 8;

// sigreturn and rt_sigreturn of o32, rt_sigreturn of n32 and n64.
constexpr std::array<std::uint32_t, 4> numbers = {4119, 4193, 6211, 5211};

}  // namespace

Result<Ok, posix::ExecFailure> map_mips_vdso(const posix::Port& port, AddressSpace& memory,
                                             const Image&, int) {
  const GuestAddr page = port.layout.stack_top;
  const auto mapped =
      memory.map(page, page_size, Permissions{.read = true, .execute = true}, "vdso");
  std::array<std::uint8_t, code_bytes * numbers.size()> bytes;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    store_bytes(&bytes[code_bytes * i], load_number | numbers[i], memory.endian());
    store_bytes(&bytes[code_bytes * i + 4], system_call, memory.endian());
  }
  if (mapped && memory.initialize(page, bytes)) return Ok{};
  return Failure{
      posix::ExecFailure{posix::Errno::enomem,
                         "no room for the kernel's page at the end of user addresses; link "
                         "the program below it, or raise --max-memory"}};
}

GuestAddr mips_vdso_code(mips_ports::DataModel model, bool rt_sigframe) {
  using mips_ports::DataModel;
  const GuestAddr page = mips_vdso_page(model == DataModel::n64 ? mips_user_end_64 : mips_user_end);
  switch (model) {
    case DataModel::o32:
      return page + (rt_sigframe ? code_bytes : 0);
    case DataModel::n32:
      return page + 2 * code_bytes;
    case DataModel::n64:
      return page + 3 * code_bytes;
  }
  CHECK(false);
  return {};
}

}  // namespace hardclock::gnu_linux
