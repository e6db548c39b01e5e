// test and [.
#include "shell.h"

static char** at;
static char** end;
static bool is_wrong;

static bool wrong(const char* what, const char* argument) {
  if (!is_wrong) complain("test: ", argument, ": ", what, NULL);
  is_wrong = true;
  return false;
}

static bool number_of(const char* text, int64_t* number) {
  while (is_blank(*text)) ++text;
  const bool is_negative = *text == '-';
  const char* digit = text + (is_negative || *text == '+');
  int64_t value = 0;
  if (!is_digit(*digit)) return wrong("Illegal number", text);
  for (; is_digit(*digit); ++digit) value = value * 10 + (*digit - '0');
  while (is_blank(*digit)) ++digit;
  if (*digit != 0) return wrong("Illegal number", text);
  *number = is_negative ? -value : value;
  return true;
}

enum { may_read = 4, may_write = 2, may_execute = 1 };

static bool has_mode(const struct file_status* status, char letter) {
  const uint32_t format = status->mode & mode_format;
  switch (letter) {
    case 'e':
      return true;
    case 'f':
      return format == mode_regular;
    case 'd':
      return format == mode_directory;
    case 'b':
      return format == mode_block;
    case 'c':
      return format == mode_character;
    case 'p':
      return format == mode_fifo;
    case 'h':
    case 'L':
      return format == mode_link;
    case 's':
      return status->size > 0;
    case 'u':
      return (status->mode & 04000) != 0;
    case 'g':
      return (status->mode & 02000) != 0;
    case 'k':
      return (status->mode & 01000) != 0;
    default:
      return false;
  }
}

static bool is_unary(const char* text) {
  return text[0] == '-' && text[1] != 0 && text[2] == 0 &&
         text_find("efdbcphLsugkrwxtzn", text[1]) != NULL;
}

static bool unary(char letter, const char* operand) {
  struct file_status status;
  int64_t file;
  switch (letter) {
    case 'z':
      return *operand == 0;
    case 'n':
      return *operand != 0;
    case 'r':
      return sys_access(operand, may_read) >= 0;
    case 'w':
      return sys_access(operand, may_write) >= 0;
    case 'x':
      return sys_access(operand, may_execute) >= 0;
    case 't':
      return number_of(operand, &file) && sys_is_terminal((int)file);
    default:
      return sys_status(operand, letter != 'h' && letter != 'L', &status) >= 0 &&
             has_mode(&status, letter);
  }
}

static const char* const binaries[] = {"=",   "!=",  "-eq", "-ne", "-lt", "-le",
                                       "-gt", "-ge", "-nt", "-ot", "-ef"};
enum {
  op_equal,
  op_unequal,
  op_eq,
  op_ne,
  op_lt,
  op_le,
  op_gt,
  op_ge,
  op_nt,
  op_ot,
  op_ef,
  op_none
};

static int binary_of(const char* text) {
  for (int each = 0; each < op_none; ++each) {
    if (text_is(binaries[each], text)) return each;
  }
  return op_none;
}

static bool compare_files(int operation, const char* left, const char* right) {
  struct file_status a, b;
  const bool has_a = sys_status(left, true, &a) >= 0, has_b = sys_status(right, true, &b) >= 0;
  if (operation == op_ef) return has_a && has_b && a.device == b.device && a.inode == b.inode;
  if (operation == op_nt) return has_a && has_b && a.modified > b.modified;
  return has_a && has_b && a.modified < b.modified;
}

static bool binary(int operation, const char* left, const char* right) {
  if (operation == op_equal) return text_is(left, right);
  if (operation == op_unequal) return !text_is(left, right);
  if (operation >= op_nt) return compare_files(operation, left, right);
  int64_t a, b;
  if (!number_of(left, &a) || !number_of(right, &b)) return false;
  switch (operation) {
    case op_eq:
      return a == b;
    case op_ne:
      return a != b;
    case op_lt:
      return a < b;
    case op_le:
      return a <= b;
    case op_gt:
      return a > b;
    default:
      return a >= b;
  }
}

static bool disjunction(void);

static bool primary(void) {
  if (at == end) return wrong("argument expected", "end");
  if (end - at >= 3 && binary_of(at[1]) != op_none) {
    const bool result = binary(binary_of(at[1]), at[0], at[2]);
    at += 3;
    return result;
  }
  const char* const word = *at++;
  if (text_is(word, "!") && at != end) return !primary();
  if (text_is(word, "(") && at != end) {
    const bool result = disjunction();
    if (at == end || !text_is(*at, ")")) return wrong("closing paren expected", word);
    ++at;
    return result;
  }
  if (is_unary(word) && at != end) return unary(word[1], *at++);
  return *word != 0;
}

static bool conjunction(void) {
  bool result = primary();
  while (at != end && text_is(*at, "-a")) {
    ++at;
    const bool right = primary();
    result = result && right;
  }
  return result;
}

static bool disjunction(void) {
  bool result = conjunction();
  while (at != end && text_is(*at, "-o")) {
    ++at;
    const bool right = conjunction();
    result = result || right;
  }
  return result;
}

// What POSIX says of up to four arguments.
static bool by_count(void) {
  const long count = end - at;
  if (count == 0) return false;
  if (count == 1) return **at != 0;
  if (count == 2 && text_is(at[0], "!")) return *at[1] == 0;
  if (count == 3 && binary_of(at[1]) == op_none && text_is(at[0], "(") && text_is(at[2], ")")) {
    return *at[1] != 0;
  }
  if (count == 4 && text_is(at[0], "!")) {
    ++at;
    return !by_count();
  }
  const bool result = disjunction();
  if (at != end) return wrong("unexpected operator", *at);
  return result;
}

int test_builtin(char** arguments, int count) {
  is_wrong = false;
  at = arguments + 1;
  end = arguments + count;
  if (text_is(arguments[0], "[")) {
    if (count < 2 || !text_is(arguments[count - 1], "]")) {
      complain("[: missing ]", NULL);
      return 2;
    }
    --end;
  }
  const bool result = by_count();
  return is_wrong ? 2 : !result;
}
