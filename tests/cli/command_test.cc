#include "tests/cli/command_test.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace hardclock::cli_test {
namespace {

constexpr unsigned longest_run = 120;  // seconds

std::string runfile(std::string_view path) {
  const char* const root = std::getenv("TEST_SRCDIR");
  const char* const workspace = std::getenv("TEST_WORKSPACE");
  if (root == nullptr || workspace == nullptr) return std::string(path);
  return std::string(root) + "/" + workspace + "/" + std::string(path);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

void open_as(int number, const char* path, int flags) {
  const int opened = ::open(path, flags, 0666);
  if (opened < 0) ::_exit(127);
  if (opened == number) return;
  ::dup2(opened, number);
  ::close(opened);
}

}  // namespace

std::string hardclock_path() {
  return runfile("hardclock");
}
std::string guest(std::string_view name) {
  return runfile("tests/guests/" + std::string(name));
}
std::string cli_guest(std::string_view name) {
  return runfile("tests/cli/guests/" + std::string(name));
}
std::string expected_output(std::string_view name) {
  return read_file(runfile("tests/guests/expected/" + std::string(name)));
}

Child::Child(const std::vector<std::string>& command, const Surroundings& surroundings) {
  const std::vector<char*> arguments = pointers(command);
  const std::vector<char*> environment = pointers(surroundings.environment);
  const std::string out = outputs_.path() + "/out";
  const std::string err = outputs_.path() + "/err";
  pid_ = ::fork();
  if (pid_ != 0) return;
  if (::chdir(surroundings.directory.c_str()) != 0) ::_exit(127);
  open_as(STDIN_FILENO, surroundings.input.c_str(), O_RDONLY);
  open_as(STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  open_as(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  // Whoever runs the tests in the background may ignore them.
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP}) ::signal(signal, SIG_DFL);
  if (!surroundings.random_addresses) ::personality(ADDR_NO_RANDOMIZE);
  ::alarm(longest_run);
  ::execvpe(arguments[0], arguments.data(), environment.data());
  ::_exit(127);
}

Child::~Child() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Child::send(int signal) const {
  ::kill(pid_, signal);
}

std::string Child::out() const {
  return read_file(outputs_.path() + "/out");
}
std::string Child::err() const {
  return read_file(outputs_.path() + "/err");
}

Finished Child::wait() {
  int status = 0;
  struct rusage usage = {};
  ::wait4(pid_, &status, 0, &usage);
  pid_ = -1;
  const bool crashed = WIFSIGNALED(status);
  const auto peak_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
  return {crashed ? 128 + WTERMSIG(status) : WEXITSTATUS(status), crashed, out(), err(),
          peak_kib << 10};
}

Finished CommandTest::hardclock(const std::vector<std::string>& arguments) const {
  return hardclock(arguments, here());
}

Finished CommandTest::hardclock(const std::vector<std::string>& arguments,
                                const Surroundings& surroundings) const {
  std::vector<std::string> command = {hardclock_path()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Finished run = Child(command, surroundings).wait();
  expect_sound(run);
  return run;
}

Finished CommandTest::other_program(const std::vector<std::string>& command) const {
  return Child(command, here()).wait();
}

std::vector<std::string> CommandTest::seen_in_browser(const std::string& page,
                                                      const std::string& script) const {
  write("seen.html", page + "<script>\nconst seen = [];\n" + script + R"(
document.body.replaceChildren(...seen.map(text => {
  const element = document.createElement('pre');
  element.textContent = text;
  return element;
}));
</script>)");
  const Finished run =
      other_program({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                     "--user-data-dir=" + path("browser"), "file://" + path("seen.html")});
  std::vector<std::string> seen;
  for (std::string rest = run.out; contains(rest, "<pre>");) {
    rest.erase(0, rest.find("<pre>") + 5);
    seen.push_back(rest.substr(0, rest.find("</pre>")));
  }
  EXPECT_FALSE(seen.empty()) << run.out.substr(0, 2000) << run.err;
  return seen;
}

void CommandTest::write(std::string_view name, std::string_view bytes) const {
  std::ofstream(path(name), std::ios::binary) << bytes;
}

std::string CommandTest::read(std::string_view name) const {
  return read_file(path(name));
}

void expect_sound(const Finished& run) {
  EXPECT_FALSE(run.crashed) << "status " << run.status << "\n" << run.err;
  for (const char* report : {"Sanitizer", "runtime error:", "internal error", "terminate called"}) {
    EXPECT_FALSE(contains(run.err, report)) << run.err;
  }
}

void expect_complaint(const Finished& run, const std::vector<std::string>& words) {
  EXPECT_EQ(run.status, own_failure);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(run.err.starts_with("hardclock: ")) << run.err;
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(run.err.ends_with("\n"));
  for (const std::string& word : words)
    EXPECT_TRUE(contains(run.err, word)) << word << "\n" << run.err;
}

std::string read_file(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string replace(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace hardclock::cli_test
