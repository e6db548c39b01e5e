// Firefox Profiler's processed profile, version 60: github.com/firefox-devtools/profiler,
// docs-developer/CHANGELOG-formats.md and src/types/profile.ts. Later versions of the profiler
// bring it up to date. Tables are objects of columns.
#include <fmt/format.h>

#include <map>

#include "sim/report/places.h"
#include "sim/report/viewers/text.h"
#include "sim/report/viewers/viewers.h"

namespace hardclock::report {
namespace {

constexpr double milliseconds = 1000;

// The items of a JSON array, one for each i below `count`.
template <class Item>
std::string column(std::size_t count, Item item) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", item(i));
  return "[" + text + "]";
}

std::string same(std::size_t count, std::string_view item) {
  return column(count, [&](std::size_t) { return item; });
}

class Writer {
 public:
  explicit Writer(const CallGraph& graph) : graph_(graph) {
    for (const ProfiledFunction& function : graph.functions) {
      if (function.object.empty() || libraries_.contains(function.object)) continue;
      libraries_.emplace(function.object, libraries_.size());
      objects_.push_back(function.object);
    }
  }

  std::string write() {
    std::string threads;
    if (graph_.has_cycles) threads = thread("cycles", &Cost::cycles, graph_.cpu, 1) + ",\n";
    threads += thread("ticks", &Cost::ticks, graph_.tick_rate, 2);
    // The table of strings is last: the others add to it.
    const std::string libs = libraries();
    const std::string tables = stack_table() + ",\n" + frame_table() + ",\n" + function_table() +
                               ",\n" + resource_table() + ",\n" + empty_tables();
    return fmt::format(
        "{{\"meta\":{},\n\"libs\":[{}],\n\"shared\":{{{},\n\"stringArray\":{}}},\n"
        "\"threads\":[{}]}}\n",
        meta(), libs, tables,
        column(strings_.size(), [&](std::size_t i) { return json_text(strings_[i]); }), threads);
  }

 private:
  std::size_t text(const std::string& bytes) {
    const auto [known, is_new] = index_.emplace(bytes, strings_.size());
    if (is_new) strings_.push_back(bytes);
    return known->second;
  }

  std::string meta() const {
    const double interval = graph_.tick_rate == Hertz()
                                ? 1
                                : milliseconds / static_cast<double>(graph_.tick_rate.value());
    return fmt::format(
        "{{\"interval\":{},\"startTime\":0,\"processType\":0,\"product\":{},\"stackwalk\":1,"
        "\"version\":32,\"preprocessedProfileVersion\":60,\"importedFrom\":\"hardclock\","
        "\"arguments\":{},\"symbolicated\":true,\"symbolicationNotSupported\":true,"
        "\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
        "\"keepProfileThreadOrder\":true,\"initialVisibleThreads\":[0{}],"
        "\"initialSelectedThreads\":[0],\"markerSchema\":[],"
        "\"categories\":[{{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}}]}"
        "}",
        interval, json_text(base_name(graph_.program)), json_text(graph_.command),
        graph_.has_cycles ? ",1" : "");
  }

  std::string libraries() const { return fmt::format("{}", fmt::join(libraries_in_order(), ",")); }

  std::vector<std::string> libraries_in_order() const {
    std::vector<std::string> all;
    for (const std::string& object : objects_) {
      const std::string name = json_text(base_name(object));
      const std::string path = json_text(object);
      all.push_back(
          fmt::format("{{\"name\":{0},\"path\":{1},\"debugName\":{0},\"debugPath\":{1},"
                      "\"breakpadId\":\"\",\"codeId\":null,\"arch\":\"\"}}",
                      name, path));
    }
    return all;
  }

  std::string stack_table() const {
    const std::size_t count = graph_.paths.size();
    const auto prefix = [&](std::size_t i) {
      const std::uint32_t parent = graph_.paths[i].parent;
      return parent == CallPath::none ? "null" : std::to_string(parent);
    };
    return fmt::format("\"stackTable\":{{\"frame\":{},\"prefix\":{},\"length\":{}}}",
                       column(count, [&](std::size_t i) { return graph_.paths[i].function; }),
                       column(count, prefix), count);
  }

