#include "tests/unit/load/som_builder.h"

#include <string>
#include <string_view>

namespace hardclock::testing {
namespace {

using namespace som;

// A string table: length, characters, zero byte, zeros up to a multiple of four.
class Strings {
 public:
  Strings(SomBytes& file, std::size_t at) : file_(file), start_(at), end_(at) {}

  std::uint32_t add(std::string_view name) {
    file_.put_word(end_, static_cast<std::uint32_t>(name.size()));
    const std::size_t place = end_ + 4;
    for (std::size_t i = 0; i < name.size(); ++i) {
      file_.bytes[place + i] = static_cast<std::uint8_t>(name[i]);
    }
    end_ = (place + name.size() + 4) / 4 * 4;
    return static_cast<std::uint32_t>(place - start_);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - start_); }

 private:
  SomBytes& file_;
  std::size_t start_;
  std::size_t end_;
};

void put_words(SomBytes& file, std::size_t at, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    file.put_word(at, word);
    at += 4;
  }
}

void put_headers(SomBytes& file) {
  put_words(file, 0, {0x02100108, 85082112});
  put_words(file, aux_location, {aux, 0x40, file_size, 0x40001000, spaces, 2, subspaces, 3});
  put_words(file, aux, {0x80000009, 5});
  file.put_word(aux + 8, 0x28632920);
  put_words(file, exec,
            {0x10000004, 40, 0x400, 0x1000, text, 0x100, 0x40001000, data, 0x1000, 0x1200, 4, 0});
}

void put_spaces(SomBytes& file) {
  Strings strings(file, space_strings);
  constexpr std::uint32_t none = 0xffffffff, code = 0x2c << 25, rest = 0x1f << 25;
  put_words(file, spaces, {strings.add("$TEXT$"), 0xc0000800, 0, 0, 3, none, 0, none, 0});
  put_words(file, spaces + 36, {strings.add("$PRIVATE$"), 0xe0001000, 1, 3, 0, none, 0, none, 0});
  put_words(file, subspaces,
            {0, code, text, 0x100, 0x1000, 0x100, 8, strings.add("$SHLIB_INFO$"), 0, 0});
  put_words(file, subspaces + 40,
            {0, code, unwind, 0x30, 0x1100, 0x30, 8, strings.add("$UNWIND_START$"), 0, 0});
  put_words(file, subspaces + 80,
            {0, rest, text + 0x200, 0x200, 0x1200, 0x200, 8, strings.add("$CODE$"), 0, 0});
  put_words(file, space_strings_location, {space_strings, strings.size()});
}

void put_symbols(SomBytes& file) {
  struct Spec {
    std::string_view name;
    std::uint32_t type;
    std::uint32_t scope;
    std::uint32_t value;
  };
  constexpr std::uint32_t unsatisfied = 0, local = 2, universal = 3;
  constexpr Spec specs[] = {{"main", 3, universal, 0x1303},     {"main", 6, universal, 0x1203},
                            {"helper", 3, local, 0x1223},       {"inside", 3, local, 0x122b},
                            {"L$001", 3, local, 0x1343},        {"$$mulI", 12, universal, 0x1353},
                            {"outside", 3, local, 0x1363},      {"wanted", 6, unsatisfied, 0x1373},
                            {"datum", 2, universal, 0x40001000}};
  Strings strings(file, symbol_strings);
  std::size_t at = symbols;
  for (const Spec& spec : specs) {
    put_words(file, at,
              {spec.type << 24 | spec.scope << 20, strings.add(spec.name), 0, 2, spec.value});
    at += 20;
  }
  put_words(file, symbol_location, {symbols, std::size(specs)});
  put_words(file, symbol_strings_location, {symbol_strings, strings.size()});
}

void put_text(SomBytes& file) {
  constexpr std::uint32_t list = 0x70, names = 0x90;
  Strings strings(file, loader_header + names);
  put_words(file, loader_header, {93092112, 0, list, 3});
  put_words(file, loader_header + list,
            {strings.add("a.out"), 0, strings.add("/usr/lib/libc.2"), 0,
             strings.add("/usr/lib/libm.2"), 0});
  put_words(file, loader_header + 40, {names, strings.size()});
  put_words(file, unwind, {0x1200, 0x121c, 0, 8, 0x1220, 0x123c, 0, 8, 0x1240, 0x125c, 0, 8});
}

}  // namespace

SomBytes& SomBytes::seal() {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < checksum; at += 4) {
    sum ^= load_bytes<std::uint32_t>(bytes.data() + at, Endian::big);
  }
  return put_word(checksum, sum);
}

SomBytes tiny_som() {
  SomBytes file{std::vector<std::uint8_t>(file_size)};
  put_headers(file);
  put_spaces(file);
  put_symbols(file);
  put_text(file);
  return file.seal();
}

}  // namespace hardclock::testing
