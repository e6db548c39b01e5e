// The registers of an IA-64 processor while recordings of its instructions are evaluated.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/ia64/machine.h"
#include "sim/memory/address_space.h"
#include "sim/recording/evaluate.h"

namespace hardclock::ia64 {

class EvaluatedFile final : public RegistersByNumber<Registers>, private BackingStore {
 public:
  EvaluatedFile(Registers& registers, AddressSpace& memory)
      : RegistersByNumber(registers), registers_(registers), memory_(memory) {}

  std::optional<std::uint64_t> transform(std::uint8_t which, std::uint64_t a,
                                         std::uint64_t b) override {
    if (static_cast<Transform>(which) == Transform::need_access) return need_access(a, b);
    const Transformed result =
        ia64::transform(static_cast<Transform>(which), a, b, registers_, *this);
    using End = Transformed::End;
    if (result.end == End::done) return result.value;
    if (result.end == End::misaligned)
      refuse({Fault::Kind::misaligned, Access::read, GuestAddr(b)});
    if (result.end == End::illegal_operation) refuse(IllegalUse::operation);
    if (result.end == End::reserved_field) refuse(IllegalUse::reserved_field);
    return std::nullopt;
  }
  Trap why_not() const override { return why_not_; }
  DataAccess data_access(DataAccess) const override {
    return {.order = (registers_.user_mask & um_be) != 0 ? Endian::big : Endian::little,
            .splits = (registers_.user_mask & um_ac) == 0};
  }

 private:
  std::optional<std::uint64_t> need_access(std::uint64_t how, std::uint64_t address) {
    const auto bytes = static_cast<unsigned>(how & 0xff);
    const auto host = memory_.translate(GuestAddr(address), bytes, static_cast<Access>(how >> 8));
    if (host) return 0;
    refuse(host.error());
    return std::nullopt;
  }
  void refuse(const Fault& fault) { why_not_ = {TrapKind::memory, 0, fault}; }
  void refuse(IllegalUse use) {
    why_not_ = {TrapKind::illegal_instruction, static_cast<std::uint32_t>(use), {}};
  }
  std::optional<std::uint64_t> load(std::uint64_t address, Endian order) override {
    const auto host = memory_.translate(GuestAddr(address), 8, Access::read);
    if (host) return load_bytes<std::uint64_t>(*host, order);
    refuse(host.error());
    return std::nullopt;
  }
  bool store(std::uint64_t address, std::uint64_t value, Endian order) override {
    const auto host = memory_.translate(GuestAddr(address), 8, Access::write);
    if (!host) {
      refuse(host.error());
      return false;
    }
    store_bytes(*host, value, order);
    return true;
  }

  Registers& registers_;
  AddressSpace& memory_;
  Trap why_not_;
};

}  // namespace hardclock::ia64
