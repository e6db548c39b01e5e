// Reads the rows of a description into a BundlePipeline.
#include <algorithm>
#include <bit>

#include "sim/timing/bundle_pipeline.h"
#include "sim/timing/pipeline_rows.h"

namespace hardclock {
namespace {

using Class = BundlePipeline::Class;
using Dispersal = BundlePipeline::Dispersal;

std::vector<std::string> shape_names() {
  return {"none", "mii", "mlx", "mmi", "mfi", "mmf", "mib", "mbb", "bbb", "mmb", "mfb"};
}

class Builder : PipelineRows {
 public:
  Builder(const CpuDescription& description, std::span<const char* const> class_names,
          std::span<const char* const> absent)
      : PipelineRows(description, class_names, absent), classes_(class_names.size()) {
    for (std::vector<bool>& unless : dispersal_.unless) unless.resize(names_.size());
    for (Class& timing : classes_) timing.to.resize(names_.size());
  }

  Result<std::shared_ptr<const Pipeline>, std::string> build() {
    std::string mistake = read_rows(*this, {{"window", &Builder::read_window},
                                            {"ports", &Builder::read_ports},
                                            {"class", &Builder::read_class},
                                            {"bypass", &Builder::read_bypass},
                                            {"second", &Builder::read_second},
                                            {"in_slots", &Builder::read_in_slots},
                                            {"split", &Builder::read_split},
                                            {"split_after", &Builder::read_split_after},
                                            {"redirect", &Builder::read_redirect},
                                            {"predictor", &Builder::read_predictor}});
    if (mistake.empty()) mistake = class_without_row();
    if (!mistake.empty()) return failure(mistake);
    for (Class& timing : classes_) {
      timing.longest = 0;
      for (const BundlePipeline::Latency& latency : timing.to) {
        timing.longest = std::max({timing.longest, latency.address, latency.data});
      }
    }
    return std::shared_ptr<const Pipeline>(
        std::make_shared<BundlePipeline>(std::move(classes_), std::move(dispersal_), predictor_));
  }

 private:
  void read_window(RowReader& row) {
    if (row.name() != "1" && row.name() != "2") {
      row.fail("window needs 1 or 2 bundles, not '" + row.name() + "'");
    }
    dispersal_.bundles = row.name() == "2" ? 2 : 1;
    if (!row.has("fetch") && !row.has("buffer")) return;
    row.require("fetch");
    row.require("buffer");
    constexpr std::uint64_t most_fetched = 4, most_waiting = 64;
    dispersal_.fetched = static_cast<unsigned>(row.number("fetch", 1, 1, most_fetched));
    dispersal_.buffer =
        static_cast<unsigned>(row.number("buffer", 1, dispersal_.fetched, most_waiting));
  }

  void read_ports(RowReader& row) {
    const std::vector<std::size_t> unit = positions_in(row, row.name(), {"M", "I", "F"});
    if (unit.size() != 1) return;
    row.require("number");
    row.require("order");
    Dispersal::Unit& ports =
        *std::array{&dispersal_.memory, &dispersal_.integer, &dispersal_.floating}[unit.front()];
    constexpr std::uint64_t most = 4;
    ports.ports = static_cast<unsigned>(row.number("number", 1, 1, most));
    // What the dispersal knows of each.
    const std::vector<std::string_view> orders[] = {{"any", "lowest"}, {"lowest"}, {"bundle"}};
    const std::size_t order = row.choice("order", orders[unit.front()]);
    ports.order = unit.front() == 0 && order == 0 ? Dispersal::Order::any
                  : unit.front() == 2             ? Dispersal::Order::bundle
                                                  : Dispersal::Order::lowest;
    if (unit.front() != 1) return;
    if (row.has("overflow")) {
      row.choice("overflow", {"M"});
      dispersal_.integer_overflows = true;
    }
    if (row.has("last")) {
      row.choice("last", {"highest"});
      dispersal_.last_slot_is_highest = true;
    }
  }

  void read_class(RowReader& row) {
    row.require("latency");
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 0, longest));
    Class timing;
    read_class_ports(row, timing);
    if (row.has("all_ports")) {
      row.choice("all_ports", {"F"});
      timing.takes_all_float_ports = true;
    }
    timing.usual = latency;
    timing.to.assign(names_.size(), {.address = latency, .data = latency});
    for (const std::uint8_t index : described_by(row)) classes_[index] = timing;
  }