  // A function has one frame.
  std::string frame_table() const {
    const std::size_t count = graph_.functions.size();
    // An address beyond 2^53 - 1 is no whole number in the viewer's language.
    const auto address = [&](std::size_t i) {
      constexpr std::uint64_t most = (std::uint64_t{1} << 53) - 1;
      const auto at = graph_.functions[i].address;
      return at && at->value() <= most ? std::to_string(at->value()) : std::string("-1");
    };
    const std::string none = same(count, "null");
    return fmt::format(
        "\"frameTable\":{{\"address\":{},\"inlineDepth\":{},\"category\":{},\"subcategory\":{},"
        "\"func\":{},\"nativeSymbol\":{},\"innerWindowID\":{},\"line\":{},\"column\":{},"
        "\"length\":{}}}",
        column(count, address), same(count, "0"), same(count, "0"), same(count, "0"),
        column(count, [](std::size_t i) { return i; }), none, none, none, none, count);
  }

  std::string function_table() {
    const std::size_t count = graph_.functions.size();
    const auto resource = [&](std::size_t i) {
      const auto known = libraries_.find(graph_.functions[i].object);
      return known == libraries_.end() ? std::string("-1") : std::to_string(known->second);
    };
    const std::string none = same(count, "null");
    const std::string no = same(count, "false");
    return fmt::format(
        "\"funcTable\":{{\"name\":{},\"isJS\":{},\"relevantForJS\":{},\"resource\":{},"
        "\"source\":{},\"lineNumber\":{},\"columnNumber\":{},\"length\":{}}}",
        column(count, [&](std::size_t i) { return text(graph_.functions[i].title()); }), no, no,
        column(count, resource), none, none, none, count);
  }

  std::string resource_table() {
    const std::size_t count = objects_.size();
    const auto name = [&](std::size_t i) { return text(std::string(base_name(objects_[i]))); };
    return fmt::format(
        "\"resourceTable\":{{\"length\":{},\"lib\":{},\"name\":{},\"host\":{},\"type\":{}}}", count,
        column(count, [](std::size_t i) { return i; }), column(count, name), same(count, "null"),
        same(count, "1"));
  }

  static std::string empty_tables() {
    return R"("nativeSymbols":{"libIndex":[],"address":[],"name":[],"functionSize":[],"length":0},
"sources":{"length":0,"uuid":[],"filename":[]})";
  }

  // Samples follow each other as their paths do in the graph; time is that of what came before.
  std::string thread(std::string_view name, std::uint64_t Cost::*of, Hertz rate, int tid) const {
    std::string stacks, weights, times;
    std::size_t count = 0;
    std::uint64_t before = 0;
    const double scale = rate == Hertz() ? 1 : milliseconds / static_cast<double>(rate.value());
    for (std::size_t i = 0; i < graph_.paths.size(); ++i) {
      const std::uint64_t own = graph_.paths[i].own.*of;
      if (own == 0) continue;
      const std::string_view comma = count++ == 0 ? "" : ",";
      stacks += fmt::format("{}{}", comma, i);
      weights += fmt::format("{}{}", comma, own);
      times += fmt::format("{}{}", comma, static_cast<double>(before) * scale);
      before += own;
    }
    const std::string markers =
        R"("markers":{"data":[],"name":[],"startTime":[],"endTime":[],"phase":[],"category":[],"length":0})";
    return fmt::format(
        "{{\"name\":\"{}\",\"isMainThread\":true,\"processType\":\"default\",\"processName\":{},"
        "\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
        "\"unregisterTime\":null,\"pausedRanges\":[],\"pid\":\"{}\",\"tid\":{},\n"
        "\"samples\":{{\"stack\":[{}],\"time\":[{}],\"weight\":[{}],\"weightType\":\"samples\","
        "\"length\":{}}},\n{}}}",
        name, json_text(name), tid, tid, stacks, times, weights, count, markers);
  }

  const CallGraph& graph_;
  std::vector<std::string> objects_;
  std::map<std::string, std::size_t>
      libraries_;  // indices of objects_, which are those of resources
  std::vector<std::string> strings_;
  std::map<std::string, std::size_t> index_;  // of strings_
};

}  // namespace

Written to_firefox(const CallGraph& graph) {
  return Writer(graph).write();
}

}  // namespace hardclock::report
