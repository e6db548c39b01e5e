// Plain accesses as translated code makes them, called from C++.
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstdint>

#include "sim/base/check.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/plain_code.h"

namespace hardclock {

// One side's loads or fetches, or stores. The description must outlive it, and has_plain_code().
class PlainCall {
 public:
  PlainCall(const MemoryDescription& memory, CacheSide side, bool is_store) {
    using namespace host;
    constexpr std::array<x86::Gp, 6> kept = {x86::rbx, x86::rbp, x86::r12,
                                             x86::r13, x86::r14, x86::r15};
    GuestMode mode;
    mode.memory = &memory;
    asmjit::CodeHolder code;
    CHECK(code.init(runtime_.environment()) == asmjit::kErrorOk);
    x86::Assembler a(&code);
    const asmjit::Label access = a.newLabel(), declined = a.newLabel();
    for (const x86::Gp& each : kept) a.push(each);
    a.sub(x86::rsp, frame_size);
    a.mov(on_stack(frame_slot), x86::rdi);
    a.mov(x86::rax, in_frame(x86::rdi, &HostFrame::fetched_lines));
    a.mov(on_stack(fetch_slot), x86::rax);
    a.mov(accesses, in_frame(x86::rdi, &HostFrame::accesses));
    a.mov(budget, in_frame(x86::rdi, &HostFrame::budget));
    a.mov(x86::rax, x86::rsi);
    a.mov(x86::rcx, x86::rdx);
    a.call(access);
    a.mov(x86::rdi, on_stack(frame_slot));
    a.mov(in_frame(x86::rdi, &HostFrame::budget), budget);
    a.add(x86::rsp, frame_size);
    for (std::size_t i = kept.size(); i-- > 0;) a.pop(kept[i]);
    a.ret();
    a.bind(access);
    emit_plain_code(a, mode, side, is_store, declined);
    a.bind(declined);
    a.xor_(x86::eax, x86::eax);
    a.ret();
    CHECK(runtime_.add(&function_, &code) == asmjit::kErrorOk);
  }

  // Null: it has declined. The frame's budget is what is left.
  std::uint8_t* operator()(HostFrame& frame, std::uint64_t address, const AccessSite& site) const {
    return function_(&frame, address, site.pack());
  }

 private:
  asmjit::JitRuntime runtime_;
  std::uint8_t* (*function_)(HostFrame*, std::uint64_t address, std::uint64_t site) = nullptr;
};

}  // namespace hardclock
