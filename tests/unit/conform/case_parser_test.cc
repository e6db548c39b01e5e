// The format of case files (docs/conformance.md): what is read from a good file, and what is said
// about a bad one.
#include "syscalls/conform/case_parser.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "syscalls/conform/case.h"
#include "tests/unit/conform/sample.h"

namespace hardclock::conform {
namespace {

std::vector<Case> parse(std::string_view text) {
  auto cases = parse_cases(text, "f.json");
  EXPECT_TRUE(cases.ok()) << cases.error();
  return cases.ok() ? *std::move(cases) : std::vector<Case>();
}

std::string error_of(std::string_view text) {
  const auto cases = parse_cases(text, "f.json");
  return cases.ok() ? "no error" : cases.error();
}

const Case& only(const std::vector<Case>& cases) {
  EXPECT_EQ(cases.size(), 1U);
  return cases.front();
}

TEST(CaseParser, ReadsTheDescription) {
  const auto cases = parse(sample_file);
  const Case& sample = only(cases);
  EXPECT_EQ(sample.id, "T-1");
  EXPECT_EQ(sample.title, "two ticks");
  EXPECT_EQ(sample.system, "irix");
  ASSERT_NE(sample.variant, nullptr);
  EXPECT_EQ(sample.variant->address_bits, 32U);
  EXPECT_EQ(sample.source, std::vector<std::string>{"this test"});
  EXPECT_EQ(sample.certainty, Certainty::inferred);
  EXPECT_EQ(sample.ambiguity, "A-I1");
  EXPECT_EQ(sample.note, "none");
  EXPECT_EQ(sample.file, "f.json");
  EXPECT_EQ(sample.line, 5U);
  EXPECT_EQ(sample.defect, "");
}

TEST(CaseParser, ReadsMemoryAndTheFirstCall) {
  const auto cases = parse(sample_file);
  const Case& sample = only(cases);
  ASSERT_EQ(sample.memory.size(), 2U);
  const MemoryObject& buffer = sample.memory[0];
  EXPECT_EQ(buffer.name, "BUF");
  EXPECT_EQ(buffer.address, GuestAddr(0x10010000));
  EXPECT_EQ(buffer.size, 64U);
  EXPECT_EQ(buffer.width, 2U);
  ASSERT_EQ(buffer.presets.size(), 1U);
  EXPECT_EQ(buffer.presets[0].width, 2U);
  EXPECT_EQ(buffer.presets[0].index, 0U);
  EXPECT_EQ(buffer.presets[0].value, 7U);
  EXPECT_EQ(buffer.protection, (Protection{true, true, false}));
  EXPECT_EQ(find_object(sample, GuestAddr(0x1001003f)), &buffer);
  EXPECT_EQ(find_object(sample, GuestAddr(0x10010040)), nullptr);
  EXPECT_EQ(find_object(sample, "B2"), &sample.memory[1]);

  const auto& call = std::get<ProfilCall>(sample.first.call);
  EXPECT_EQ(call.buff, (Address{Address::Kind::object, GuestAddr(0x10010000), "BUF"}));
  EXPECT_EQ(call.bufsiz, 64U);
  EXPECT_EQ(call.offset, (Address{Address::Kind::literal, GuestAddr(0x400000)}));
  EXPECT_EQ(call.scale, 32768U);
  EXPECT_EQ(sample.first.expect.ret, 0);
  EXPECT_EQ(sample.first.expect.errno_name, "");
}

TEST(CaseParser, ReadsEvents) {
  const auto cases = parse(sample_file);
  const auto& events = only(cases).events;
  ASSERT_EQ(events.size(), 8U);
  const auto& tick = std::get<TickEvent>(events[0].what);
  EXPECT_EQ(tick.pc, GuestAddr(0x400004));
  EXPECT_EQ(tick.n, 2U);
  EXPECT_EQ(tick.mode, TickEvent::Mode::user);
  const auto& run = std::get<RunEvent>(events[1].what);
  EXPECT_EQ(run.pc, GuestAddr(0x10010010));
  EXPECT_EQ(run.milliseconds, 10U);
  const auto& step = std::get<CallStep>(events[2].what);
  const auto& call = std::get<SprofilCall>(step.call);
  ASSERT_EQ(call.entries.size(), 1U);
  EXPECT_EQ(call.entries[0].base, (Address{Address::Kind::object, GuestAddr(0x10010008), "BUF"}));
  EXPECT_EQ(call.tvp, SprofilCall::Pointer::valid);
  EXPECT_EQ(call.flags, 6U);  // SGI: PROF_UINT 2, PROF_FAST 4
  EXPECT_EQ(call.flag_names, (std::vector<std::string>{"PROF_UINT", "PROF_FAST"}));
  EXPECT_EQ(step.expect.tv, (TimeValue{0, 1000}));
  const auto& sproc = std::get<ForkEvent>(events[3].what);
  EXPECT_EQ(sproc.kind, ForkEvent::Kind::sproc_shared);
  EXPECT_EQ(sproc.child, 2);
  EXPECT_EQ(std::get<ThreadCreateEvent>(events[4].what).tid, 2);
  EXPECT_EQ(events[4].pid, 2);
  const auto& protect = std::get<MemoryEvent>(events[5].what);
  EXPECT_EQ(protect.kind, MemoryEvent::Kind::mprotect);
  EXPECT_EQ(protect.address, GuestAddr(0x10020000));
  EXPECT_EQ(protect.protection, (Protection{true, false, false}));
  EXPECT_EQ(events[5].tid, 2);
  const auto& poke = std::get<PokeEvent>(events[6].what);
  EXPECT_EQ(poke.address, GuestAddr(0x1001003e));
  EXPECT_EQ(poke.width, 2U);
  EXPECT_EQ(poke.value, 513U);
  EXPECT_FALSE(std::get<ExecEvent>(events[7].what).ok);
}

TEST(CaseParser, ReadsTheExpectation) {
  const auto cases = parse(sample_file);
  const Expectation& expect = only(cases).expect;
  EXPECT_EQ(expect.counters,
            (std::map<int, Buffers>{{1, {{"BUF", {{0, 7}, {1, 2}, {31, 513}}}, {"B2", {}}}}}));
  EXPECT_EQ(expect.profiling, (std::map<int, bool>{{1, true}}));
}

TEST(CaseParser, ReadsASignal) {
  const auto cases = parse(replaced(sample_file, R"({"tick": {"pc": "0x400004", "n": 2}})",
                                    R"({"signal": {"handler": "BUF+4", "tid": 3}})"));
  const Event& event = only(cases).events.front();
  EXPECT_EQ(std::get<SignalEvent>(event.what).handler, GuestAddr(0x10010004));
  EXPECT_EQ(event.tid, 3);
}

TEST(CaseParser, TickModes) {
  const auto mode_of = [](std::string_view keys) {
    const auto cases = parse(replaced(sample_file, R"("n": 2})", keys));
    return std::get<TickEvent>(only(cases).events.front().what).mode;
  };
  EXPECT_EQ(mode_of(R"("n": 2, "mode": "user"})"), TickEvent::Mode::user);
  EXPECT_EQ(mode_of(R"("n": 2, "owed": false})"), TickEvent::Mode::user);
  EXPECT_EQ(mode_of(R"("n": 2, "owed": true})"), TickEvent::Mode::owed);
  EXPECT_EQ(mode_of(R"("n": 0, "mode": "system"})"), TickEvent::Mode::system);
}

// "BAD" = an unmapped user address; null = NULL pointer (the format's conventions).
TEST(CaseParser, BadIsFarFromEverything) {
  const auto with_buff = [](std::string_view buff) {
    const auto cases = parse(replaced(sample_file, R"("buff": "BUF")", buff));
    return std::get<ProfilCall>(only(cases).first.call).buff;
  };
  const Address null = with_buff(R"("buff": null)");
  EXPECT_EQ(null.kind, Address::Kind::null);
  EXPECT_EQ(null.value, GuestAddr(0));
  const Address bad = with_buff(R"("buff": "BAD")");
  EXPECT_EQ(bad.kind, Address::Kind::bad);
  const std::string moved = replaced(replaced(sample_file, R"("buff": "BUF")", R"("buff": "BAD")"),
                                     R"("addr": "0x10020000")", R"("addr": "0x70000000")");
  const auto cases = parse(moved);
  const GuestAddr other = std::get<ProfilCall>(only(cases).first.call).buff.value;
  EXPECT_NE(bad.value, other);
  EXPECT_EQ(find_object(only(cases), other), nullptr);
  EXPECT_EQ(find_object(only(cases), other + 0x1000), nullptr);
}

TEST(CaseParser, ProfilMaxIsTheMostRegionsThatAreTaken) {
  const auto count_of = [](std::string_view profcnt) {
    const auto cases = parse(replaced(sample_file, R"("profcnt": 1)", profcnt));
    return std::get<SprofilCall>(std::get<CallStep>(only(cases).events[2].what).call).profcnt;
  };
  // IRIX's kernel has no limit but the number's type.
  constexpr std::int32_t unlimited = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(count_of(R"("profcnt": "PROFIL_MAX")"), unlimited);
  EXPECT_EQ(count_of(R"("profcnt": "PROFIL_MAX-1")"), unlimited - 1);
  EXPECT_EQ(count_of(R"("profcnt": -1)"), -1);
  const auto beyond = parse_cases(
      replaced(sample_file, R"("profcnt": 1)", R"("profcnt": "PROFIL_MAX+1")"), "f.json");
  ASSERT_FALSE(beyond.ok());
  EXPECT_TRUE(beyond.error().ends_with("beyond the range of an int")) << beyond.error();
  const profil::Sprofil& sprofil = *find_variant("hpux")->system->sprofil;
  const std::uint32_t flags = sprofil.flags.front().value;
  const std::int32_t most = profil_max(sprofil);
  EXPECT_GT(most, 0);
  EXPECT_TRUE(sprofil.region_count(most, flags).ok());
  EXPECT_FALSE(sprofil.region_count(most + 1, flags).ok());
}

TEST(CaseParser, NamesOfSystems) {
  for (const auto& [name, os, bits, mask] :
       {std::tuple{"irix", "irix", 32U, ~std::uint64_t{0}},
        {"hpux_pa", "hpux", 32U, ~std::uint64_t{3}},
        {"hpux_pa_lp64", "hpux", 64U, ~std::uint64_t{3}},
        {"hpux_ia64", "hpux", 32U, ~std::uint64_t{15}},
        {"hpux_ia64_lp64", "hpux", 64U, ~std::uint64_t{15}},
        {"solaris_pre26", "solaris2.5", 32U, ~std::uint64_t{0}},
        {"bsd44_lp64", "4.4bsd", 64U, ~std::uint64_t{0}},
        {"bsd41_vax", "4.1bsd", 32U, ~std::uint64_t{0}},
        {"v7_pdp11", "v7", 16U, ~std::uint64_t{0}},
        {"bsd211_pdp11", "2.11bsd", 16U, ~std::uint64_t{0}},
        {"4.3bsd", "4.3bsd", 32U, ~std::uint64_t{0}},
        {"aix", "aix", 32U, ~std::uint64_t{0}}}) {
    const Variant* const variant = find_variant(name);
    ASSERT_NE(variant, nullptr) << name;
    EXPECT_EQ(variant->system->name, os);
    EXPECT_EQ(variant->address_bits, bits) << name;
    EXPECT_EQ(variant->pc_mask, mask) << name;
  }
  EXPECT_EQ(find_variant("vms"), nullptr);
}

struct Malformed {
  std::string_view from;
  std::string_view to;
  std::string_view message;  // behind "f.json:"
};

const std::vector<Malformed>& malformed() {
  static const std::vector<Malformed> table = {
      // Keys.
      {R"("format": "hardclock profil conformance cases, v1")", R"("format": "v2")",
       "2: format: not \"hardclock profil conformance cases, v1\""},
      {R"("id": "T-1",)", "", "5: cases[0]: the key 'id' is missing"},
      {R"("id": "T-1")", R"("id": "T-1", "colour": 1)",
       "6: cases[0].colour: unknown key; there are: id, title, system, call, args, initial, "
       "events, "
       "expect, source, certainty, ambiguity, note"},
      {R"("id": "T-1")", R"("id": "T-1", "id": "T-1")", "6: the key 'id' is there twice"},
      {R"("id": "T-1")", R"("id": "")", "6: cases[0].id: an id has at least one character"},
      {R"("id": "T-1")", R"("id": 1)", "6: cases[0].id: not a string but a number"},
      {R"("conventions": {"anything": ["goes", 1]})", R"("convention": {})",
       "3: convention: unknown key; there are: format, cases, conventions"},
      {R"("source": ["this test"])", R"("source": "this test")",
       "33: cases[0].source: not an array but a string"},
      {R"("source": ["this test"])", R"("source": [])",
       "33: cases[0].source: a case needs a source"},
      {R"("source": ["this test"])", R"("source": [1])",
       "33: cases[0].source[0]: not a string but a number"},
      {R"("certainty": "inferred")", R"("certainty": "sure")",
       "34: cases[0].certainty: not one of doc, source, inferred"},
      // Arguments.
      {R"("bufsiz": 64)", R"("bufsiz": -1)",
       "10: cases[0].args.bufsiz: not between 0 and 4294967295"},
      {R"("bufsiz": 64)", R"("bufsiz": 4294967296)",
       "10: cases[0].args.bufsiz: not between 0 and 4294967295"},
      {R"("bufsiz": 64)", R"("bufsiz": 6.4)",
       "10: cases[0].args.bufsiz: not a number but a fraction or a number beyond 64 bits"},
      {R"("bufsiz": 64)", R"("bufsiz": 99999999999999999999)",
       "10: cases[0].args.bufsiz: not a number but a fraction or a number beyond 64 bits"},
      {R"("bufsiz": 64)", R"("bufsiz": "64")",
       "10: cases[0].args.bufsiz: not a number but a string"},
      {R"(, "scale": 32768},)", "},", "10: cases[0].args: the key 'scale' is missing"},
      {R"("buff": "BUF")", R"("buff": "BUFF")",
       "10: cases[0].args.buff: not an address: 0x..., an object's NAME or NAME+n, BAD or null"},
      {R"("buff": "BUF")", R"("buff": "BUF+x")",
       "10: cases[0].args.buff: not an address: 0x..., an object's NAME or NAME+n, BAD or null"},
      {R"("buff": "BUF")", R"("buff": "0x100000000")",
       "10: cases[0].args.buff: beyond the address space, which ends at 0xffffffff"},
      {R"("profp": [{)", R"("profp": [{"pr_flags": 0, )",
       "20: cases[0].events[2].call.args.profp[0].pr_flags: unknown key; there are: pr_base, "
       "pr_size, "
       "pr_offset, pr_scale"},
      {R"("pr_size": 16)", R"("pr_size": 4294967296)",
       "20: cases[0].events[2].call.args.profp[0].pr_size: not between 0 and 4294967295"},
      {R"("profcnt": 1)", R"("profcnt": 2147483648)",
       "22: cases[0].events[2].call.args.profcnt: not between -2147483648 and 2147483647"},
      {R"("profcnt": 1)", R"("profcnt": "MAX")",
       "22: cases[0].events[2].call.args.profcnt: not a number, PROFIL_MAX, PROFIL_MAX+n or "
       "PROFIL_MAX-n"},
      {R"("profcnt": 1)", R"("profcnt": "PROFIL_MAX+2147483647")",
       "22: cases[0].events[2].call.args.profcnt: beyond the range of an int"},
      {R"("tvp": "TV")", R"("tvp": "BUF")",
       "22: cases[0].events[2].call.args.tvp: not \"TV\", \"BAD\" or null"},
      {R"("flags": "PROF_UINT|PROF_FAST")", R"("flags": "0x100000000")",
       "22: cases[0].events[2].call.args.flags: more than 32 bits"},
      {R"("flags": "PROF_UINT|PROF_FAST")", R"("flags": 1)",
       "22: cases[0].events[2].call.args.flags: not a string but a number"},
      // Memory.
      {R"("addr": "0x10010000")", R"("addr": "10010000")",
       "12: cases[0].initial.mem[0].addr: not a hexadecimal address"},
      {R"("addr": "0x10010000")", R"("addr": "0x")",
       "12: cases[0].initial.mem[0].addr: not a hexadecimal address"},
      {R"("addr": "0x10010000")", R"("addr": "0xfffffff0")",
       "12: cases[0].initial.mem[0].size: reaches beyond the address space, which ends at "
       "0xffffffff"},
      {R"("size": 64, "width": 2)", R"("size": 0, "width": 2)",
       "12: cases[0].initial.mem[0].size: not between 1 and 18446744073709551615"},
      {R"("size": 64, "width": 2)", R"("size": 64, "width": 3)",
       "12: cases[0].initial.mem[0].width: not a width: 1, 2, 4 or 8"},
      {R"("set": {"2")", R"("set": {"3")",
       "13: cases[0].initial.mem[0].set.3: not a width: 1, 2, 4 or 8"},
      {R"({"0": 7}}, "prot")", R"({"32": 7}}, "prot")",
       "13: cases[0].initial.mem[0].set.2.32: not an index below 32"},
      {R"({"0": 7}}, "prot")", R"({"0": 65536}}, "prot")",
       "13: cases[0].initial.mem[0].set.2.0: not between 0 and 65535"},
      {R"("prot": "rw")", R"("prot": "wr")",
       "13: cases[0].initial.mem[0].prot: not none, r, w, x, rw, rx, wx or rwx"},
      {R"("name": "B2")", R"("name": "BUF")",
       "14: cases[0].initial.mem[1]: the name 'BUF' is there twice"},
      {R"("name": "B2")", R"("name": "BAD")",
       "14: cases[0].initial.mem[1].name: not a name: letters, digits and _, but not BAD or TV"},
      {R"("name": "B2")", R"("name": "2B")",
       "14: cases[0].initial.mem[1].name: not a name: letters, digits and _, but not BAD or TV"},
      {R"("addr": "0x10020000")", R"("addr": "0x1001003f")",
       "14: cases[0].initial.mem[1]: overlaps 'BUF'"},
      // Events.
      {R"("pc": "0x400004")", R"("pc": "four")",
       "17: cases[0].events[0].tick.pc: not a hexadecimal address"},
      {R"("n": 2})", R"("n": 0})", "17: cases[0].events[0].tick.n: not between 1 and 1000000"},
      {R"("n": 2})", R"("n": 2, "mode": "kernel"})",
       "17: cases[0].events[0].tick.mode: not \"user\" or \"system\""},
      {R"("n": 2})", R"("n": 2, "owed": 1})",
       "17: cases[0].events[0].tick.owed: not true or false but a number"},
      {R"("n": 2})", R"("n": 2, "pid": 2})",
       "17: cases[0].events[0].tick.pid: there is no process 2 yet"},
      {R"("n": 2})", R"("n": 2, "tid": 0})",
       "17: cases[0].events[0].tick.tid: not between 1 and 30000"},
      {R"("n": 2}})", R"("n": 2}, "run": {"pc": "0x0", "ms": 1}})",
       "17: cases[0].events[0]: not an object with one key, the event's name"},
      {R"("ms": 10})", R"("ms": 10000000})",
       "18: cases[0].events[1].run.ms: not between 0 and 1000000"},
      {R"("share": "PR_SADDR")", R"("share": "PR_SALL")",
       "24: cases[0].events[3].sproc.share: not \"PR_SADDR\" or \"none\""},
      {R"("child": 2, )", R"("child": 1, )",
       "24: cases[0].events[3].sproc.child: not between 2 and 30000"},
      {R"({"thread_create": {"tid": 2, "pid": 2}})", R"({"fork": {"child": 2}})",
       "25: cases[0].events[4].fork.child: there is a process 2 already"},
      {R"("tid": 2, "pid": 2}})", R"("tid": 1, "pid": 2}})",
       "25: cases[0].events[4].thread_create.tid: not between 2 and 30000"},
      {R"("addr": "B2", "size": 4, "prot")", R"("addr": "B2", "size": 0, "prot")",
       "26: cases[0].events[5].mprotect.size: not between 1 and 18446744073709551615"},
      {R"(, "prot": "r",)", ",", "26: cases[0].events[5].mprotect: the key 'prot' is missing"},
      {R"("value": 513)", R"("value": 65536)",
       "27: cases[0].events[6].poke.value: not between 0 and 65535"},
      {R"("ok": false)", R"("ok": null)",
       "28: cases[0].events[7].exec.ok: not true or false but null"},
      // Expectations.
      {R"("expect": {"ret": 0, "errno": null,
)",
       R"("expect": {"ret": 0, "errno": "invalid",
)",
       "30: cases[0].expect.errno: not the name of an errno or null"},
      {R"("expect": {"ret": 0, "errno": null,
)",
       R"("expect": {"ret": "0", "errno": null,
)",
       "30: cases[0].expect.ret: not a number but a string"},
      {R"("tv_sec": 0, )", "",
       "23: cases[0].events[2].call.expect.tv: the key 'tv_sec' is missing"},
      {R"("counters": {"1")", R"("counters": {"3")",
       "31: cases[0].expect.counters.3: there is no process '3'"},
      {R"("B2": {}})", R"("B3": {}})",
       "31: cases[0].expect.counters.1.B3: no such object in initial.mem"},
      {R"("B2": {}})", R"("B2": {"1": 1}})",
       "31: cases[0].expect.counters.1.B2.1: not an index below 1"},
      {R"("B2": {}})", R"("B2": {"0": 0}})",
       "31: cases[0].expect.counters.1.B2.0: not between 1 and 4294967295"},
      {R"("31": 513)", R"("+31": 513)",
       "31: cases[0].expect.counters.1.BUF.+31: not an index below 32"},
      {R"("31": 513)", R"("31": 513, "031": 513)",
       "31: cases[0].expect.counters.1.BUF.031: the element 31 is there twice"},
      {R"({"1": "on", "2": null})", R"({"1": "maybe", "2": null})",
       "32: cases[0].expect.profiling.1: not \"on\", \"off\" or null"},
  };
  return table;
}

