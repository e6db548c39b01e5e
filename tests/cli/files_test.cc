// What a guest sees of the host: the working directory, its roots and what is bound, nothing else.
// Error numbers are System V's (IRIX <sys/errno.h>): EPERM 1, ENOENT 2, EBADF 9, EACCES 13, EROFS
// 30, EPIPE 32.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <regex>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;

class Files : public CommandTest {
 protected:
  // Runs the guest `files` with these instructions, below other options of `run`.
  std::string files(const std::vector<std::string>& instructions,
                    const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"run"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back(cli_guest("files"));
    arguments.insert(arguments.end(), instructions.begin(), instructions.end());
    const Finished run = hardclock(arguments);
    EXPECT_EQ(run.status, 0);
    const std::regex hint("[^\n]*: the host has it, but the guest does not see it[^\n]*\n");
    EXPECT_EQ(std::regex_replace(run.err, hint, ""), "");
    return run.out;
  }
};

TEST_F(Files, HostIsOutOfSight) {
  ASSERT_NE(read_file("/etc/debian_version"), "") << "there is nothing to hide";
  EXPECT_EQ(files({"r", "/etc/debian_version"}), "r /etc/debian_version: errno 2\n");
  EXPECT_EQ(files({"r", "/proc/self/maps"}), "r /proc/self/maps: errno 2\n");
  EXPECT_EQ(files({"r", "/bin/true"}), "r /bin/true: errno 2\n");
  std::string up = "../../../../../../../../../../../../etc/debian_version";
  EXPECT_EQ(files({"r", up}), "r " + up + ": errno 2\n");
  EXPECT_FALSE(contains(files({"w", "/hardclock-was-here"}), ": 6"));
  EXPECT_FALSE(fs::exists("/hardclock-was-here"));
}

// docs/manual.md, "Guest roots": /tmp is the run's own, empty at its start and gone at its end.
TEST_F(Files, TmpIsTheRunsOwn) {
  Surroundings beside = here();
  fs::create_directory(path("scratch"));
  beside.environment.push_back("TMPDIR=" + path("scratch"));
  const std::vector<std::string> command = {"run", cli_guest("files"), "r", "/tmp/x",
                                            "w",   "/tmp/x",           "r", "/tmp/x"};
  for (int run = 0; run < 2; ++run) {
    const Finished finished = hardclock(command, beside);
    EXPECT_TRUE(finished.out.starts_with("r /tmp/x: errno 2\nw /tmp/x: 6\nr /tmp/x: "))
        << finished.out;
    EXPECT_FALSE(finished.out.ends_with("errno 2\n")) << finished.out;
  }
  EXPECT_TRUE(fs::is_empty(path("scratch")));
  EXPECT_FALSE(fs::exists("/tmp/x"));
}

// hier(5): /usr/tmp and /var/tmp are for temporary files like /tmp; here they are the same folder.
TEST_F(Files, OtherTemporaryFoldersAreTmp) {
  EXPECT_EQ(files({"w", "/usr/tmp/x", "r", "/var/tmp/x", "u", "/tmp/x", "r", "/usr/tmp/x"}),
            "w /usr/tmp/x: 6\nr /var/tmp/x: 'guest\n'\nu /tmp/x: 0\nr /usr/tmp/x: errno 2\n");
}

// No terminal belongs to a guest: ENXIO (6) for whoever wants to read; what is written to one is
// for the user.
TEST_F(Files, TerminalsAreForTheUsersEyes) {
  for (const std::string device : {"/dev/tty", "/dev/console"}) {
    const Finished run = hardclock({"run", cli_guest("files"), "r", device, "w", device});
    EXPECT_EQ(run.out, "r " + device + ": errno 6\nw " + device + ": 6\n");
    EXPECT_EQ(run.err, "guest\n");
    const std::string closed =
        "'" + hardclock_path() + "' run '" + cli_guest("files") + "' w " + device + " 2>&-";
    EXPECT_EQ(other_program({"sh", "-c", closed}).out, "w " + device + ": 6\n");
  }
}

