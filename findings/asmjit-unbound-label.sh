#!/bin/bash
# AsmJit makes a function whose jump leads to a label that was never bound, and calls that a success.
#
# Versions: Debian 12, libasmjit-dev 0.0~git20221210 (library 1.9), GCC 12.2; x86-64.
# Neither JitRuntime::add() nor CodeHolder::resolveUnresolvedLinks() and relocateToBase() return an error, and an error
# handler is not called: the jump keeps a displacement of 0, so it goes on behind itself. Only CodeHolder::
# hasUnresolvedLinks(), asked after them, tells. A conditional jump is then silently one that is never taken.
source "$(dirname "$(readlink -f "$0")")/unpack"
unpack "${native_gcc[@]}" g++-12=12.2.0-14+deb12u1 libstdc++-12-dev=12.2.0-14+deb12u1 libstdc++6 \
  libasmjit-dev=0.0~git20221210.5b5b0b3-1

cat >main.cc <<'END'
#include <asmjit/x86.h>

#include <cstdio>

class Told : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) override {
    std::printf("told: %s\n", message);
  }
};

int main() {
  using namespace asmjit;
  JitRuntime runtime;
  CodeHolder code;
  Told told;
  code.init(runtime.environment());
  code.setErrorHandler(&told);
  x86::Assembler a(&code);
  const Label elsewhere = a.newLabel();
  a.xor_(x86::eax, x86::eax);
  a.jmp(elsewhere);
  a.mov(x86::eax, 1);
  a.ret();
  int (*function)() = nullptr;
  std::printf("error %u\n", unsigned(runtime.add(&function, &code)));
  std::printf("unresolved %d\n", code.hasUnresolvedLinks() ? 1 : 0);
  std::printf("returns %d\n", function());
}
END
g++-12 --sysroot="$work/root" -B"$work/root/usr/bin/" -isystem "$work/root/usr/include/c++/12" \
  -isystem "$work/root/usr/include/x86_64-linux-gnu/c++/12" -static -o main main.cc -lasmjit -lrt
./main | tee found
printf '%s\n' 'error 0' 'unresolved 1' 'returns 1' >expected
cmp -s expected found || fail "the results are others now"
