/* What a C library computes, printed. The same source is built for the host: both must print the
 * same. */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <iconv.h>
#include <regex.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static unsigned long long random_state = 88172645463325252ull;

static unsigned long long next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static double double_of_bits(unsigned long long bits) {
  union {
    unsigned long long bits;
    double number;
  } u;
  u.bits = bits;
  return u.number;
}

static unsigned long long bits_of(double number) {
  union {
    double number;
    unsigned long long bits;
  } u;
  u.number = number;
  return u.bits;
}

static int is_finite(double d) { return (bits_of(d) >> 52 & 0x7ff) != 0x7ff; }

static void print_double(double d) {
  printf("%e %.0e %.17g %g %G %#g %.3g", d, d, d, d, d, d, d);
  printf(" %.20e %+.3E|%a %.3a %.0a|%-30.4e|%030.2e|% g\n", d, d, d, d, d, d, d, d);
  printf("%f|%.0f|%#.0f|%.15f|%+20.2f|%-20.1f|%020.3f\n", d, d, d, d, d, d, d);
}

static void print_doubles(void) {
  static const double given[] = {0.0, -0.0, 1.0, -1.5, 0.1, 0.5, 1.5, 2.5, 0.25, 9.995, 99.5, 999998.5,
                                 1e5, 1e6, 1e21, 1e22, 1e23, 123456789.0, 1e-4, 1e-5, 5e-324, 2.2250738585072014e-308,
                                 1.7976931348623157e308, 0.0001, 0.00012345, 3.141592653589793, 1.0 / 3};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) print_double(given[i]);
  for (int i = 0; i < 60; ++i) {
    double d = double_of_bits(next_random());
    if (is_finite(d)) print_double(d);
  }
  double large = 1e308;
  printf("%f %F %e %G %10g|%-8f|%010f\n", large * 10, large * 10, -large * 10, large * 10, large * 10, -large * 10, large * 10);
}

static void print_wholes(void) {
  static const int given[] = {0, 1, -1, 7, 42, -32768, 65535, 2147483647, -2147483647 - 1};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    int n = given[i];
    printf("%d|%i|%u|%o|%x|%X|%#o|%#x|%5d|%-5d|%05d|%+d|% d|%.0d|%.8d|%8.3d|%-8.3x|\n", n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
    printf("%hd|%hhd|%hu|%hhu|%*d|%-*d|%.*d|\n", n, n, n, n, 12, n, 12, n, 5, n);
  }
  for (int i = 0; i < 20; ++i) {
    long long n = next_random();
    printf("%lld %llu %llx %llo %24lld|%-24llx|%024lld\n", n, n, n, n, n, n, n);
  }
  printf("%c|%5c|%-5c|%s|%10s|%-10s|%.2s|%10.3s|%%|\n", 'a', 'b', 'c', "text", "text", "text", "text", "text");
  printf("%2$s %1$s %2$s|%3$*4$d|%1$.2s\n", "one", "two", 3, 6);
  int count = -1;
  printf("four%n\n", &count);
  char small[8];
  printf("%d %d|%s|\n", count, snprintf(small, sizeof small, "%d and more", 12345), small);
}

static void read_doubles(void) {
  static const char *const given[] = {
      "0", "-0", "1", "1.5", ".5", "5.", "1e3", "1E-3", "+2.5", "  7", "1e", "1e+", "0x", "inf", "-INFINITY", "1e400", "-1e400", "1e-400",
      "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "1.7976931348623158e308",
      "1.7976931348623159e308", "9007199254740993", "9007199254740992.99999999999999999999999999999", "0.1", "123456789012345678901234567890",
      "8.5e22", "9.5e22", "1.00000000000000011102230246251565404236316680908203125", "1.00000000000000011102230246251565404236316680908203126", "abc", "."};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    char *end;
    double value = strtod(given[i], &end);
    printf("%s: %016llx %d\n", given[i], bits_of(value), (int)(end - given[i]));
  }
  for (int i = 0; i < 150; ++i) {
    char text[80];
    int digits = next_random() % 25 + 1, length = 0;
    for (int k = 0; k < digits; ++k) text[length++] = '0' + next_random() % 10;
    sprintf(text + length, "e%d", (int)(next_random() % 640) - 340);
    printf("%s %016llx\n", text, bits_of(strtod(text, NULL)));
  }
  for (int i = 0; i < 60; ++i) { /* halfway between neighbours, and back */
    double d = double_of_bits(next_random() & 0x7fefffffffffffffull);
    char text[900];
    sprintf(text, "%.17g", d);
    printf("%d ", bits_of(strtod(text, NULL)) == bits_of(d));
  }
  printf("\n");
}