// docs/manual.md, "Guest roots": the guest's clock shows in its files, the host's nowhere.
class FileTimes : public Files {
 protected:
  // Input that was last used and modified at these times on the host.
  void put(const std::string& name, std::time_t access, std::time_t modification) const {
    write(name, "input");
    const struct ::timespec times[2] = {{access, 1}, {modification, 2}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path(name).c_str(), times, 0), 0);
  }
  // What a program finds, of files that it makes and of input of these dates.
  std::string found(std::time_t host_date, const std::vector<std::string>& options = {}) const {
    fs::remove(path("first"));
    fs::remove(path("second"));
    put("old", host_date, 757382400);  // date -u -d 1994-01-01 +%s
    put("new", host_date + 100, host_date);
    std::vector<std::string> arguments = {"run"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {guest("filetimes"), "old", "new"});
    const Finished run = hardclock(arguments);
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    return run.out;
  }
  static constexpr std::time_t year_2026 = 1767225600, year_2031 = 1924992000;
};

TEST_F(FileTimes, AreTheGuestsWhateverTheHostsDateIs) {
  const std::string first = found(year_2026);
  EXPECT_EQ(found(year_2031), first);
  EXPECT_TRUE(contains(first, "# old 757382400.2 757382400.2 757382400.2\n")) << first;
  EXPECT_TRUE(contains(first, "# new 820454400.0 820454400.0 820454400.0\n")) << first;
}

TEST_F(FileTimes, BeginWithTheOption) {
  const std::string text = found(year_2026, {"--time=2027-01-01"});
  EXPECT_TRUE(contains(text, "# new 1767225600.2 1767225600.2 1767225600.2\n")) << text;
}

// make(1) on the host compares them with its own files.
TEST_F(FileTimes, AreTheHostsOnTheHost) {
  struct ::stat input, output;
  found(year_2026);
  write("now", "");
  ASSERT_EQ(::stat(path("now").c_str(), &input), 0);
  ASSERT_EQ(::stat(path("second").c_str(), &output), 0);
  EXPECT_NEAR(static_cast<double>(output.st_mtim.tv_sec), static_cast<double>(input.st_mtim.tv_sec),
              120);
}

TEST_F(Files, SymbolicLinksDoNotLeadToTheHostsFiles) {
  ASSERT_TRUE(contains(read_file("/etc/os-release"), "NAME")) << "there is nothing to find";
  fs::create_symlink("/etc/os-release", path("link"));
  fs::create_symlink("/etc", path("directory"));
  fs::create_symlink("../../../../../../../../etc/os-release", path("relative"));
  EXPECT_EQ(files({"r", "link"}), "r link: errno 2\n");
  EXPECT_FALSE(contains(files({"r", "directory/os-release"}), "NAME"));
  EXPECT_FALSE(contains(files({"r", "relative"}), "NAME"));
}

TEST_F(Files, SymbolicLinksLeadToTheGuestsFiles) {
  write("there", "text");
  fs::create_symlink("/etc/hosts", path("link"));
  fs::create_symlink(path("there"), path("absolute"));
  EXPECT_EQ(files({"r", "link"}), "r link: '127.0.0.1\tlocalhost hardclock\n'\n");
  EXPECT_EQ(files({"r", "absolute"}), "r absolute: 'text'\n");
}

TEST_F(Files, WorkingDirectoryCanBeWritten) {
  write("here", "text");
  EXPECT_EQ(files({"r", "here", "w", "new", "r", "new", "w", "here"}),
            "r here: 'text'\nw new: 6\nr new: 'guest\n'\nw here: 6\n");
  EXPECT_EQ(read("new"), "guest\n");
  EXPECT_EQ(read("here"), "guest\n");
  EXPECT_EQ(files({"u", "new", "u", "new"}), "u new: 0\nu new: errno 2\n");
  EXPECT_FALSE(fs::exists(path("new")));
  EXPECT_EQ(files({"r", path("here")}), "r " + path("here") + ": 'guest\n'\n");
}

TEST_F(Files, ProgramOfTheHostIsReadOnly) {
  const std::string program = cli_guest("files");
  EXPECT_FALSE(contains(files({"w", program}), ": 6"));
  EXPECT_FALSE(contains(files({"u", program}), ": 0"));
  EXPECT_GT(fs::file_size(program), 6U);
}

