// Programs for HP-UX that use shared libraries, on hardclock's own loader and C library
// (guest/hpux): tests/guests/hppa/dynamic. The start code of SOM programs maps the
// loader as HP's does; those of the ELF formats are in elf/prebuilt.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"
#include "tests/cli/tap.h"

namespace hardclock::cli_test {
namespace {

// Runs the guest's source as the host's program. It ends with memory that it has not freed, which a
// sanitizer would not like.
std::vector<std::string> host_command(const std::string& name) {
  return {"env", "ASAN_OPTIONS=detect_leaks=0", guest(name + "_host")};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

class HpuxRuntime : public CommandTest {
 protected:
  // One of services.c's files ends behind 4 GB, with nothing before.
  static constexpr const char* large_files = "--max-disk=8G";

  void SetUp() override {
    CommandTest::SetUp();
    for (const std::string name : {"root/usr/lib", "root/etc"}) {
      std::filesystem::create_directories(path(name));
    }
    for (const std::string name : {"libgreet.1", "libmore.1"}) {
      std::filesystem::copy_file(guest("hppa/dynamic/" + name), path("root/usr/lib/" + name));
    }
    std::ofstream(path("root/etc/passwd")) << "root::0:0:::\ndaemon:*:7:5::/daemon:/bin/no\n";
    std::ofstream(path("root/etc/services"))
        << "# names\nwww 80/tcp http\ndomain 53/tcp\ndomain 53/udp # both\n";
    std::ofstream(path("root/etc/group")) << "root::0:\nlp:*:5:one,two\n";
  }

  // In a folder of its own: both make the same files. Greenwich's time, as the guest has.
  Finished on_host(const std::string& name) {
    std::vector<std::string> words = host_command("hppa/dynamic/" + name);
    words.insert(words.begin() + 1, "TZ=UTC0");
    words.push_back(path("host_" + name));
    return other_program(words);
  }

  void expect_all_checks(const Finished& run) {
    EXPECT_EQ(run.status, 0) << run.err;
    const Tap tap = parse_tap(run.out);
    EXPECT_EQ(tap.wrong, "") << run.out;
    EXPECT_GT(tap.checks, 0);
    EXPECT_EQ(tap.checks, tap.plan) << run.out << run.err;
  }
};

// The host's C library prints the same: conversions of numbers both ways, correctly rounded,
// sorting, strings, dates, streams.
TEST_F(HpuxRuntime, ComputesWhatTheHostsLibraryComputes) {
  const Finished host = other_program({guest("hppa/dynamic/peer_host"), path("host")});
  const Finished run =
      hardclock({"run", "--timing=functional", guest("hppa/dynamic/peer"), "file"});
  EXPECT_EQ(host.status, 7);
  EXPECT_EQ(run.status, 7) << run.err;
  EXPECT_EQ(run.out, host.out);
}

TEST_F(HpuxRuntime, SearchesAndHasLocalesAsTheHostsLibrary) {
  for (const std::string name : {"hppa/dynamic/searches", "hppa/dynamic/locales"}) {
    const Finished host = other_program(host_command(name));
    const Finished run = hardclock({"run", "--timing=functional", guest(name)});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, host.out);
  }
}

TEST_F(HpuxRuntime, HasFurtherFunctionsAsTheHostsLibrary) {
  for (const std::string name : {"further", "records"}) {
    const Finished run = hardclock(
        {"run", "-L", path("root"), "--timing=functional", guest("hppa/dynamic/" + name), name});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, on_host(name).out);
  }
}

TEST_F(HpuxRuntime, EveryCheckPasses) {
  for (const char* timing : {"--timing=functional", "--timing=cycle"}) {
    for (const char* program :
         {"hppa/dynamic/environment", "hppa/dynamic/system", "hppa/dynamic/services"}) {
      expect_all_checks(
          hardclock({"run", "-L", path("root"), large_files, timing, guest(program)}));
    }
  }
}

TEST_F(HpuxRuntime, BindsLazilyAndAtOnce) {
  for (const char* program : {"hppa/dynamic/binding", "hppa/dynamic/binding_now"}) {
    expect_all_checks(hardclock({"run", "-L", path("root"), guest(program)}));
  }
}

// What the buckets of HP's linker hold is not known, nor what 0x8000 of its flags means: libsigar
// for PA-RISC has it set.
TEST_F(HpuxRuntime, SearchesTheListsOfHpsLibraries) {
  const std::string library = path("root/usr/lib/libgreet.1");
  std::filesystem::permissions(library, std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add);
  std::fstream file(library, std::ios::in | std::ios::out | std::ios::binary);
  const auto word = [&file](std::uint32_t at) {
    std::array<unsigned char, 4> bytes{};
    file.seekg(at).read(reinterpret_cast<char*>(bytes.data()), 4);
    return std::uint32_t{bytes[0]} << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
  };
  const auto fill = [&file](std::uint32_t at, std::uint32_t size, char byte) {
    file.seekp(at).write(std::string(size, byte).data(), size);
  };
  constexpr std::uint32_t auxiliary = 28, text_offset = 16, buckets = 24, flags = 74, mark = 124;
  const std::uint32_t text = word(word(auxiliary) + text_offset);
  fill(text + word(text + buckets), 4 * word(text + buckets + 4), '\xff');
  fill(text + flags, 1, '\x80');
  fill(text + mark, 4, '\0');
  file.close();
  expect_all_checks(hardclock({"run", "-L", path("root"), guest("hppa/dynamic/binding")}));
}

// Programs for PA-RISC 1.0 have no instruction of 1.1, and neither have the loader and the library.
TEST_F(HpuxRuntime, RunsOnEveryProcessor) {
  for (const char* cpu : {"--cpu=pa7000@20", "--cpu=pa2_0@20"}) {
    expect_all_checks(hardclock({"run", "-L", path("root"), cpu, guest("hppa/dynamic/binding")}));
  }
}

// The library is marked as one for PA-RISC 2.0, in a SOM header with its checksum (a.out(4)).
TEST_F(HpuxRuntime, ALibraryForALaterProcessorDecides) {
  const std::string library = path("root/usr/lib/libgreet.1");
  std::filesystem::permissions(library, std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add);
  std::fstream file(library, std::ios::in | std::ios::out | std::ios::binary);
  constexpr std::size_t system_id = 1, checksum = 124;
  const auto at = [&file](std::size_t place) { return file.seekg(place).get(); };
  const int was = at(system_id), sum = at(checksum + system_id);
  constexpr char pa_risc_2_0 = 0x14;
  file.seekp(system_id).put(pa_risc_2_0);
  file.seekp(checksum + system_id).put(static_cast<char>(sum ^ was ^ pa_risc_2_0));
  file.close();
  const std::string program = guest("hppa/dynamic/binding");
  const Finished run = hardclock({"run", "-L", path("root"), program});
  expect_all_checks(run);
  EXPECT_TRUE(contains(run.err, "timed as generic PA-RISC 2.0 processor")) << run.err;
  EXPECT_TRUE(contains(run.err, ", which /usr/lib/libgreet.1 needs; choose another with --cpu\n"))
      << run.err;
  const Finished refused = hardclock({"run", "--cpu=pa7100", "-L", path("root"), program});
  EXPECT_EQ(refused.status, 125);
  EXPECT_TRUE(contains(refused.err, "/usr/lib/libgreet.1 is compiled for PA-RISC 2.0"))
      << refused.err;
  const Finished doctor = hardclock({"doctor", "-L", path("root"), program});
  EXPECT_TRUE(contains(doctor.out, "because of /usr/lib/libgreet.1\n")) << doctor.out;
  EXPECT_TRUE(contains(doctor.out, "built for       PA-RISC 1.1\n")) << doctor.out;
}

// Only what is called is missed.
TEST_F(HpuxRuntime, NamesWhatIsMissingWhenItIsCalled) {
  const Finished run =
      hardclock({"run", "-L", path("root"), guest("hppa/dynamic/binding"), "missing"});
  EXPECT_EQ(run.status, 128 + 6);
  EXPECT_TRUE(contains(run.out, "1..55\n")) << run.out;
  EXPECT_TRUE(contains(run.err, "/usr/lib/dld.sl: ")) << run.err;
  EXPECT_TRUE(contains(run.err, "calls nobody_has_this, which none of its libraries has\n"))
      << run.err;
}

TEST_F(HpuxRuntime, NamesTheLibraryThatIsNotThere) {
  std::filesystem::remove(path("root/usr/lib/libgreet.1"));
  const Finished run = hardclock({"run", "-L", path("root"), guest("hppa/dynamic/binding")});
  EXPECT_EQ(run.status, 128 + 6) << run.err;  // at the first call
  EXPECT_TRUE(contains(run.err,
                       "binding uses the data greeting_words, which none of its libraries has\n"
                       "/usr/lib/dld.sl: Can't find path for shared library: "
                       "/usr/lib/libgreet.1\n"
                       "/usr/lib/dld.sl: No such file or directory\n"))
      << run.err;
  EXPECT_TRUE(contains(run.err, "uses the data initialized, which none of its libraries has\n"));
  EXPECT_EQ(count_of(run.err, "Can't find path"), 1u) << run.err;
}

// Nothing of them is used.
TEST_F(HpuxRuntime, GoesOnWithoutLibraries) {
  const Finished run = hardclock({"run", "-L", path("root"), guest("hppa/dynamic/lost")});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "none of them is called\n");
  EXPECT_FALSE(contains(run.err, "dld.sl")) << run.err;
}