static void read_wholes(void) {
  static const char *const given[] = {"0", "12", "-12", "  +7x", "0x1f", "0X1F", "017", "08", "z", "", "-", "0x", "99999"};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    for (int base = 0; base <= 36; base += base == 0 ? 8 : base == 8 ? 2 : base == 10 ? 6 : 20) {
      char *end;
      int value = strtol(given[i], &end, base);
      printf("%s/%d: %d %d %d\n", given[i], base, value, (int)(end - given[i]), (int)strtoul(given[i], NULL, base));
    }
  }
  printf("%d %d\n", atoi(" 99 bottles"), (int)atol("-5"));
}

static void scan(void) {
  int a = -1, b = -1, n = -1;
  unsigned u = 0;
  short h = -1;
  long long l = -1;
  double d = -1;
  float f = -1;
  char word[32] = "", set[32] = "", c = '?';
  int got = sscanf(" 12 -7,0x1f;abc [x-y] 3.25e1 9 q", "%d%d,%x;%s [%[^]]] %lf %f %c%n", &a, &b, &u, word, set, &d, &f, &c, &n);
  printf("%d %d %d %u %s %s %g %g %c %d\n", got, a, b, u, word, set, d, f, c, n);
  got = sscanf("077 077 99999999999 31", "%i %o %lld %2hd", &a, &u, &l, &h);
  printf("%d %d %u %lld %d\n", got, a, u, l, h);
  got = sscanf("12345", "%2d%*1d%d", &a, &b);
  printf("%d %d %d\n", got, a, b);
  printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("50%", "%d%%", &a));
  printf("%d %d\n", sscanf("a-b", "%[a-c]", word), sscanf("]]a", "%[]]%c", set, &c));
  printf("%s %s %c\n", word, set, c);
}

struct pair {
  int key, order;
};

static int compare(const void *a, const void *b) { return ((const struct pair *)a)->key - ((const struct pair *)b)->key; }

static void sort(void) {
  static struct pair pairs[400];
  for (int i = 0; i < 400; ++i) pairs[i] = (struct pair){(int)(next_random() % 50), i};
  qsort(pairs, 400, sizeof *pairs, compare);
  for (int i = 0; i < 400; i += 7) printf("%d:%d ", pairs[i].key, pairs[i].order);
  struct pair wanted = {25, 0}, *found = bsearch(&wanted, pairs, 400, sizeof *pairs, compare);
  printf("%d\n", found == NULL ? -1 : found->key);
}

static int sign(int n) { return n < 0 ? -1 : n > 0; }

static void strings(void) {
  char text[64], other[64];
  strcpy(text, "hello");
  strcat(text, ", world");
  printf("%s %d %s %s %s\n", text, (int)strlen(text), strchr(text, 'o'), strrchr(text, 'o'), strstr(text, "wor"));
  strncpy(other, text, 5);
  other[5] = 0;
  strncat(other, "!!!!", 2);
  printf("%s %d %d %d\n", other, sign(strcmp("a", "b")), sign(strncmp("abc", "abd", 2)), sign(memcmp("\200", "\1", 1)));
  printf("%d %d %s\n", (int)strspn("aabbc", "ab"), (int)strcspn("aabbc", "c"), strpbrk("xyz", "zy"));
  memmove(text + 1, text, 10);
  printf("%.13s %d\n", text, memchr(text, 'w', 13) != NULL);
  char list[] = ",a,,b;c";
  for (char *t = strtok(list, ",;"); t != NULL; t = strtok(NULL, ",;")) printf("<%s>", t);
  for (int c = 0; c < 128; ++c) {
    printf("%x", !!isalpha(c) + 2 * !!isdigit(c) + 4 * !!isspace(c) + 8 * !!ispunct(c));
    printf("%x", !!iscntrl(c) + 2 * !!isupper(c) + 4 * !!isxdigit(c) + 8 * (toupper(tolower(c)) == c));
  }
  printf("\n");
  for (size_t size = 0; size < 40; ++size) { /* every alignment */
    char from[80], to[80];
    for (int i = 0; i < 80; ++i) from[i] = 'A' + i % 26, to[i] = '.';
    memcpy(to + size % 5, from + size % 7, size);
    memset(to + 60 + size % 3, '#', size % 12);
    printf("%.80s\n", to);
  }
}

