// Arithmetic expansion (POSIX.2, 2.6.4): C's expressions of 64 bits, without ++ and --.
#include "shell.h"

static const char* at;
static bool is_evaluated;  // false in what && || ?: pass over

static int64_t assignment(void);

static void __attribute__((noreturn)) fail_here(const char* what) {
  fail("arithmetic expression: ", what, NULL);
}

static void skip_white(void) {
  while (is_blank(*at) || *at == '\n') ++at;
}

static bool accept(const char* token) {
  skip_white();
  if (!text_begins(at, token)) return false;
  at += text_length(token);
  return true;
}

static int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

static int64_t constant(const char** text) {
  const char* from = *text;
  int base = 10;
  if (*from == '0') {
    const bool is_hex = from[1] == 'x' || from[1] == 'X';
    base = is_hex ? 16 : 8;
    from += is_hex ? 2 : 1;
  }
  uint64_t value = 0;
  for (; digit_value(*from) < base; ++from)
    value = value * (unsigned)base + (unsigned)digit_value(*from);
  *text = from;
  return (int64_t)value;
}

static int64_t variable(const char* name, size_t length) {
  const char* const copy = take_text(name, length);
  const char* value = get(copy);
  if (value == NULL) {
    if (option('u') && is_evaluated) fail(copy, ": parameter not set", NULL);
    return 0;
  }
  while (is_blank(*value) || *value == '\n') ++value;
  if (*value == 0) return 0;
  const bool is_negative = *value == '-';
  if (is_negative || *value == '+') ++value;
  if (!is_digit(*value)) fail("Illegal number: ", value, NULL);
  const int64_t number = constant(&value);
  while (is_blank(*value) || *value == '\n') ++value;
  if (*value != 0) fail("Illegal number: ", get(copy), NULL);
  return is_negative ? (int64_t) - (uint64_t)number : number;
}

static int64_t primary(void) {
  skip_white();
  if (accept("(")) {
    const int64_t value = assignment();
    if (!accept(")")) fail_here("expecting ')'");
    return value;
  }
  if (accept("!")) return !primary();
  if (accept("~")) return ~primary();
  if (accept("-")) return (int64_t) - (uint64_t)primary();
  if (accept("+")) return primary();
  if (is_digit(*at)) {
    const int64_t value = constant(&at);
    if (is_name_character(*at)) fail_here("bad number");
    return value;
  }
  const size_t length = name_length(at);
  if (length == 0) fail_here("expecting primary");
  at += length;
  return variable(at - length, length);
}

static uint64_t magnitude(int64_t value) {
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static int64_t quotient(int64_t a, int64_t b, bool wants_rest) {
  uint64_t rest;
  if (b == 0) {
    if (is_evaluated) fail_here("division by zero");
    return 0;
  }
  const uint64_t whole = divide(magnitude(a), magnitude(b), &rest);
  if (wants_rest) return (int64_t)(a < 0 ? -rest : rest);
  return (int64_t)((a < 0) != (b < 0) ? -whole : whole);
}

// One bit a step; the compiler would call a library for 64 bits in 32.
static int64_t shifted(int64_t value, int64_t count, bool is_left) {
  for (count &= 63; count > 0; --count) {
    value = is_left ? (int64_t)((uint64_t)value << 1) : value >> 1;
  }
  return value;
}

enum operation {
  op_none,
  op_times,
  op_divide,
  op_rest,
  op_plus,
  op_minus,
  op_left,
  op_right,
  op_less_equal,
  op_greater_equal,
  op_less,
  op_greater,
  op_equal,
  op_unequal,
  op_and,
  op_xor,
  op_or
};

struct binary {
  const char* text;
  int level;
  enum operation operation;
};

// The longer ones first. && and || are not &, and an operator before = is an assignment.
static const struct binary binaries[] = {
    {"<<", 3, op_left},       {">>", 3, op_right},
    {"<=", 4, op_less_equal}, {">=", 4, op_greater_equal},
    {"==", 5, op_equal},      {"!=", 5, op_unequal},
    {"*", 1, op_times},       {"/", 1, op_divide},
    {"%", 1, op_rest},        {"+", 2, op_plus},
    {"-", 2, op_minus},       {"<", 4, op_less},
    {">", 4, op_greater},     {"&", 6, op_and},
    {"^", 7, op_xor},         {"|", 8, op_or},
};
enum { highest_level = 8 };

static bool is_comparison(enum operation operation) {
  return operation >= op_less_equal && operation <= op_unequal;
}

static const struct binary* next_binary(void) {
  skip_white();
  for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; ++i) {
    const struct binary* const each = &binaries[i];
    if (!text_begins(at, each->text)) continue;
    const char after = at[text_length(each->text)];
    if ((*at == '&' || *at == '|') && after == *at) return NULL;
    return after == '=' && !is_comparison(each->operation) ? NULL : each;
  }
  return NULL;
}