TEST_F(HpuxRuntime, NamesEveryLibraryThatIsNotThere) {
  const std::string program = guest("hppa/dynamic/lost");
  const std::string called =
      "dld.sl: " + program + " calls alpha, which none of its libraries has\n";
  const auto not_found = [](const std::string& library) {
    return "/usr/lib/dld.sl: Can't find path for shared library: " + library +
           "\n/usr/lib/dld.sl: No such file or directory\n";
  };
  const Finished two = hardclock({"run", "-L", path("root"), program, "call"});
  EXPECT_EQ(two.status, 128 + 6) << two.err;
  EXPECT_TRUE(contains(two.err, called + not_found("/usr/lib/libalpha.1") + not_found("libbeta.1")))
      << two.err;
  EXPECT_FALSE(contains(two.err, "libgreet")) << two.err;
  EXPECT_FALSE(contains(two.err, "has a call of")) << two.err;
  std::filesystem::remove(path("root/usr/lib/libgreet.1"));
  const Finished three = hardclock({"run", "-L", path("root"), program, "call"});
  EXPECT_TRUE(contains(three.err, called + not_found("/usr/lib/libalpha.1") +
                                      not_found("/usr/lib/libgreet.1") + not_found("libbeta.1")))
      << three.err;
}

TEST_F(HpuxRuntime, NamesEveryFunctionThatNoLibraryHas) {
  for (const std::string name : {"libalpha.1", "libbeta.1"}) {
    std::filesystem::copy_file(path("root/usr/lib/libgreet.1"), path("root/usr/lib/" + name));
  }
  const std::string program = guest("hppa/dynamic/lost");
  const Finished run = hardclock({"run", "-L", path("root"), program, "call"});
  EXPECT_EQ(run.status, 128 + 6) << run.err;
  EXPECT_TRUE(contains(run.err, program +
                                    " calls alpha, which none of its libraries has\n"
                                    "/usr/lib/dld.sl: " +
                                    program +
                                    " has a call of beta, which none of its libraries has\n"))
      << run.err;
  EXPECT_EQ(count_of(run.err, "beta"), 1u) << run.err;
}