static void times_of_day(void) {
  static const int given[] = {0, 86399, 951782400, 1000000000, 825379200, 2147483647, -1, -86401};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    time_t t = given[i];
    char text[200];
    struct tm parts = *gmtime(&t);
    strftime(text, sizeof text, "%a %A %b %B %d %e %H %I %j %m %M %p %S %U %w %W %y %Y %D %T %R %C %u %%", &parts);
    printf("%s|%s", text, asctime(&parts));
    parts.tm_isdst = -1;
    printf("%d\n", (int)mktime(&parts));
  }
  struct tm odd = {.tm_year = 99, .tm_mon = 13, .tm_mday = 40, .tm_hour = -5, .tm_isdst = -1};
  int seconds = mktime(&odd);
  printf("%d %d %d\n", seconds, odd.tm_mon, odd.tm_mday);
}

static void streams(const char *name) {
  FILE *f = fopen(name, "w+");
  for (int i = 0; i < 3000; ++i) fprintf(f, "line %d\n", i);
  printf("%d", (int)ftell(f));
  fseek(f, -9, SEEK_END);
  char line[40];
  printf(" %s", fgets(line, sizeof line, f));
  rewind(f);
  int sum = 0, c;
  while ((c = getc(f)) != EOF) sum += c;
  printf("%d %d %d\n", sum, feof(f) != 0, ferror(f) != 0);
  fseek(f, 5, SEEK_SET);
  putc('X', f);
  fseek(f, 0, SEEK_SET);
  printf("%s", fgets(line, sizeof line, f));
  c = getc(f);
  ungetc('#', f);
  printf("%c%c", c, getc(f));
  printf("%d\n", fscanf(f, "ine %d", &c) == 1 ? c : -1);
  fclose(f);
  f = fopen(name, "a");
  fputs("end\n", f);
  fclose(f);
  f = fopen(name, "r");
  fseek(f, -4, SEEK_END);
  char bytes[8] = "";
  printf("%d", (int)fread(bytes, 1, 8, f));
  printf(" %s", bytes);
  printf("%d\n", fputc('x', f));
  fclose(f);
  printf("%d", remove(name));
  printf(" %d\n", fopen(name, "r") == NULL);
}

static void jumps(void) {
  static jmp_buf place;
  volatile double kept = 2.5;
  volatile int turns = 0;
  int value = setjmp(place);
  printf("%d %g\n", value, kept * ++turns);
  if (turns < 3) longjmp(place, turns == 1 ? 0 : 7);
}

static void heap(void) {
  static char *block[200];
  unsigned wrong = 0;
  for (int turn = 0; turn < 4000; ++turn) {
    int i = next_random() % 200, size = next_random() % 3000;
    if (block[i] != NULL && block[i][0] != (char)i) ++wrong;
    if (next_random() % 3 == 0) {
      free(block[i]);
      block[i] = NULL;
      continue;
    }
    block[i] = realloc(block[i], size + 1);
    memset(block[i], i, size + 1);
  }
  char *zeros = calloc(50, 20);
  for (int i = 0; i < 1000; ++i) wrong += zeros[i] != 0;
  free(zeros);
  printf("wrong %u\n", wrong);
}

static void last(void) { printf("last\n"); }
static void first(void) { printf("first\n"); }