  void read_class_ports(RowReader& row, Class& timing) {
    if (!row.has("ports")) return;
    const struct {
      char letter;
      const Dispersal::Unit& unit;
      std::uint8_t& ports;
    } units[] = {{'M', dispersal_.memory, timing.memory_ports},
                 {'I', dispersal_.integer, timing.integer_ports},
                 {'F', dispersal_.floating, timing.float_ports}};
    for (const std::string& port : words_of_list(row.word("ports", ""))) {
      bool is_known = false;
      for (const auto& [letter, unit, ports] : units) {
        for (unsigned number = 0; number < unit.ports; ++number) {
          if (port != letter + std::to_string(number)) continue;
          ports |= static_cast<std::uint8_t>(1u << number);
          is_known = true;
        }
      }
      if (!is_known) row.fail("no ports row has a port " + port);
    }
    for (const auto& [letter, unit, ports] : units) {
      // Else it could not begin a group.
      if (unit.order != Dispersal::Order::any && ports != 0 && (ports & 1) == 0) {
        row.fail(std::string("ports without ") + letter + "0");
      }
    }
  }

  void read_bypass(RowReader& row) {
    row.require("to");
    row.require("latency");
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 0, longest));
    const bool to_all = !row.has("as");
    const bool as_address = !to_all && row.choice("as", {"address", "data"}) == 0;
    const auto early = static_cast<std::uint16_t>(row.number("early", latency, latency, longest));
    const std::vector<std::uint8_t> consumers = classes_of(row, row.word("to", row.name()));
    for (const std::uint8_t producer : classes_of(row, row.name())) {
      for (const std::uint8_t consumer : consumers) {
        BundlePipeline::Latency& known = classes_[producer].to[consumer];
        if (to_all || as_address) known.address = latency;
        if (to_all || !as_address) known.data = latency;
        known.early = static_cast<std::uint16_t>(early - latency);
      }
    }
  }

  void read_second(RowReader& row) {
    row.require("as");
    const std::vector<std::uint8_t> as = classes_of(row, row.word("as", row.name()));
    if (as.size() != 1) return row.fail("second needs one class after as");
    for (const std::uint8_t index : classes_of(row, row.name()))
      classes_[index].second = as.front();
  }

  void read_in_slots(RowReader& row) {
    positions_in(row, row.name(), {"I"});
    row.require("classes");
    row.require("as");
    const std::vector<std::uint8_t> as = classes_of(row, row.word("as", names_.front()));
    if (as.size() != 1) return row.fail("in_slots needs one class after as");
    const std::vector<std::uint8_t> classes = classes_of(row, row.word("classes", names_.front()));
    for (const std::uint8_t index : classes) classes_[index].in_slots_i = as.front();
  }

  void read_split(RowReader& row) {
    const std::vector<std::size_t> shapes = positions_in(row, row.name(), shape_names());
    if (row.has("before")) {
      const std::vector<std::size_t> later =
          positions_in(row, row.word("before", ""), shape_names());
      for (const std::size_t shape : shapes) {
        for (const std::size_t next : later) dispersal_.splits_between[shape][next] = true;
      }
      return;
    }
    row.require("at");
    row.choice("at", {"end"});
    for (const std::size_t shape : shapes) dispersal_.splits_at_end[shape] = true;
    if (!row.has("unless")) return;
    const std::vector<std::uint8_t> unless = classes_of(row, row.word("unless", ""));
    for (const std::size_t shape : shapes) {
      for (const std::uint8_t index : unless) dispersal_.unless[shape][index] = true;
    }
  }

  void read_split_after(RowReader& row) {
    row.require("at");
    row.choice("at", {"instruction"});
    for (const std::uint8_t index : classes_of(row, row.name()))
      classes_[index].splits_after = true;
  }

  void read_redirect(RowReader& row) {
    row.require("taken");
    row.require("mispredicted");
    const auto taken = static_cast<std::uint16_t>(row.number("taken", 0, 0, longest));
    const auto mispredicted = static_cast<std::uint16_t>(row.number("mispredicted", 0, 0, longest));
    for (const std::uint8_t index : classes_of(row, row.name())) {
      classes_[index].taken = taken;
      classes_[index].mispredicted = mispredicted;
    }
  }

  void read_predictor(RowReader& row) {
    if (row.name() != "two_level") return row.fail("unknown predictor '" + row.name() + "'");
    for (const std::string_view key : {"sets", "ways", "history"}) row.require(key);
    constexpr std::uint64_t most_sets = 65536, most_ways = 16, most_outcomes = 8;
    predictor_ = TwoLevelPredictor::Shape{
        .sets = static_cast<std::uint32_t>(row.number("sets", 1, 1, most_sets)),
        .ways = static_cast<std::uint32_t>(row.number("ways", 1, 1, most_ways)),
        .history = static_cast<std::uint32_t>(row.number("history", 1, 1, most_outcomes))};
    if (!std::has_single_bit(predictor_->sets)) row.fail("sets is no power of two");
  }

  std::vector<Class> classes_;
  Dispersal dispersal_;
  std::optional<TwoLevelPredictor::Shape> predictor_;
};

}  // namespace

Result<std::shared_ptr<const Pipeline>, std::string> make_bundle_pipeline(
    const CpuDescription& description, std::span<const char* const> class_names,
    std::span<const char* const> absent) {
  return Builder(description, class_names, absent).build();
}

}  // namespace hardclock
