// Which host registers translated code uses, and for what.
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/translator/block_source.h"
#include "sim/translator/floating_status.h"
#include "sim/translator/host_frame.h"

namespace hardclock::host {

namespace x86 = asmjit::x86;

// Guest registers, seen from `context_bias` bytes behind their start: most displacements are short.
inline constexpr x86::Gp context = x86::rbp;
inline constexpr std::int32_t context_bias = 128;
// Of registers that move, `frame_bias` bytes behind their start, too.
inline constexpr x86::Gp frame_base = x86::r13;
inline constexpr std::int32_t frame_bias = 128;
inline constexpr x86::Gp budget = x86::r14;
inline constexpr x86::Gp accesses = x86::r15;
// rax and rcx serve accesses; what lives across one is in the others.
inline constexpr std::array<x86::Gp, 4> temporaries = {x86::rdx, x86::rsi, x86::rax, x86::rcx};
inline constexpr std::array<x86::Gp, 8> pins = {x86::rbx, x86::rdi, x86::r8,  x86::r9,
                                                x86::r10, x86::r11, x86::r12, x86::r13};
// Of the SSE unit's registers, xmm0 to xmm3 are temporaries.
inline constexpr std::size_t floating_pins = 12;
inline x86::Xmm floating_pin(std::size_t i) {
  return x86::xmm(static_cast<std::uint32_t>(i + 4));
}

// The stack frame, from rsp.
inline constexpr std::int32_t condition_slot = 0;  // of a transfer whose delay slot runs
inline constexpr std::int32_t nullify_slot = 8;
inline constexpr std::int32_t target_slot = 16;
inline constexpr std::int32_t indirect_slot = 24;
inline constexpr std::int32_t frame_slot = 32;
inline constexpr std::int32_t fetch_slot = 40;      // HostFrame::fetched_lines
inline constexpr std::int32_t record_slot = 48;     // a FloatingRecord
inline constexpr std::int32_t saved_slot = 88;      // a transfer's operand, see BlockEmitter
inline constexpr std::int32_t branches_slot = 96;   // HostFrame::predicted_branches
inline constexpr std::int32_t counters_slot = 104;  // HostFrame::prediction_counters
inline constexpr std::int32_t spilled_slot =
    112;  // a temporary, while an access needs its register
inline constexpr std::int32_t frame_size =
    120;  // with six saved registers and a return address: 16n
static_assert(record_slot + sizeof(FloatingRecord) <= saved_slot);

inline x86::Mem on_stack(std::int32_t slot, std::uint32_t bytes = 8) {
  return x86::ptr(x86::rsp, slot, bytes);
}
template <class Member>
x86::Mem in_frame(const x86::Gp& frame, Member HostFrame::*member, std::uint32_t bytes = 8) {
  alignas(HostFrame) static constexpr HostFrame model{};
  const auto* const start = reinterpret_cast<const std::byte*>(&model);
  const auto* const place = reinterpret_cast<const std::byte*>(&(model.*member));
  return x86::ptr(frame, static_cast<std::int32_t>(place - start), bytes);
}

inline x86::Mem in_context(RegisterPlace place, std::uint32_t bytes, std::int32_t offset = 0) {
  if (place.is_in_frame) {
    return x86::ptr(frame_base, std::int32_t{place.offset} - frame_bias + offset, bytes);
  }
  return x86::ptr(context, std::int32_t{place.offset} - context_bias + offset, bytes);
}
inline std::optional<x86::Gp> pin_of(const GuestMode& mode, Resource resource) {
  for (std::size_t i = 0; i < mode.pinned.size() && i < pins.size(); ++i) {
    if (mode.pinned[i] == resource) return pins[i];
  }
  return std::nullopt;
}

// Where GuestMode::frame lies now.
inline void find_frame(x86::Assembler& assembler, const GuestMode& mode) {
  const std::int32_t start = std::int32_t{mode.frame->start} - context_bias + frame_bias;
  assembler.mov(frame_base.r32(), in_context({.offset = mode.frame->skip}, 4));
  assembler.lea(frame_base, x86::ptr(context, frame_base, 3, start));
}

// The low bytes of a register: 1, 4 or all.
inline x86::Gp part(const x86::Gp& reg, std::uint32_t bytes) {
  return bytes == 1 ? reg.r8() : bytes == 4 ? reg.r32() : reg;
}

}  // namespace hardclock::host