static void print_wide(void) {
  wchar_t text[32], copy[32], *rest, *end;
  char bytes[32] = "";
  size_t count = mbstowcs(text, "one, two;three", 32);
  printf("%d %d %d %ls|%10.3ls|%S\n", (int)count, (int)wcslen(text), (int)wcstombs(bytes, text, 32), text, text, text);
  printf("%s %d %d\n", bytes, (int)mbstowcs(copy, "abcdef", 3), mblen("x", 1));
  wcscpy(copy, L"abc");
  wcsncat(copy, L"defgh", 3);
  printf("%ls %d %d %d\n", copy, wcscmp(copy, L"abd") < 0, wcsncmp(copy, L"abd", 2), (int)(wcsstr(copy, L"cd") - copy));
  printf("%d %d %d\n", (int)(wcschr(copy, L'd') - copy), (int)(wcsrchr(text, L'e') - text), (int)wcscspn(text, L",;"));
  for (wchar_t *word = wcstok(text, L", ;", &rest); word != NULL; word = wcstok(NULL, L", ;", &rest)) printf("[%ls]", word);
  long number = wcstol(L"-123x", &end, 10);
  printf("%ld %ls ", number, end);
  int length = swprintf(copy, 32, L"%d %s %ls", 7, "narrow", L"wide");
  printf("%d %ls ", length, copy);
  printf("%d\n", swprintf(copy, 3, L"%s", "too long"));
  for (int c = 0; c < 128; ++c) {
    printf("%d%d%d%d", iswalpha(c) != 0, iswspace(c) != 0, iswpunct(c) != 0, (int)towupper(c));
  }
  printf("\n");
}

static void match(const char *pattern, int flags, const char *text) {
  regex_t expression;
  regmatch_t found[4];
  int error = regcomp(&expression, pattern, flags);
  printf("%s %d %s: ", pattern, flags, text);
  if (error != 0) {
    printf("wrong %d\n", regerror(error, NULL, NULL, 0) > 1);
    return;
  }
  error = regexec(&expression, text, 4, found, 0);
  printf("%d groups, %s", (int)expression.re_nsub, error == REG_NOMATCH ? "no" : error == 0 ? "yes" : "error");
  for (int i = 0; error == 0 && i < 4; ++i) printf(" %d-%d", (int)found[i].rm_so, (int)found[i].rm_eo);
  printf(" %d\n", regexec(&expression, text, 0, NULL, REG_NOTBOL | REG_NOTEOL) == 0);
  regfree(&expression);
}

static void expressions(void) {
  static const char *const basic[] = {"a*b", "\\(a*\\)\\1", "^abc$", "[[:digit:]]\\{2,3\\}", "a\\+", "[^]a-c]", "x*", "\\(", "[b-", "*a", "\\.c"};
  static const char *const extended[] = {"(a|ab)(c|bcd)(d*)", "a+b?c{1,2}", "^(a|b)*$", "[[:upper:]]+", "([a-z]+)-([0-9]+)", "a||b", "(", "a{2,1}",
                                         "()", "^$", "x|(y)|z", ".*(ab|b)"};
  static const char *const texts[] = {"abcd", "aab", "", "XYab-123", "b]c.c", "aaaa", "y", "aabbcc"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    for (size_t k = 0; k < sizeof basic / sizeof *basic; ++k) match(basic[k], 0, texts[i]);
    for (size_t k = 0; k < sizeof extended / sizeof *extended; ++k) {
      match(extended[k], REG_EXTENDED, texts[i]);
      match(extended[k], REG_EXTENDED | REG_ICASE, texts[i]);
    }
  }
  match("^b", REG_NEWLINE, "a\nb");
  match("a.b", REG_NEWLINE, "a\nb");
}

static void patterns(void) {
  static const char *const given[] = {"*", "a*", "?b", "[a-c]*", "[!a]*", "*.c", "a/*", "*/b", "\\*", "[[:alpha:]]*", "", "[", "*a*b*", ".*"};
  static const char *const names[] = {"", "a", "ab", ".c", "x.c", "a/b", "*", "a/.b", "[", "xaxbx"};
  static const int flags[] = {0, FNM_PATHNAME, FNM_PERIOD, FNM_NOESCAPE, FNM_PATHNAME | FNM_PERIOD};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
      for (size_t f = 0; f < sizeof flags / sizeof *flags; ++f) printf("%d", fnmatch(given[i], names[k], flags[f]) != 0);
    }
    printf(" %s\n", given[i]);
  }
}

static void print_paths(const char *pattern, int flags) {
  glob_t paths;
  int result = glob(pattern, flags, NULL, &paths);
  printf("%s %d:", pattern, result == GLOB_NOMATCH ? -1 : result);
  for (size_t i = 0; result == 0 && i < paths.gl_pathc; ++i) printf(" %s", paths.gl_pathv[i]);
  printf(result == 0 ? " %d\n" : "\n", result == 0 && paths.gl_pathv[paths.gl_pathc] == NULL);
  if (result == 0) globfree(&paths);
}

