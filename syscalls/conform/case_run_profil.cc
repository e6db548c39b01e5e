// A case's calls of profil(2), sprofil(2) and pcsample(2).
#include <algorithm>
#include <variant>

#include "sim/base/endian.h"
#include "syscalls/conform/agent_data.h"
#include "syscalls/conform/case_run.h"

namespace hardclock::conform {
namespace {

// What the bytes of a struct timeval hold that a call leaves alone.
constexpr std::uint8_t untouched = 0xa5;

}  // namespace

void CaseRun::make_call(const Call& call) {
  if (thread() == nullptr) return;
  observation_.calls.push_back(
      std::visit([&](const auto& arguments) { return answer_to(arguments); }, call));
}

CallResult CaseRun::answer_to(const ProfilCall& profil) {
  return result_of(call("profil", {profil.buff.value.value(), profil.bufsiz,
                                   profil.offset.value.value(), profil.scale}));
}

CallResult CaseRun::answer_to(const PcsampleCall& pcsample) {
  return result_of(call(
      "pcsample", {pcsample.samples.value.value(), static_cast<std::uint64_t>(pcsample.nsamples)}));
}

// Puts the array of struct prof at the end of the agent's data, so that what follows it cannot be
// read. Returns its address.
std::uint64_t CaseRun::store_entries(const SprofilCall& sprofil) {
  const std::size_t slot = is_wide_ ? 8 : 4;
  std::vector<std::uint8_t> bytes(4 * slot * sprofil.entries.size());
  for (std::size_t i = 0; i < sprofil.entries.size(); ++i) {
    const ProfEntry& entry = sprofil.entries[i];
    const std::uint64_t fields[] = {entry.base.value.value(), entry.size,
                                    entry.offset.value.value(), entry.scale};
    for (std::size_t field = 0; field < 4; ++field) {
      std::uint8_t* const at = &bytes[(4 * i + field) * slot];
      const bool is_pointer = field % 2 == 0;
      if (is_wide_ && is_pointer) {
        store_bytes(at, fields[field], Endian::big);
      } else {
        store_bytes(at, static_cast<std::uint32_t>(fields[field]), Endian::big);
      }
    }
  }
  const std::uint64_t at = agent_.data_size - bytes.size();
  machine_.store(*thread(), at, bytes);
  return machine_.data(at).value();
}

// Returns the address to pass.
std::uint64_t CaseRun::store_timeval(const SprofilCall& sprofil, std::uint64_t bad) {
  if (sprofil.tvp == SprofilCall::Pointer::null) return 0;
  if (sprofil.tvp == SprofilCall::Pointer::bad) return bad;
  machine_.store(*thread(), timeval_at, std::vector<std::uint8_t>(timeval_room, untouched));
  return machine_.data(timeval_at).value();
}

// Nothing: the call left it alone.
std::optional<TimeValue> CaseRun::load_timeval() {
  const std::size_t slot = is_wide_ ? 8 : 4;
  const auto bytes = machine_.load(*thread(), timeval_at, 2 * slot);
  if (std::ranges::count(bytes, untouched) == std::ssize(bytes)) return std::nullopt;
  const auto field = [&](std::size_t index) {
    const std::uint8_t* const at = &bytes[index * slot];
    return is_wide_ ? load_bytes<std::uint64_t>(at, Endian::big)
                    : std::uint64_t{load_bytes<std::uint32_t>(at, Endian::big)};
  };
  return TimeValue{static_cast<std::int64_t>(field(0)), static_cast<std::int64_t>(field(1))};
}

CallResult CaseRun::answer_to(const SprofilCall& sprofil) {
  using Pointer = SprofilCall::Pointer;
  const std::uint64_t bad = case_.variant->highest_address() & ~page_mask;
  std::uint64_t profp = sprofil.profp == Pointer::bad ? bad : 0;
  if (sprofil.profp == Pointer::valid) {
    if (sprofil.entries.size() * 4 * (is_wide_ ? 8 : 4) > agent_.data_size - prof_at) {
      fail("more regions than the agent's memory holds");
      return {};
    }
    profp = store_entries(sprofil);
  }
  const std::uint64_t tvp = store_timeval(sprofil, bad);
  CallResult result =
      result_of(call("sprofil", {profp, static_cast<std::uint64_t>(std::int64_t{sprofil.profcnt}),
                                 tvp, sprofil.flags}));
  const bool is_set = observation_.error.empty() && result.ret == 0;
  if (is_set && sprofil.tvp == Pointer::valid) result.tv = load_timeval();
  return result;
}

}  // namespace hardclock::conform