TEST_F(Files, RootHoldsProgramsAndIsReadOnly) {
  fs::create_directories(path("root/usr/bin"));
  fs::create_directories(path("root/etc"));
  fs::create_directories(path("work"));
  write("root/usr/bin/files", read_file(cli_guest("files")));
  write("root/etc/passwd", "guest\n");
  const Surroundings work = {.directory = path("work")};
  const Finished run = hardclock({"run", "-L", "../root", "/usr/bin/files", "r", "/etc/passwd", "w",
                                  "/etc/passwd", "w", "/etc/new", "u", "/etc/passwd", "w", "mine"},
                                 work);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out,
            "r /etc/passwd: 'guest\n'\nw /etc/passwd: errno 30\nw /etc/new: errno 30\n"
            "u /etc/passwd: errno 30\nw mine: 6\n");
  EXPECT_EQ(read("root/etc/passwd"), "guest\n");
  EXPECT_FALSE(fs::exists(path("root/etc/new")));
  EXPECT_EQ(read("work/mine"), "guest\n");
}

// docs/manual.md, "Guest roots": a root inside of the working directory stays read-only.
TEST_F(Files, RootBelowTheWorkingDirectoryIsReadOnly) {
  fs::create_directories(path("root/etc"));
  write("root/etc/passwd", "guest\n");
  EXPECT_EQ(files({"w", "root/etc/passwd", "u", "root/etc/passwd", "w", "mine"}, {"-L", "root"}),
            "w root/etc/passwd: errno 30\nu root/etc/passwd: errno 30\nw mine: 6\n");
  EXPECT_EQ(read("root/etc/passwd"), "guest\n");
}

TEST_F(Files, WorkingDirectoryCanBeReadOnlyOrAbsent) {
  write("here", "text");
  const std::vector<std::string> asked = {"r", "here", "w", "here", "w", "new"};
  EXPECT_EQ(files(asked, {"--cwd=ro"}), "r here: 'text'\nw here: errno 30\nw new: errno 30\n");
  EXPECT_EQ(files(asked, {"--cwd=none"}), "r here: errno 2\nw here: errno 30\nw new: errno 30\n");
  EXPECT_EQ(read("here"), "text");
  EXPECT_FALSE(fs::exists(path("new")));
}

// A program that is named by a path into the working directory, which is not there for the guest.
TEST_F(Files, ProgramRunsWithoutAWorkingDirectory) {
  write("prog", read_file(cli_guest("files")));
  const Finished run = hardclock({"run", "--cwd=none", "./prog", "w", "prog", "r", path("prog")});
  EXPECT_EQ(run.out, "w prog: errno 30\nr " + path("prog") + ": errno 2\n") << run.err;
}

TEST_F(Files, HomeAsWorkingDirectoryIsWarnedOf) {
  Surroundings home = here();
  home.environment.push_back("HOME=" + folder());
  const auto said = [&](const std::vector<std::string>& options) {
    std::vector<std::string> command = {"run"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {cli_guest("files"), "a"});
    return hardclock(command, home).err;
  };
  const std::string warning = said({});
  EXPECT_EQ(lines_of(warning).size(), 1U) << warning;
  EXPECT_TRUE(contains(warning, folder()) && contains(warning, "--cwd=ro")) << warning;
  for (const char* option : {"--cwd=rw", "--cwd=ro", "--cwd=none"}) EXPECT_EQ(said({option}), "");
}

// With a guest root, /usr/bin/nm is the guest's, not the host's.
TEST_F(Files, AnAbsolutePathInARootsFolderIsTheGuests) {
  fs::create_directories(path("root/usr/bin"));
  fs::create_directories(path("work"));
  const Surroundings work = {.directory = path("work")};
  expect_complaint(
      hardclock({"run", "-L", path("root"), "/usr/bin/env"}, work),
      {"/usr/bin/env", "below the guest root, which has its folder", "the host's file"});
  fs::create_directories(path("empty"));
  expect_complaint(hardclock({"run", "-L", path("empty"), "/usr/bin/env"}, work),
                   {"/usr/bin/env", "below the guest root;", "the host's file"});
  const Finished elsewhere =
      hardclock({"run", "-L", path("root"), cli_guest("files"), "r", "/x"}, work);
  EXPECT_EQ(elsewhere.out, "r /x: errno 2\n") << elsewhere.err;
}

// The guest says only that there is no such file.
TEST_F(Files, AnArgumentThatTheHostAloneHasIsNamed) {
  fs::create_directories(path("work"));
  write("outside", "the host's");
  write("work/inside", "seen");
  const Surroundings work = {.directory = path("work")};
  const auto said = [&](const std::string& argument) {
    return hardclock({"run", cli_guest("files"), "r", argument}, work).err;
  };
  EXPECT_TRUE(contains(said("../outside"), "../outside: the host has it")) << said("../outside");
  EXPECT_EQ(said("inside"), "");
  EXPECT_EQ(said("nowhere"), "");
}