// Longer than the loader's buffer.
TEST_F(HpuxRuntime, ALongNameIsToldWhole) {
  const std::string folder(250, 'd');
  const std::string place = path(folder) + "/" + folder + "/lost";
  std::filesystem::create_directories(path(folder) + "/" + folder);
  std::filesystem::copy_file(guest("hppa/dynamic/lost"), place);
  const Finished run = hardclock({"run", "-L", path("root"), place, "call"});
  EXPECT_TRUE(contains(run.err, "/usr/lib/dld.sl: " + place + " calls alpha, which none"))
      << run.err;
}

// What is in the guest root wins, whatever it is.
TEST_F(HpuxRuntime, TheUsersFilesWin) {
  std::ofstream(path("root/usr/lib/dld.sl")) << "no loader";
  const Finished run = hardclock({"run", "-L", path("root"), guest("hppa/dynamic/system")});
  EXPECT_NE(run.status, 0);
  std::ofstream(path("root/usr/lib/libc.1")) << "no library";
  std::filesystem::remove(path("root/usr/lib/dld.sl"));
  const Finished other = hardclock({"run", "-L", path("root"), guest("hppa/dynamic/system")});
  EXPECT_TRUE(contains(other.err, "/usr/lib/libc.1 is no shared library for PA-RISC")) << other.err;
}

// One call of fprintf() to the unbuffered standard error is one write.
TEST_F(HpuxRuntime, StraceShowsTheProgramsCalls) {
  const Finished run = hardclock({"run", "--strace", guest("hppa/dynamic/system"), "one"});
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(contains(run.err, "open(\"/usr/lib/libc.1\"")) << run.err;
  EXPECT_TRUE(contains(run.err, "write(2, \"one and 2\\n\", 10) = 10")) << run.err;
}