static int64_t apply(enum operation operation, int64_t a, int64_t b) {
  switch (operation) {
    case op_times:
      return (int64_t)((uint64_t)a * (uint64_t)b);
    case op_divide:
      return quotient(a, b, false);
    case op_rest:
      return quotient(a, b, true);
    case op_plus:
      return (int64_t)((uint64_t)a + (uint64_t)b);
    case op_minus:
      return (int64_t)((uint64_t)a - (uint64_t)b);
    case op_left:
      return shifted(a, b, true);
    case op_right:
      return shifted(a, b, false);
    case op_less_equal:
      return a <= b;
    case op_greater_equal:
      return a >= b;
    case op_less:
      return a < b;
    case op_greater:
      return a > b;
    case op_equal:
      return a == b;
    case op_unequal:
      return a != b;
    case op_and:
      return a & b;
    case op_xor:
      return a ^ b;
    case op_or:
      return a | b;
    case op_none:
      break;
  }
  return b;
}

static int64_t binary(int level) {
  int64_t value = level == 1 ? primary() : binary(level - 1);
  for (;;) {
    const struct binary* const next = next_binary();
    if (next == NULL || next->level != level) return value;
    at += text_length(next->text);
    value = apply(next->operation, value, level == 1 ? primary() : binary(level - 1));
  }
}

static int64_t passed_over(int64_t (*parse)(void), bool evaluated) {
  const bool outer = is_evaluated;
  is_evaluated = outer && evaluated;
  const int64_t value = parse();
  is_evaluated = outer;
  return value;
}

static int64_t bits(void) {
  return binary(highest_level);
}

static int64_t conjunction(void) {
  int64_t value = bits();
  while (accept("&&")) {
    const int64_t right = passed_over(bits, value != 0);
    value = value != 0 && right != 0;
  }
  return value;
}

static int64_t disjunction(void) {
  int64_t value = conjunction();
  while (accept("||")) {
    const int64_t right = passed_over(conjunction, value == 0);
    value = value != 0 || right != 0;
  }
  return value;
}

static int64_t conditional(void) {
  const int64_t condition = disjunction();
  if (!accept("?")) return condition;
  const int64_t yes = passed_over(assignment, condition != 0);
  if (!accept(":")) fail_here("expecting ':'");
  const int64_t no = passed_over(conditional, condition == 0);
  return condition != 0 ? yes : no;
}

// The operation of an assignment behind a name; false: there is none.
static bool assignment_operation(enum operation* operation) {
  *operation = op_none;
  if (*at == '=' && at[1] != '=') {
    ++at;
    return true;
  }
  for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; ++i) {
    const char* const text = binaries[i].text;
    const size_t length = text_length(text);
    if (is_comparison(binaries[i].operation) || !text_begins(at, text) || at[length] != '=')
      continue;
    at += length + 1;
    *operation = binaries[i].operation;
    return true;
  }
  return false;
}

static int64_t assignment(void) {
  skip_white();
  const char* const name = at;
  const size_t length = name_length(at);
  if (length != 0) {
    at += length;
    skip_white();
    enum operation operation;
    if (assignment_operation(&operation)) {
      const int64_t right = assignment();
      const int64_t old = operation == op_none ? 0 : variable(name, length);
      const int64_t value = apply(operation, old, right);
      char digits[number_bytes];
      if (is_evaluated) set_of_length(name, length, number_text(value, digits));
      return value;
    }
    at = name;
  }
  return conditional();
}

int64_t evaluate(const char* expression) {
  at = expression;
  is_evaluated = true;
  skip_white();
  if (*at == 0) fail_here("expecting primary");
  const int64_t value = assignment();
  skip_white();
  if (*at != 0) fail_here("expecting end of expression");
  return value;
}