TEST(CaseParser, MalformedFilesGetLineKeyAndReason) {
  for (const Malformed& each : malformed()) {
    const std::string text = replaced(sample_file, each.from, each.to);
    ASSERT_FALSE(text.empty()) << each.from;
    EXPECT_EQ(error_of(text), "f.json:" + std::string(each.message)) << each.to;
  }
}

TEST(CaseParser, DuplicateIds) {
  const std::size_t begin = sample_file.find("  {\n   \"id\"");
  const std::size_t end = sample_file.rfind("\n ]");
  const std::string_view one = sample_file.substr(begin, end - begin);
  const std::string two = replaced(sample_file, one, std::string(one) + ",\n" + std::string(one));
  EXPECT_EQ(error_of(two), "f.json:39: cases[1].id: the id 'T-1' is there twice");
}

TEST(CaseParser, ObservationsBecomeCases) {
  const auto cases = parse(observations);
  ASSERT_EQ(cases.size(), 3U);
  EXPECT_EQ(cases[0].id, "v7_pdp11#0");
  EXPECT_EQ(cases[0].certainty, Certainty::observed);
  EXPECT_EQ(cases[0].source, std::vector<std::string>{"observed: a kernel"});
  EXPECT_EQ(cases[0].line, 6U);
  ASSERT_EQ(cases[0].memory.size(), 1U);
  EXPECT_EQ(cases[0].memory[0].address, GuestAddr(24576 + 2 * 2));
  EXPECT_EQ(cases[0].memory[0].size, 2U);
  EXPECT_EQ(cases[0].expect.counters, (std::map<int, Buffers>{{1, {{"ELEMENT", {{0, 1}}}}}}));
  EXPECT_EQ(cases[0].expect.profiling, (std::map<int, bool>{{1, true}}));

  // 23 sixtieths of a second are at least 39 ticks of a 100 Hz clock, and 39 are what it got.
  EXPECT_EQ(std::get<TickEvent>(cases[1].events[0].what).n, 39U);
  ASSERT_EQ(cases[1].memory[0].presets.size(), 1U);
  EXPECT_EQ(cases[1].memory[0].presets[0].value, 32767U);
  EXPECT_EQ(cases[1].expect.counters, (std::map<int, Buffers>{{1, {{"ELEMENT", {{0, 32806}}}}}}));

  EXPECT_EQ(cases[2].note, "off");
  EXPECT_EQ(cases[2].expect.counters, (std::map<int, Buffers>{{1, {{"BUF", {}}}}}));
  EXPECT_EQ(cases[2].expect.profiling, (std::map<int, bool>{{1, false}}));
}