// Without -L: what is mapped is hardclock's own. Another file of that name is not taken for it.
TEST_F(HpuxRuntime, ReportsNameTheLibrarysFunctions) {
  const std::string program = guest("hppa/dynamic/further");
  hardclock({"run", "--timing=functional", "--profile=p.json", program, "further"});
  const Finished report = hardclock({"report", "p.json", program});
  EXPECT_EQ(report.status, 0) << report.err;
  for (const char* name : {" wordexp (libc.1)\n", " find_in_object (dld.sl)\n"}) {
    EXPECT_TRUE(contains(report.out, name)) << report.out;
  }
  auto profile = nlohmann::json::parse(read("p.json"));
  for (auto& process : profile["processes"]) {
    for (auto& mapping : process["mappings"]) {
      if (mapping["file"] == "/usr/lib/libc.1") mapping["size"] = 0x2000;
    }
  }
  std::ofstream(path("other.json")) << profile;
  const Finished other = hardclock({"report", "other.json", program});
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_FALSE(contains(other.out, " wordexp (libc.1)\n")) << other.out;
  EXPECT_TRUE(contains(other.out, " find_in_object (dld.sl)\n")) << other.out;
}

// And in what the run writes by itself.
TEST_F(HpuxRuntime, ProfilesOfTheRunNameTheLibrarysFunctions) {
  hardclock(
      {"run", "--timing=functional", "--profile=p.txt", guest("hppa/dynamic/further"), "further"});
  EXPECT_TRUE(contains(read("p.txt"), " wordexp (libc.1)\n")) << read("p.txt");
}

// ---- The ELF formats.

struct Format {
  std::string name;
  std::string loader;   // in /usr/lib
  std::string library;  // beside the C library's: the one that `binding` uses
  std::string loaded;   // and the one that it loads by name
};

class HpuxElfRuntime : public HpuxRuntime, public ::testing::WithParamInterface<Format> {
 protected:
  void SetUp() override {
    HpuxRuntime::SetUp();
    std::filesystem::create_directories(path("root/usr/lib/" + GetParam().name));
    for (const std::string& name : {GetParam().library, GetParam().loaded}) {
      std::filesystem::copy_file(program(name), library_place(name));
    }
  }

  std::string program(const std::string& name) {
    return guest("hppa/dynamic/elf/prebuilt/" + GetParam().name + "/" + name);
  }
  std::string library_place(const std::string& library) {
    return path("root/usr/lib/" + GetParam().name + "/" + library);
  }
  std::string not_found(const std::string& library) {
    return "/usr/lib/" + GetParam().loader + ": Unable to find library '" + library + "'.\n";
  }
  Finished run(const std::string& name, const std::string& argument = "") {
    std::vector<std::string> words = {
        "run", "-L", path("root"), large_files, "--timing=functional", program(name)};
    if (!argument.empty()) words.push_back(argument);
    return hardclock(words);
  }
};

TEST_P(HpuxElfRuntime, ComputesWhatTheHostsLibraryComputes) {
  const Finished host = other_program({guest("hppa/dynamic/peer_host"), path("host")});
  const Finished peer = run("peer", "file");
  EXPECT_EQ(peer.status, 7) << peer.err;
  EXPECT_EQ(peer.out, host.out);
}

TEST_P(HpuxElfRuntime, SearchesAndHasLocalesAsTheHostsLibrary) {
  for (const std::string name : {"searches", "locales"}) {
    const Finished host = other_program(host_command("hppa/dynamic/" + name));
    const Finished own = run(name);
    EXPECT_EQ(own.status, 0) << own.err;
    EXPECT_EQ(own.out, host.out);
  }
}

TEST_P(HpuxElfRuntime, HasFurtherFunctionsAsTheHostsLibrary) {
  for (const std::string name : {"further", "records"}) {
    const Finished own = run(name, name);
    EXPECT_EQ(own.status, 0) << own.err;
    EXPECT_EQ(own.out, on_host(name).out);
  }
}

TEST_P(HpuxElfRuntime, EveryCheckPasses) {
  for (const char* program : {"environment", "services", "system"}) {
    expect_all_checks(run(program));
  }
}

TEST_P(HpuxElfRuntime, ReportsNameTheLibrarysFunctions) {
  hardclock({"run", "--timing=functional", "--profile=p.json", program("further"), "further"});
  const Finished report = hardclock({"report", "p.json", program("further")});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_TRUE(contains(report.out, " wordexp (libc.")) << report.out;
}

TEST_P(HpuxElfRuntime, BindsAndNamesWhatIsMissing) {
  expect_all_checks(run("binding"));
  const Finished missing = run("binding", "missing");
  EXPECT_EQ(missing.status, 128 + 6);
  EXPECT_TRUE(contains(missing.err, "/usr/lib/" + GetParam().loader + ": ")) << missing.err;
  EXPECT_TRUE(contains(missing.err, "calls nobody_has_this, which none of its libraries has\n"))
      << missing.err;
}

