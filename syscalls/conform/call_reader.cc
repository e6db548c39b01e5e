// The calls of a case, their arguments and addresses.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "syscalls/conform/case_reader.h"
#include "syscalls/conform/text.h"

namespace hardclock::conform {
namespace {

using Kind = JsonValue::Kind;

constexpr std::string_view profil_max_name = "PROFIL_MAX";

bool is_errno_name(std::string_view name) {
  return name.size() > 1 && name.front() == 'E' && std::ranges::all_of(name, [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

void for_each_address(Call& call, const auto& function) {
  if (auto* const profil = std::get_if<ProfilCall>(&call)) {
    function(profil->buff);
    function(profil->offset);
  } else if (auto* const sprofil = std::get_if<SprofilCall>(&call)) {
    for (ProfEntry& entry : sprofil->entries) {
      function(entry.base);
      function(entry.offset);
    }
  } else {
    function(std::get<PcsampleCall>(call).samples);
  }
}

}  // namespace

std::optional<Call> CaseReader::read_call(const Node& name, const Node& args) {
  const std::string& word = reader_.text(name);
  if (word == "profil") return read_profil(args);
  if (word == "sprofil") return read_sprofil(name, args);
  if (word == "pcsample") return read_pcsample(name, args);
  defect(name,
         fmt::format("unknown call '{}'; there are profil, sprofil and pcsample", shown(word)));
  return std::nullopt;
}

ProfilCall CaseReader::read_profil(const Node& args) {
  reader_.check_keys(args, {"buff", "bufsiz", "offset", "scale"});
  return {read_address(reader_.get(args, "buff")), read_register(reader_.get(args, "bufsiz")),
          read_address(reader_.get(args, "offset")), read_register(reader_.get(args, "scale"))};
}

SprofilCall CaseReader::read_sprofil(const Node& name, const Node& args) {
  if (case_.variant != nullptr && case_.variant->system->sprofil == nullptr) {
    defect(name, fmt::format("{} has no sprofil", case_.system));
  }
  reader_.check_keys(args, {"profp", "profcnt", "tvp", "flags"});
  SprofilCall call;
  const Node profp = reader_.get(args, "profp");
  if (profp.is(Kind::null)) {
    call.profp = SprofilCall::Pointer::null;
  } else if (profp.is(Kind::string) && profp.json->text == "BAD") {
    call.profp = SprofilCall::Pointer::bad;
  } else if (profp.is(Kind::array)) {
    for (const Node& entry : reader_.elements(profp)) call.entries.push_back(read_entry(entry));
  } else {
    reader_.fail(profp, "not an array of struct prof, \"BAD\" or null");
  }
  call.profcnt = read_profcnt(reader_.get(args, "profcnt"));
  const Node tvp = reader_.get(args, "tvp");
  if (tvp.is(Kind::string) && tvp.json->text == "TV") {
    call.tvp = SprofilCall::Pointer::valid;
  } else if (tvp.is(Kind::string) && tvp.json->text == "BAD") {
    call.tvp = SprofilCall::Pointer::bad;
  } else if (!tvp.is(Kind::null)) {
    reader_.fail(tvp, "not \"TV\", \"BAD\" or null");
  }
  read_flags(reader_.get(args, "flags"), call);
  return call;
}

ProfEntry CaseReader::read_entry(const Node& node) {
  reader_.check_keys(node, {"pr_base", "pr_size", "pr_offset", "pr_scale"});
  constexpr std::uint64_t highest_unsigned = std::numeric_limits<std::uint32_t>::max();
  return {read_address(reader_.get(node, "pr_base")),
          reader_.number(reader_.get(node, "pr_size"), 0, highest_unsigned),
          read_address(reader_.get(node, "pr_offset")),
          reader_.number(reader_.get(node, "pr_scale"), 0, highest_unsigned)};
}

// A number, "PROFIL_MAX", "PROFIL_MAX+n" or "PROFIL_MAX-n".
std::int32_t CaseReader::read_profcnt(const Node& node) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (!node.is(Kind::string)) {
    return static_cast<std::int32_t>(reader_.signed_number(node, Limits::min(), Limits::max()));
  }
  std::string_view text = node.json->text;
  std::optional<std::uint64_t> more = 0;
  const bool named = text.starts_with(profil_max_name);
  if (named) text.remove_prefix(profil_max_name.size());
  const bool less = text.starts_with('-');
  if (!text.empty())
    more = less || text.starts_with('+') ? parse_decimal(text.substr(1)) : std::nullopt;
  if (!named || !more || *more > static_cast<std::uint64_t>(Limits::max())) {
    reader_.fail(node, "not a number, PROFIL_MAX, PROFIL_MAX+n or PROFIL_MAX-n");
    return 0;
  }
  if (case_.variant == nullptr || case_.variant->system->sprofil == nullptr) return 0;
  const auto distance = static_cast<std::int64_t>(*more);
  const std::int64_t limit = profil_max(*case_.variant->system->sprofil);
  const std::int64_t count = less ? limit - distance : limit + distance;
  if (count > Limits::max()) reader_.fail(node, "beyond the range of an int");
  return static_cast<std::int32_t>(std::min<std::int64_t>(count, Limits::max()));
}

// "PROF_USHORT|PROF_FAST" or a hexadecimal number.
void CaseReader::read_flags(const Node& node, SprofilCall& call) {
  std::string_view rest = reader_.text(node);
  if (const auto number = parse_hexadecimal(rest)) {
    if (*number > std::numeric_limits<std::uint32_t>::max()) {
      reader_.fail(node, "more than 32 bits");
    }
    call.flags = static_cast<std::uint32_t>(*number);
    return;
  }
  for (bool more = true; more;) {
    const std::size_t end = rest.find('|');
    const std::string_view name = rest.substr(0, end);
    more = end != std::string_view::npos;
    if (more) rest.remove_prefix(end + 1);
    call.flag_names.emplace_back(name);
    if (case_.variant == nullptr || case_.variant->system->sprofil == nullptr) continue;
    const auto flags = case_.variant->system->sprofil->flags;
    const auto found = std::ranges::find(flags, name, &profil::Flag::name);
    if (found != flags.end()) {
      call.flags |= found->value;
    } else {
      defect(node, fmt::format("{} has no flag '{}'", case_.system, shown(name)));
    }
  }
}

PcsampleCall CaseReader::read_pcsample(const Node& name, const Node& args) {
  if (case_.variant != nullptr && case_.variant->system->pcsample == nullptr) {
    defect(name, fmt::format("{} has no pcsample", case_.system));
  }
  reader_.check_keys(args, {"samples", "nsamples"});
  const unsigned bits = case_.variant == nullptr ? 64 : case_.variant->address_bits;
  const auto most = static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - bits));
  return {read_address(reader_.get(args, "samples")),
          reader_.signed_number(reader_.get(args, "nsamples"), -most - 1, most)};
}

// "ret", "errno" and "tv" of an object that may also have other keys.
CallExpectation CaseReader::read_answer(const Node& node) {
  using Limits = std::numeric_limits<std::int64_t>;
  CallExpectation answer;
  const Node ret = reader_.get(node, "ret");
  answer.returns = !ret.is(JsonValue::Kind::null);
  if (answer.returns) answer.ret = reader_.signed_number(ret, Limits::min(), Limits::max());
  const Node error = reader_.get(node, "errno");
  if (!error.is(Kind::null)) {
    answer.errno_name = reader_.text(error);
    if (!is_errno_name(answer.errno_name)) reader_.fail(error, "not the name of an errno or null");
  }
  if (const auto tv = reader_.find(node, "tv")) {
    reader_.check_keys(*tv, {"tv_sec", "tv_usec"});
    answer.tv =
        TimeValue{reader_.signed_number(reader_.get(*tv, "tv_sec"), Limits::min(), Limits::max()),
                  reader_.signed_number(reader_.get(*tv, "tv_usec"), Limits::min(), Limits::max())};
  }
  return answer;
}

// The address BAD is far from everything that the case ever maps or runs.
std::optional<GuestAddr> CaseReader::unmapped_address() const {
  const bool is_small = highest_address() < 0x10000;
  const std::uint64_t top = is_small ? 0xe000 : 0x70000000;
  const std::uint64_t step = is_small ? 0x400 : 0x100000;
  const std::uint64_t margin = step / 2;
  for (std::uint64_t address = top; address > margin; address -= step) {
    const auto is_near = [&](GuestAddr start, std::uint64_t size) {
      const std::uint64_t low = address - margin;
      return start.value() < address + margin &&
             (start.value() >= low || low - start.value() < size);
    };
    const bool taken = std::ranges::any_of(case_.memory,
                                           [&](const MemoryObject& object) {
                                             return is_near(object.address, object.size);
                                           }) ||
                       std::ranges::any_of(case_.events, [&](const Event& event) {
                         if (const auto* memory = std::get_if<MemoryEvent>(&event.what)) {
                           return is_near(memory->address, memory->size);
                         }
                         if (const auto* tick = std::get_if<TickEvent>(&event.what))
                           return is_near(tick->pc, 1);
                         const auto* run = std::get_if<RunEvent>(&event.what);
                         return run != nullptr && is_near(run->pc, 1);
                       });
    if (!taken) return GuestAddr(address);
  }
  return std::nullopt;
}

void CaseReader::resolve_bad_addresses() {
  const auto bad = unmapped_address();
  const auto resolve = [&](Address& address) {
    if (address.kind != Address::Kind::bad) return;
    if (bad) {
      address.value = *bad;
    } else if (case_.defect.empty()) {
      case_.defect = fmt::format("{}:{}: the case maps everything: no address is left for BAD",
                                 one_line(case_.file), case_.line);
    }
  };
  for_each_address(case_.first.call, resolve);
  for (Event& event : case_.events) {
    if (auto* const step = std::get_if<CallStep>(&event.what))
      for_each_address(step->call, resolve);
  }
}

GuestAddr CaseReader::read_literal(const Node& node) {
  const auto number = parse_hexadecimal(reader_.text(node));
  if (!number) {
    reader_.fail(node, "not a hexadecimal address");
  } else if (*number > highest_address()) {
    reader_.fail(node,
                 fmt::format("beyond the address space, which ends at {:#x}", highest_address()));
  }
  return GuestAddr(number.value_or(0));
}

std::optional<Address> CaseReader::parse_object_address(std::string_view text) const {
  const std::size_t plus = text.find('+');
  const MemoryObject* const object = find_object(case_, std::string(text.substr(0, plus)));
  if (object == nullptr) return std::nullopt;
  std::uint64_t distance = 0;
  if (plus != std::string_view::npos) {
    const std::string_view rest = text.substr(plus + 1);
    const auto number = rest.starts_with("0x") ? parse_hexadecimal(rest) : parse_decimal(rest);
    if (!number || *number > highest_address() - object->address.value()) return std::nullopt;
    distance = *number;
  }
  return Address{Address::Kind::object, object->address + distance, object->name};
}

Address CaseReader::read_address(const Node& node) {
  if (node.is(Kind::null)) return {Address::Kind::null, GuestAddr(0)};
  const std::string& text = reader_.text(node);
  if (text == "BAD") return {Address::Kind::bad, GuestAddr(0)};
  if (text.starts_with("0x")) return {Address::Kind::literal, read_literal(node)};
  if (const auto address = parse_object_address(text)) return *address;
  reader_.fail(node, "not an address: 0x..., an object's NAME or NAME+n, BAD or null");
  return {};
}

GuestAddr CaseReader::read_place(const Node& node) {
  const std::string& text = reader_.text(node);
  if (const auto address = parse_object_address(text)) return address->value;
  return read_literal(node);
}

void CaseReader::check_range(const Node& node, GuestAddr address, std::uint64_t size) {
  if (size - 1 > highest_address() - address.value()) {
    reader_.fail(node, fmt::format("reaches beyond the address space, which ends at {:#x}",
                                   highest_address()));
  }
}

// A number that fits a register of the machine.
std::uint64_t CaseReader::read_register(const Node& node) {
  return reader_.number(node, 0, highest_address());
}

}  // namespace hardclock::conform