TEST_F(Files, FirstRootWins) {
  fs::create_directories(path("a/etc"));
  fs::create_directories(path("b/etc"));
  write("a/etc/one", "a");
  write("b/etc/one", "b");
  write("b/etc/two", "b");
  const std::vector<std::string> asked = {"r", "/etc/one", "r", "/etc/two"};
  EXPECT_EQ(files(asked, {"-L", "a:b"}), "r /etc/one: 'a'\nr /etc/two: 'b'\n");
  EXPECT_EQ(files(asked, {"-L", "b", "--root=a"}), "r /etc/one: 'b'\nr /etc/two: 'b'\n");
}

TEST_F(Files, Binds) {
  fs::create_directories(path("host"));
  write("host/data", "data");
  const std::vector<std::string> asked = {"r", "/mnt/data", "w", "/mnt/new"};
  EXPECT_EQ(files(asked, {"--bind=host:/mnt:ro"}), "r /mnt/data: 'data'\nw /mnt/new: errno 30\n");
  EXPECT_FALSE(fs::exists(path("host/new")));
  EXPECT_EQ(files(asked, {"--bind=" + path("host") + ":/mnt"}),
            "r /mnt/data: 'data'\nw /mnt/new: 6\n");
  EXPECT_EQ(read("host/new"), "guest\n");
  EXPECT_EQ(files({"r", "/etc/one"}, {"--bind=host/data:/etc/one:ro"}), "r /etc/one: 'data'\n");
}

// "The guest sees no others": --env is the whole environment.
TEST_F(Files, EnvironmentIsWhatWasGiven) {
  EXPECT_EQ(files({"e", "PATH", "e", "K"}), "e PATH is not set\ne K is not set\n");
  EXPECT_EQ(files({"e", "K", "e", "L"}, {"--env=K=v=w", "--env", "L=", "--env=K=x"}),
            "e K=x\ne L=\n");
}

TEST_F(Files, DescriptorsAreTheGuestsOwn) {
  // The guest closes its standard error; hardclock's messages still find theirs.
  const Finished run = hardclock({"run", "--strace", cli_guest("files"), "c", "2", "d", "2"});
  EXPECT_EQ(run.out, "c 2: 0\nd 2: errno 9\n");
  EXPECT_TRUE(contains(run.err, "100 write(2, \"to 2\\n\", 5) = -1 EBADF (9)\n")) << run.err;
  // Without its standard output it writes nowhere.
  EXPECT_EQ(files({"c", "1", "d", "1"}), "");
  // hardclock's own descriptors are not the guest's.
  EXPECT_EQ(files({"d", "3", "d", "4", "d", "5"}), "d 3: errno 9\nd 4: errno 9\nd 5: errno 9\n");
}

TEST_F(Files, StandardErrorIsTheGuests) {
  const Finished run = hardclock({"run", cli_guest("files"), "d", "2", "d", "1"});
  EXPECT_EQ(run.err, "to 2\n");
  EXPECT_EQ(run.out, "d 2: 5\nto 1\nd 1: 5\n");
}

TEST_F(Files, StandardInputIsAFile) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "line " + std::to_string(i) + "\n";
  write("input", text);
  Surroundings with_input = here();
  with_input.input = path("input");
  for (const std::string_view order : both_byte_orders) {
    const Finished run = hardclock({"run", cli_guest("copy" + std::string(order))}, with_input);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out, text);
  }
}

TEST_F(Files, StandardInputIsAPipe) {
  const Finished run = other_program({"sh", "-c",
                                      "(echo one; sleep 0.1; echo two) | '" + hardclock_path() +
                                          "' run '" + cli_guest("copy") + "'"});
  expect_sound(run);
  EXPECT_EQ(run.out, "one\ntwo\n");
}