static void paths_of(const char *base) {
  static const char *const names[] = {"b.c", "a.c", ".hidden", "x"};
  char directory[200], path[256];
  sprintf(directory, "%s.d", base);
  mkdir(directory, 0755);
  for (int i = 0; i < 4; ++i) {
    sprintf(path, "%s/%s", directory, names[i]);
    fclose(fopen(path, "w"));
  }
  if (chdir(directory) != 0) printf("no directory\n");
  mkdir("inner", 0755);
  fclose(fopen("inner/z.c", "w"));
  print_paths("*", 0);
  print_paths("*", GLOB_MARK);
  print_paths("*.c", 0);
  print_paths("*/*.c", 0);
  print_paths("[ax]*", 0);
  print_paths(".h*", 0);
  print_paths("none*", 0);
  print_paths("none*", GLOB_NOCHECK);
  print_paths("inner/./z.?", 0);
  remove("inner/z.c");
  remove("inner");
  for (int i = 0; i < 4; ++i) remove(names[i]);
  if (chdir("..") != 0) printf("no way back\n");
  sprintf(path, "%s.d", strrchr(base, '/') == NULL ? base : strrchr(base, '/') + 1);
  printf("%d\n", remove(path));
}

static void convert(const char *from, const char *to, const char *text, size_t length, size_t room) {
  char bytes[1024], *in = (char *)text, *out = bytes;
  size_t left = length;
  iconv_t conversion = iconv_open(to, from);
  errno = 0;
  size_t result = iconv(conversion, &in, &left, &out, &room);
  const char *error = result != (size_t)-1 ? "done" : errno == EILSEQ ? "EILSEQ" : errno == EINVAL ? "EINVAL" : errno == E2BIG ? "E2BIG" : "other";
  printf("%s %s %s %d %d:", from, to, error, (int)left, (int)room);
  for (const char *each = bytes; each < out; ++each) printf("%02x", (unsigned char)*each);
  printf(" %d\n", iconv_close(conversion));
}

static void conversions(void) {
  static const char *const sets[] = {"ISO8859-1", "HP-ROMAN8", "UTF-8", "ASCII"};
  char all[256];
  for (int i = 0; i < 256; ++i) all[i] = i;
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      convert(sets[from], sets[to], all, 255, sizeof(char[1000]));
      /* glibc takes bytes from 0xf5 on as those of an older UTF-8. */
      for (int i = 128; i < (from == 2 ? 0xf5 : 255); ++i) convert(sets[from], sets[to], all + i, 1, 8);
    }
  }
  static const char *const utf_8[] = {"\303\251", "\303", "\300\200", "\355\240\200", "\360\237\230\200", "\360\237", "\342\202\254x", "e\303\251"};
  for (size_t i = 0; i < sizeof utf_8 / sizeof *utf_8; ++i) {
    for (int to = 0; to < 4; ++to) convert("UTF-8", sets[to], utf_8[i], strlen(utf_8[i]), i == 7 && to < 3 ? 1 : 8);
  }
  printf("%d\n", iconv_open("UTF-8", "no-such-set") == (iconv_t)-1 && errno == EINVAL);
}

static void addresses(void) {
  static const char *const given[] = {"127.0.0.1", "1.2.3", "256.1.1.1", "::", "::1", "fe80::1:2", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::2::3", "x", "01.2.3.4", "2001:db8:0:0:1:0:0:1"};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    unsigned char bytes[16];
    char text[64];
    int is_4 = inet_pton(AF_INET, given[i], bytes);
    printf("%s %d", given[i], is_4);
    if (is_4 == 1) printf(" %s", inet_ntop(AF_INET, bytes, text, sizeof text));
    int is_6 = inet_pton(AF_INET6, given[i], bytes);
    printf(" %d", is_6);
    if (is_6 == 1) printf(" %s %d", inet_ntop(AF_INET6, bytes, text, sizeof text), inet_ntop(AF_INET6, bytes, text, 2) == NULL);
    printf("\n");
  }
}

int main(int count, char **arguments) {
  atexit(last);
  atexit(first);
  print_doubles();
  print_wholes();
  read_doubles();
  read_wholes();
  scan();
  print_wide();
  sort();
  strings();
  times_of_day();
  streams(count > 1 ? arguments[1] : "file");
  jumps();
  heap();
  expressions();
  patterns();
  paths_of(count > 1 ? arguments[1] : "file");
  conversions();
  addresses();
  return 7;
}
