#include "sim/engine/symbolic.h"

#include <algorithm>

namespace hardclock {
namespace {

void sort_once(std::vector<Resource>& resources) {
  std::sort(resources.begin(), resources.end());
  resources.erase(std::unique(resources.begin(), resources.end()), resources.end());
}

}  // namespace

std::vector<Resource> Recording::reads() const {
  std::vector<Resource> found;
  for (const Node& node : nodes) {
    if (node.kind == NodeKind::read_register)
      found.push_back(static_cast<Resource>(node.immediate));
  }
  sort_once(found);
  return found;
}

std::vector<Resource> Recording::writes() const {
  std::vector<Resource> found;
  for (const Effect& effect : effects) {
    if (effect.kind == Effect::Kind::write_register) {
      found.push_back(static_cast<Resource>(effect.immediate));
    }
  }
  sort_once(found);
  return found;
}

bool Recording::has(Effect::Kind kind) const {
  return std::any_of(effects.begin(), effects.end(),
                     [&](const Effect& effect) { return effect.kind == kind; });
}

bool Recording::always(Effect::Kind kind) const {
  return std::any_of(effects.begin(), effects.end(), [&](const Effect& effect) {
    if (effect.kind != kind) return false;
    const Node& condition = nodes[effect.nodes[0]];
    return condition.kind == NodeKind::constant && condition.immediate != 0;
  });
}

bool Recording::touches_memory() const {
  const auto is_load = [](const Node& node) { return node.kind == NodeKind::load; };
  return has(Effect::Kind::store) || std::any_of(nodes.begin(), nodes.end(), is_load);
}

}  // namespace hardclock