TEST_P(HpuxElfRuntime, BindsAtOnce) {
  expect_all_checks(hardclock({"run", "-L", path("root"), "--timing=functional",
                               "--env=LD_BIND_NOW=1", program("binding")}));
}

// On IA-64 what binds a call need not find gp as the linkage table had it.
TEST_P(HpuxElfRuntime, BindsACallThroughAKeptAddress) {
  if (GetParam().name == "pa20_64") GTEST_SKIP() << "no such code for PA-RISC is known";
  const Finished kept = run("kept");
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_EQ(kept.out, "called\ncalled\n");
}

TEST_P(HpuxElfRuntime, NamesTheLibraryThatIsNotThere) {
  std::filesystem::remove(library_place(GetParam().library));
  const Finished without = run("binding");
  EXPECT_NE(without.status, 0);  // the data faults, or the call is given up
  EXPECT_TRUE(contains(without.err, not_found(GetParam().library))) << without.err;
}

TEST_P(HpuxElfRuntime, NamesEveryLibraryThatIsNotThere) {
  const std::string suffix = GetParam().name == "pa20_64" ? ".1" : ".so.1";
  const Finished unused = run("lost");
  EXPECT_EQ(unused.status, 0) << unused.err;
  EXPECT_EQ(unused.out, "none of them is called\n");
  const std::string called = "lost calls alpha, which none of its libraries has\n";
  const Finished two = run("lost", "call");
  EXPECT_EQ(two.status, 128 + 6) << two.err;
  EXPECT_TRUE(
      contains(two.err, called + not_found("libalpha" + suffix) + not_found("libbeta" + suffix)))
      << two.err;
  EXPECT_FALSE(contains(two.err, "libgreet")) << two.err;
  std::filesystem::remove(library_place(GetParam().library));
  const Finished three = run("lost", "call");
  EXPECT_TRUE(contains(three.err, called + not_found("libalpha" + suffix) +
                                      not_found(GetParam().library) +
                                      not_found("libbeta" + suffix)))
      << three.err;
}

TEST_P(HpuxElfRuntime, NamesEveryFunctionThatNoLibraryHas) {
  const std::string suffix = GetParam().name == "pa20_64" ? ".1" : ".so.1";
  for (const std::string name : {"libalpha", "libbeta"}) {
    std::filesystem::copy_file(library_place(GetParam().library), library_place(name + suffix));
  }
  const Finished called = run("lost", "call");
  EXPECT_EQ(called.status, 128 + 6) << called.err;
  EXPECT_TRUE(contains(called.err, "lost calls alpha, which none of its libraries has\n"))
      << called.err;
  EXPECT_TRUE(contains(called.err, "lost has a call of beta, which none of its libraries has\n"))
      << called.err;
  EXPECT_EQ(count_of(called.err, "beta"), 1u) << called.err;
}

TEST_P(HpuxElfRuntime, TheUsersFilesWin) {
  std::ofstream(path("root/usr/lib/" + GetParam().loader)) << "no loader";
  EXPECT_NE(run("system").status, 0);
}

TEST_P(HpuxElfRuntime, TheDoctorTellsItsImports) {
  const Finished doctor =
      hardclock({"doctor", "--format=json", "-L", path("root"), program("binding")});
  const auto told = nlohmann::json::parse(doctor.out, nullptr, false);
  ASSERT_FALSE(told.is_discarded()) << doctor.out << doctor.err;
  EXPECT_TRUE(contains(doctor.out, "nobody_has_this")) << doctor.out;
  EXPECT_FALSE(contains(doctor.out, "\"strdup\": \"missing\"")) << doctor.out;
}

INSTANTIATE_TEST_SUITE_P(
    Formats, HpuxElfRuntime,
    ::testing::Values(Format{"pa20_64", "pa20_64/dld.sl", "libgreet.1", "libmore.1"},
                      Format{"hpux32", "hpux32/uld.so", "libgreet.so.1", "libmore.so.1"},
                      Format{"hpux64", "hpux64/uld.so", "libgreet.so.1", "libmore.so.1"}),
    [](const auto& each) { return each.param.name; });

TEST_F(HpuxRuntime, RepeatsToTheCycle) {
  const auto cycles = [&] {
    const Finished run = hardclock({"run", "--stats=s.json", guest("hppa/dynamic/system"), "a"});
    EXPECT_EQ(run.status, 0) << run.err;
    return nlohmann::json::parse(read("s.json"))["cycles"].get<std::uint64_t>();
  };
  const std::uint64_t first = cycles();
  EXPECT_GT(first, 1000u);
  EXPECT_EQ(cycles(), first);
}

}  // namespace
}  // namespace hardclock::cli_test