TEST(CaseParser, MalformedObservations) {
  const std::vector<Malformed> table = {
      {R"("what": "observations")", R"("what": 1)", "2: what: not a string but a number"},
      {R"({"v7_pdp11": "a kernel"})", R"({"v7_pdp11": null})",
       "3: kernels.v7_pdp11: not a string but null"},
      {R"("buff": 24576)", R"("buff": 65536)", "6: rows[0].buff: not between 0 and 65535"},
      {R"("buff": 24576)", R"("buff": "0x6000")", "6: rows[0].buff: not a number but a string"},
      {R"("pc": 32772)", R"("pd": 32772)",
       "6: rows[0].pd: unknown key; there are: system, buff, bufsiz, offset, scale, pc, "
       "observed_element, preset, ticks, final, note"},
      {R"("observed_element": 2)", R"("observed_element": -2)",
       "7: rows[0].observed_element: not between 0 and 32767"},
      {R"("buff": 24576)", R"("buff": 65531)",
       "7: rows[0].observed_element: the element reaches beyond the address space"},
      {R"("ticks": 23, )", "", "8: rows[1]: the key 'ticks' is missing"},
      {R"("final": 32806)", R"("final": 65536)", "9: rows[1].final: not between 0 and 65535"},
      {R"("note": "off")", R"("preset": 1)", "11: rows[2].preset: only for an observed element"},
      {R"("rows": [)", R"("rows": [3, )", "5: rows[0]: not an object but a number"},
  };
  for (const Malformed& each : table) {
    const std::string text = replaced(observations, each.from, each.to);
    ASSERT_FALSE(text.empty()) << each.from;
    EXPECT_EQ(error_of(text), "f.json:" + std::string(each.message)) << each.to;
  }
}