// docs/exactness.md: what a read of a pipe gives does not depend on when the bytes came.
TEST_F(Files, PipesGiveLinesWheneverTheyCome) {
  const auto statistics_of = [this](const std::string& writer) {
    const Finished run = other_program({"sh", "-c",
                                        "(" + writer + ") | '" + hardclock_path() +
                                            "' run --stats=s.json '" + cli_guest("copy") + "'"});
    expect_sound(run);
    EXPECT_EQ(run.out, "one\ntwo\nthree");
    return read("s.json");
  };
  const std::string at_once = statistics_of("printf 'one\\ntwo\\nthree'");
  EXPECT_EQ(statistics_of("printf o; sleep 0.2; printf 'ne\\ntwo\\nth'; sleep 0.2; printf ree"),
            at_once);
}

// write(2) to a pipe without readers sends SIGPIPE, 13: 128 + 13.
TEST_F(Files, ClosedPipeEndsTheGuest) {
  const Finished run = other_program({"bash", "-c",
                                      "yes | '" + hardclock_path() + "' run '" + cli_guest("copy") +
                                          "' | head -1; exit ${PIPESTATUS[1]}"});
  expect_sound(run);
  EXPECT_EQ(run.out, "y\n");
  EXPECT_EQ(run.status, 128 + SIGPIPE) << run.err;
}

// As other programs say of it: SIGPIPE's status, and no word. It may have written all before.
TEST_F(Files, TheReaderOfAnAnswerMayLeave) {
  const Finished run = other_program({"bash", "-c",
                                      "'" + hardclock_path() + "' disasm '" + guest("compute") +
                                          "' | true; exit ${PIPESTATUS[0]}"});
  expect_sound(run);
  EXPECT_TRUE(run.status == 0 || run.status == 128 + SIGPIPE) << run.status;
  EXPECT_EQ(run.err, "");
}

TEST_F(Files, ClosedStandardStreams) {
  const std::string command =
      "'" + hardclock_path() + "' run --strace=s '" + cli_guest("files") + "' d 1 d 2 >&- 2>&-";
  const Finished run = other_program({"sh", "-c", command});
  expect_sound(run);
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(contains(read("s"), "100 write(1, \"to 1\\n\", 5) = -1 EBADF (9)\n")) << read("s");
}

// docs/manual.md, "Guest roots": ENOSPC (28), and one line that says why. A name counts 4096 bytes.
TEST_F(Files, TheDiskHasALimit) {
  const auto with_disk = [this](const std::string& size, const std::string& instructions) {
    return other_program({"sh", "-c",
                          "{ '" + hardclock_path() + "' run --max-disk=" + size + " '" +
                              cli_guest("files") + "' " + instructions + "; } | cat"});
  };
  const Finished full = with_disk("4102", "w one w two w /tmp/three u one w two");
  EXPECT_EQ(full.out, "w one: 6\nw two: errno 28\nw /tmp/three: errno 28\nu one: 0\nw two: 6\n");
  EXPECT_EQ(full.err,
            "hardclock: the guest has added to the host's disk what --max-disk allows: writing "
            "answers ENOSPC; raise --max-disk\n");
  const Finished enough = with_disk("16K", "w one w two w /tmp/three");
  EXPECT_EQ(enough.out, "w one: 6\nw two: 6\nw /tmp/three: 6\n");
  EXPECT_EQ(enough.err, "");
}

TEST_F(Files, StandardOutputCountsWhereItIsAFile) {
  const Finished run = hardclock({"run", "--max-disk=5", cli_guest("files"), "r", "/x"});
  EXPECT_EQ(run.out, "r /x:");
  EXPECT_TRUE(contains(run.err, "--max-disk")) << run.err;
}

// As many as the host's hard limit leaves: ENFILE (23), and one line that says why.
TEST_F(Files, OpenFilesHaveALimit) {
  const Finished run = other_program({"sh", "-c",
                                      "ulimit -n 66; '" + hardclock_path() + "' run '" +
                                          cli_guest("files") + "' r /dev/null w one"});
  EXPECT_EQ(run.out, "r /dev/null: ''\nw one: errno 23\n") << run.err;
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(contains(run.err, "answers ENFILE")) << run.err;
}

TEST_F(Files, TimeOfDayIsTheOptions) {
  for (const char* program : {"calls", "calls_little"}) {
    const Finished run = hardclock({"run", "--time=1996-02-29", "--strace=s", guest(program)});
    EXPECT_EQ(run.status, 0);
    // date -u -d 1996-02-29 +%s
    EXPECT_TRUE(contains(read("s"), "time() = 825552000\n")) << read("s");
  }
}

}  // namespace
}  // namespace hardclock::cli_test
