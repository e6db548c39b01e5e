// --net: guests reach the host's network. The other end is this test, on the host's 127.0.0.1,
// which guests call 10.0.2.2.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include "tests/cli/command_test.h"
#include "tests/cli/happens.h"

namespace hardclock::cli_test {
namespace {

// A socket of the host at 127.0.0.1. None of its calls takes longer than a minute.
class HostSocket {
 public:
  explicit HostSocket(int type, std::uint16_t port = 0) : file_(::socket(AF_INET, type, 0)) {
    set_limit();
    const ::sockaddr_in at = here(port);
    is_bound_ = ::bind(file_, reinterpret_cast<const ::sockaddr*>(&at), sizeof at) == 0;
    if (type == SOCK_STREAM && is_bound_) ::listen(file_, 5);
  }
  HostSocket(const HostSocket&) = delete;
  ~HostSocket() { ::close(file_); }

  bool is_bound() const { return is_bound_; }
  std::uint16_t port() const {
    ::sockaddr_in at{};
    ::socklen_t size = sizeof at;
    ::getsockname(file_, reinterpret_cast<::sockaddr*>(&at), &size);
    return ntohs(at.sin_port);
  }
  std::string port_text() const { return std::to_string(port()); }
  HostSocket accept() const { return HostSocket(Descriptor{::accept(file_, nullptr, nullptr)}); }
  static HostSocket connect(std::uint16_t port) { return HostSocket(connected(port)); }
  void send(std::string_view text) const {
    EXPECT_EQ(::send(file_, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  std::string receive() const {
    std::array<char, 512> bytes;
    const ssize_t count = ::recv(file_, bytes.data(), bytes.size(), 0);
    return {bytes.data(), count < 0 ? 0 : static_cast<std::size_t>(count)};
  }
  // Until the other end sends no more.
  std::string receive_all() const {
    std::string all;
    for (std::string part = receive(); !part.empty(); part = receive()) all += part;
    return all;
  }
  // Answers one datagram; returns it. Empty: none has come.
  std::string answer(const std::function<std::string(const std::string&)>& with) const {
    std::array<char, 512> bytes;
    ::sockaddr_in from{};
    ::socklen_t size = sizeof from;
    const ssize_t count = ::recvfrom(file_, bytes.data(), bytes.size(), 0,
                                     reinterpret_cast<::sockaddr*>(&from), &size);
    if (count < 0) return {};
    const std::string question(bytes.data(), static_cast<std::size_t>(count));
    const std::string answer = with(question);
    ::sendto(file_, answer.data(), answer.size(), 0, reinterpret_cast<::sockaddr*>(&from), size);
    return question;
  }

 private:
  struct Descriptor {
    int number;
  };
  static Descriptor connected(std::uint16_t port) {
    const Descriptor made{::socket(AF_INET, SOCK_STREAM, 0)};
    const ::sockaddr_in at = here(port);
    ::connect(made.number, reinterpret_cast<const ::sockaddr*>(&at), sizeof at);
    return made;
  }
  explicit HostSocket(Descriptor descriptor) : file_(descriptor.number) { set_limit(); }
  static ::sockaddr_in here(std::uint16_t port) {
    ::sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return at;
  }
  void set_limit() const {
    const ::timeval minute{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
  }

  int file_;
  bool is_bound_ = false;
};

std::uint16_t free_port() {
  return HostSocket(SOCK_STREAM).port();
}

class Net : public CommandTest, public testing::WithParamInterface<std::string> {
 protected:
  std::vector<std::string> command(const std::string& how, const std::string& host,
                                   const std::string& port,
                                   const std::vector<std::string>& options = {"--net"}) const {
    std::vector<std::string> all = {"run", "--timing=functional", "--max-seconds", "50"};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), {cli_guest("net_" + GetParam()), how, host, port});
    return all;
  }
  std::vector<std::string> whole_command(const std::string& how, const std::string& host,
                                         const std::string& port) const {
    std::vector<std::string> all = command(how, host, port);
    all.insert(all.begin(), hardclock_path());
    return all;
  }
};

TEST_P(Net, FetchesFromTheHost) {
  const HostSocket server(SOCK_STREAM);
  std::string asked;
  std::thread host([&] {
    const HostSocket client = server.accept();
    asked = client.receive_all();
    client.send(std::string(200'000, 'x') + "\nthe host's answer\n");
  });
  const Finished run = hardclock(command("fetch", "10.0.2.2", server.port_text()));
  host.join();
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "peer 10.0.2.2 1\nown 10.0.2.15 1\n" + std::string(200'000, 'x') +
                         "\nthe host's answer\n");
  EXPECT_EQ(asked, "ask\n");
}

TEST_P(Net, IsUnreachableWithoutTheOption) {
  const HostSocket server(SOCK_STREAM);
  const Finished run = hardclock(command("fetch", "10.0.2.2", server.port_text(), {}));
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, "connect: Network is unreachable\n");
}

TEST_P(Net, ConnectsLater) {
  const HostSocket server(SOCK_STREAM);
  std::thread host([&] {
    const HostSocket client = server.accept();
    client.send(client.receive_all());
  });
  const Finished run = hardclock(command("later", "10.0.2.2", server.port_text()));
  host.join();
  EXPECT_EQ(run.out, "Operation now in progress\npoll 1\nSuccess\nask\n") << run.err;
}

TEST_P(Net, HearsThatNobodyIsThere) {
  const std::string nobody = std::to_string(free_port());
  const Finished later = hardclock(command("later", "10.0.2.2", nobody));
  EXPECT_EQ(later.out, "Operation now in progress\npoll 1\nConnection refused\n") << later.err;
  const Finished fetch = hardclock(command("fetch", "10.0.2.2", nobody));
  EXPECT_EQ(fetch.out, "connect: Connection refused\n") << fetch.err;
}

TEST_P(Net, ServesTheHost) {
  for (const char* address : {"0.0.0.0", "10.0.2.15"}) {
    const std::uint16_t port = free_port();
    Child child(whole_command("serve", address, std::to_string(port)), here());
    ASSERT_TRUE(happens([&] { return contains(child.out(), "listening"); })) << child.err();
    {
      const HostSocket client = HostSocket::connect(port);
      client.send("a line\n");
      EXPECT_EQ(client.receive(), "a line\n") << address;
    }
    const Finished run = child.wait();
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "listening\nfrom 10.0.2.2\n");
  }
}

TEST_P(Net, ExchangesDatagrams) {
  const HostSocket server(SOCK_DGRAM);
  std::array<std::string, 2> questions;
  std::thread host([&] {
    for (std::string& question : questions) {
      question = server.answer([](const std::string&) { return "answer"; });
    }
  });
  const Finished run = hardclock(command("datagram", "10.0.2.2", server.port_text()));
  host.join();
  EXPECT_EQ(run.out, "4 'answ' from 10.0.2.2 1\npoll 1\n6 'answer'\n") << run.err;
  EXPECT_EQ(questions, (std::array<std::string, 2>{"question", "question"}));
}

TEST_P(Net, DoesNotStopOthers) {
  const HostSocket server(SOCK_STREAM);
  std::thread host([&] {
    const HostSocket waits = server.accept(), asks = server.accept();
    EXPECT_EQ(asks.receive_all(), "now\n");
    waits.send("for the child\n");
    asks.send("for the parent\n");
  });
  const Finished run = hardclock(command("both", "10.0.2.2", server.port_text()));
  host.join();
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "child: 1\nfor the child\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "for the parent\n")) << run.out;
}

// Linux: sigsuspend(2) "suspends the process until delivery of a signal", which news can bring.
TEST_P(Net, WaitsForASignalThatTellsOfNews) {
  const HostSocket server(SOCK_STREAM);
  std::thread host([&] {
    const HostSocket client = server.accept();
    for (const char* const answer : {"first\n", "second\n"}) {
      ::usleep(50'000);
      client.send(answer);
    }
    ::usleep(50'000);
  });
  const Finished run = hardclock(command("suspended", "10.0.2.2", server.port_text()));
  host.join();
  EXPECT_EQ(run.out, "woken, first\nwoken, second\nended\n") << run.err;
}

TEST_P(Net, TellsOfWhatComesBySignals) {
  const HostSocket server(SOCK_STREAM);
  std::thread host([&] {
    const HostSocket client = server.accept();
    for (const char* const answer : {"first\n", "second\n", "untold\n"}) {
      client.receive();
      client.send(answer);
    }
  });
  const Finished run = hardclock(command("told", "10.0.2.2", server.port_text()));
  host.join();
  EXPECT_EQ(run.out, "told, first\ntold, second\nuntold\nsignals: 2\n") << run.err;
}

TEST_P(Net, WaitsUntilTheUserEndsIt) {
  const HostSocket server(SOCK_STREAM);
  Child child(whole_command("patience", "10.0.2.2", server.port_text()), here());
  const HostSocket client = server.accept();
  ASSERT_TRUE(happens([&] { return contains(child.out(), "time"); })) << child.err();
  child.send(SIGINT);
  const Finished run = child.wait();
  EXPECT_EQ(run.out, "poll 0\nin time\n");
  EXPECT_EQ(run.status, 128 + SIGINT) << run.err;
}

// A peer sees when a guest goes on: its waits last no shorter there than here. They may last
// longer, on a host that has more to do.
TEST_P(Net, WaitsAsLongAsItsPeersDo) {
  const auto start = std::chrono::steady_clock::now();
  const Finished run = hardclock(command("paces", "10.0.2.2", "1"));
  const auto passed = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(run.out, "waited\n") << run.err;
  EXPECT_GE(passed, std::chrono::milliseconds(990));
}

TEST_P(Net, KeepsTheGuestsLoopbackNetworkApart) {
  const HostSocket server(SOCK_STREAM);
  const Finished run = hardclock(command("own", "127.0.0.1", server.port_text()));
  EXPECT_EQ(run.out, "from 127.0.0.1\nown\n") << run.err;
}

// An answer to a question for the IPv4 address of a name (RFC 1035, section 4); to others, that the
// name has none.
std::string name_server_answer(const std::string& question) {
  constexpr std::size_t header_bytes = 12;
  if (question.size() < header_bytes + 5) return {};
  const std::size_t end = question.find('\0', header_bytes) + 5;
  const bool is_for_address = question.substr(end - 4, 4) == std::string("\0\1\0\1", 4);
  std::string answer = question.substr(0, 2) + std::string("\x81\x80\0\1", 4);
  answer += std::string(is_for_address ? "\0\1" : "\0\0", 2) + std::string(4, '\0');
  answer += question.substr(header_bytes, end - header_bytes);
  if (is_for_address) answer += std::string("\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x0a\0\2\2", 16);
  return answer;
}

TEST_P(Net, AsksTheNameServerOfTheRoot) {
  const HostSocket names(SOCK_DGRAM, 53), server(SOCK_STREAM);
  if (!names.is_bound()) GTEST_SKIP() << "port 53 of 127.0.0.1 is not for this test";
  ASSERT_EQ(::mkdir(path("root").c_str(), 0777), 0);
  ASSERT_EQ(::mkdir(path("root/etc").c_str(), 0777), 0);
  write("root/etc/resolv.conf", "nameserver 10.0.2.2\n");
  std::string question;
  std::thread host([&] {
    question = names.answer(name_server_answer);
    const HostSocket client = server.accept();
    client.receive_all();
    client.send("by name\n");
  });
  const Finished run = hardclock(
      command("fetch", "host.example", server.port_text(), {"--net", "-L", path("root")}));
  host.join();
  EXPECT_TRUE(contains(question, "\4host\7example")) << question;
  EXPECT_EQ(run.out, "host.example is 10.0.2.2\npeer 10.0.2.2 1\nown 10.0.2.15 1\nby name\n")
      << run.err;
}

INSTANTIATE_TEST_SUITE_P(Abi, Net, testing::Values("o32", "o32el", "n64", "hppa"),
                         [](const auto& abi) { return abi.param; });

using NetRun = CommandTest;

TEST_F(NetRun, SaysThatItCannotBeRepeated) {
  const Finished text = hardclock({"run", "--net", "--stats", guest("compute")});
  EXPECT_TRUE(contains(text.err, "\nnetwork        the host's: this run cannot be repeated\n"))
      << text.err;
  const Finished json = hardclock({"run", "--net", "--stats=s.json", guest("compute")});
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_TRUE(contains(read("s.json"), "\"network\": \"host\""));
}

// Nobody outside could help.
TEST_F(NetRun, FindsADeadlock) {
  const Finished without = hardclock({"run", guest("deadlock")});
  const Finished with = hardclock({"run", "--net", guest("deadlock")});
  EXPECT_NE(without.status, 0);
  EXPECT_EQ(with.status, without.status);
  EXPECT_EQ(with.err, without.err);
}

}  // namespace
}  // namespace hardclock::cli_test
