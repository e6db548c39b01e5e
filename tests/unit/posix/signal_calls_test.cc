// Signal masks, handlers and what is sent to whom.
#include <gtest/gtest.h>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

// sigprocmask(2): what was blocked before a handler is blocked after it, whatever its number.
// Solaris has 45 signals.
TEST(SignalMask, ComesBackWholeAfterAHandler) {
  constexpr std::uint32_t sigusr1 = 16, set_mask = 3, words = 4;
  constexpr std::uint32_t signal_3 = 1U << 2, signal_40 = 1U << 7;
  Program program = program_for("solaris");
  const Label handler = program.label();
  program.data(own_data, signal_3);
  program.data(own_data + 4, signal_40);
  program.data(own_data + 0x44, handler);
  program.call("sigprocmask", {set_mask, own_data, 0});
  program.call("sigaction", {sigusr1, own_data + 0x40, 0});
  program.call("kill", {0, sigusr1});
  program.call("sigprocmask", {set_mask, 0, own_data + 0x80});
  program.call("exit", {5});
  program.place(handler);
  program.store(own_data + 0xc0, 7);
  program.return_to_caller();
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data + 0xc0), 7U);
  EXPECT_EQ(guest.word(own_data + 0x80), signal_3);
  EXPECT_EQ(guest.word(own_data + 0x84), signal_40);
  for (std::uint32_t i = 2; i < words; ++i) {
    EXPECT_EQ(guest.word(own_data + 0x80 + 4 * i), 0U);
  }
}

// include/signal.h of 4.4BSD on the DECstation: a struct sigcontext has 288 bytes, sendsig() puts
// it and four words in front of it below the stack pointer.
TEST(SignalFrame, Of44BsdHasThePublishedSize) {
  Program program = program_for("4.4bsd");
  const Label handler = program.label();
  program.data(own_data, handler);
  constexpr std::uint32_t sigusr1 = 30;
  const auto put_sp = [&](std::uint32_t address) { program.raw(0xac1d0000 | address); };
  program.call("sigaction", {sigusr1, own_data, 0});
  put_sp(own_data + 0x40);
  program.call("kill", {0, sigusr1});
  program.call("exit", {5});
  program.place(handler);
  put_sp(own_data + 0x44);
  program.return_to_caller();
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  constexpr std::uint32_t argument_area = 32;  // of the call that sent the signal
  EXPECT_EQ(guest.word(own_data + 0x40) - argument_area - guest.word(own_data + 0x44), 16U + 288U);
}

// sigreturn(2) of 4.4BSD, sys/pmax machdep.c: EINVAL for what is no sigcontext.
TEST(Sigreturn, OfAnythingElse) {
  Program program = program_for("4.4bsd");
  const auto no_magic = program.call("sigreturn", {own_data});
  const auto nowhere = program.call("sigreturn", {0xfffffff0});
  const auto across = program.call("sigreturn", {heap_base - 8});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  for (const auto refused : {no_magic, nowhere, across}) {
    EXPECT_EQ(guest.error(refused), Errno::einval);
  }
}

// A context can hold any pc: one that no program can have ends it by a signal, and nothing else.
TEST(Setcontext, ToAnywhere) {
  constexpr std::uint32_t uc_epc = 180;
  struct Place {
    std::uint32_t pc;
    unsigned signal;
  };
  for (const Place& place : {Place{0x80001000, sigsegv}, Place{0xfffffffc, sigsegv},
                             Place{0x1002, sigbus}, Place{0xffffffff, sigbus}, Place{0, sigsegv}}) {
    Program program = program_for("solaris");
    program.data(own_data + uc_epc, place.pc);
    program.call("setcontext", {own_data});
    Guest guest(program);
    const SimulationEnd outcome = guest.run();
    EXPECT_TRUE(outcome.status.by_signal);
    EXPECT_EQ(outcome.status.code, place.signal) << std::hex << place.pc;
  }
}

// kill(2): the limits of pids and signals.
TEST(Kill, RefusesWhatIsNotThere) {
  Program program = program_for("4.4bsd");
  const auto nobody = program.call("kill", {99999, 0});
  const auto most = program.call("kill", {0x7fffffff, 0});
  const auto signal = program.call("kill", {0, 32});
  const auto negative = program.call("kill", {0, 0xffffffff});
  const auto test = program.call("kill", {0, 0});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(nobody), Errno::esrch);
  EXPECT_EQ(guest.error(most), Errno::esrch);
  EXPECT_EQ(guest.error(signal), Errno::einval);
  EXPECT_EQ(guest.error(negative), Errno::einval);
  EXPECT_EQ(guest.error(test), std::nullopt);
}

}  // namespace
}  // namespace hardclock::posix::testing