TEST(CaseParser, WhatIsNoCaseFile) {
  EXPECT_TRUE(error_of("").starts_with("f.json:1: not JSON: ")) << error_of("");
  EXPECT_TRUE(error_of("{\n\"a\":\n}").starts_with("f.json:3: not JSON: "));
  EXPECT_TRUE(error_of("\x7f"
                       "ELF")
                  .starts_with("f.json:1: not JSON: "));
  EXPECT_TRUE(error_of("{\"cases\": 1e999}").starts_with("f.json:1: not JSON: "));
  EXPECT_EQ(error_of("[]"), "f.json:1: no conformance cases: neither 'cases' nor 'rows' is in it");
  EXPECT_EQ(error_of("{}"), "f.json:1: no conformance cases: neither 'cases' nor 'rows' is in it");
  EXPECT_EQ(error_of("\n\n3"),
            "f.json:3: no conformance cases: neither 'cases' nor 'rows' is in it");
}

TEST(CaseParser, DeepNestingIsAnErrorAndNoOverflow) {
  const std::string deep = std::string(3'000'000, '[');
  EXPECT_EQ(error_of(deep), "f.json:1: nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 300'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(error_of(objects), "f.json:1: nested deeper than 64 levels");
}

// Messages are one line whatever is in the file.
TEST(CaseParser, MessagesAreOneShortLine) {
  const std::string key(100'000, 'k');
  for (const std::string& text : {replaced(sample_file, R"("id")", "\"a\\nb\": 1, \"id\""),
                                  replaced(sample_file, R"("id")", "\"" + key + "\": 1, \"id\""),
                                  replaced(sample_file, R"("id": "T-1")", "\"id\": \"" + key),
                                  replaced(sample_file, R"("id": "T-1")", "\"id\": \"\x01\"")}) {
    const std::string error = error_of(text);
    EXPECT_EQ(error.find('\n'), std::string::npos);
    EXPECT_LT(error.size(), 400U);
    EXPECT_TRUE(error.starts_with("f.json:")) << error;
  }
}

struct Unknown {
  std::string_view from;
  std::string_view to;
  std::string_view defect;
};

// "A case that names an unknown system or event fails, never passes": it is a case, with a defect.
TEST(CaseParser, UnknownNamesAreDefectsOfTheCase) {
  const std::vector<Unknown> table = {
      {R"("system": "irix")", R"("system": "vms")",
       "f.json:8: cases[0].system: unknown system 'vms'; 'hardclock systems' lists them"},
      {R"({"tick": {)", R"({"tock": {)", "f.json:17: cases[0].events[0].tock: unknown event"},
      {R"("name": "sprofil")", R"("name": "monitor")",
       "f.json:19: cases[0].events[2].call.name: unknown call 'monitor'; there are profil, "
       "sprofil and pcsample"},
      {R"(PROF_UINT|PROF_FAST)", R"(PROF_UINT|PROF_SLOW)",
       "f.json:22: cases[0].events[2].call.args.flags: irix has no flag 'PROF_SLOW'"},
      {R"("system": "irix")", R"("system": "solaris")",
       "f.json:19: cases[0].events[2].call.name: solaris has no sprofil"},
  };
  for (const Unknown& each : table) {
    const std::string text = replaced(sample_file, each.from, each.to);
    ASSERT_FALSE(text.empty()) << each.from;
    const auto cases = parse(text);
    EXPECT_EQ(only(cases).defect, each.defect) << each.to;
  }
  const auto rows = parse(replaced(observations, R"("bsd43_vax")", R"("vms")"));
  EXPECT_EQ(rows[1].defect,
            "f.json:8: rows[1].system: unknown system 'vms'; 'hardclock systems' lists them");
  EXPECT_EQ(rows[0].defect, "");
}

}  // namespace
}  // namespace hardclock::conform
