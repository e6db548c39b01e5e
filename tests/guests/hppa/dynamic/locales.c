/* Locales and their sets of characters, printed. The host has them in UTF-8 alone: there classes of bytes are
 * those of what the bytes mean in Unicode. */
#include <ctype.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#if defined __hppa__ || defined __ia64__
enum { is_hpux = 1, LC_ALL = 0, LC_CTYPE = 2 };
char *setlocale(int, const char *);
#else
#include <locale.h>
enum { is_hpux = 0 };
#endif

typedef int classifier(wint_t);
static classifier *const wide[] = {iswalnum, iswalpha, iswcntrl, iswdigit, iswgraph, iswlower, iswprint, iswpunct, iswspace, iswupper, iswxdigit};
static int (*const narrow[])(int) = {isalnum, isalpha, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit};
enum { kinds = sizeof wide / sizeof *wide };

static int wide_classes(unsigned c) {
  int classes = 0;
  for (int i = 0; i < kinds; ++i) classes |= wide[i](c) ? 1 << i : 0;
  return classes;
}

static int narrow_classes(int c) {
  int classes = 0;
  for (int i = 0; i < kinds; ++i) classes |= narrow[i](c) ? 1 << i : 0;
  return classes;
}

/* What the byte means, and back; 0 is nothing. */
static unsigned meaning_of(const char *set, unsigned char byte) {
  char from[] = {byte}, to[8] = "", *in = from, *out = to;
  size_t left = 1, room = sizeof to;
  wchar_t c = 0;
  iconv_t conversion = iconv_open("UTF-8", set);
  if (iconv(conversion, &in, &left, &out, &room) != 0) return 0;
  iconv_close(conversion);
  return mbtowc(&c, to, 8) > 0 ? c : 0;
}

static int byte_of(const char *set, unsigned c) {
  for (int byte = 128; byte < 256; ++byte) {
    if (meaning_of(set, byte) == c) return byte;
  }
  return 0;
}

static int other_case(const char *set, int byte, int to_upper) {
  if (is_hpux) return to_upper ? toupper(byte) : tolower(byte);
  const unsigned c = meaning_of(set, byte), other = c == 0 ? 0 : to_upper ? towupper(c) : towlower(c);
  const int made = other == 0 ? 0 : byte_of(set, other);
  return made == 0 ? byte : made;
}

static void bytes(const char *locale, const char *set) {
  if (is_hpux && setlocale(LC_ALL, locale) == NULL) printf("no %s\n", locale);
  for (int byte = 128; byte < 256; ++byte) {
    const unsigned c = is_hpux ? 0 : meaning_of(set, byte);
    printf("%s %x: %x %x %x\n", set, byte, is_hpux ? narrow_classes(byte) : c == 0 ? 0 : wide_classes(c), other_case(set, byte, 0), other_case(set, byte, 1));
  }
}

static void print_bytes(const char *text) {
  for (; *text != 0; ++text) printf("%02x", (unsigned char)*text);
  printf("\n");
}

static void characters(void) {
  static const char *const given[] = {"h\303\251llo \342\202\254", "\303", "\300\200", "\360\237\230\200", "\355\240\200"};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    wchar_t made[16];
    char back[32];
    const size_t count = mbstowcs(made, given[i], 16);
    printf("%d %d", (int)count, mblen(given[i], 4));
    for (size_t at = 0; count != (size_t)-1 && at < count; ++at) printf(" %x", (unsigned)made[at]);
    printf("\n");
    if (count == (size_t)-1) continue;
    printf("%d ", (int)wcstombs(back, made, sizeof back));
    print_bytes(back);
    printf("[%ls] [%10ls] [%.3ls] [%lc]\n", made, made, made, (wint_t)made[0]);
  }
  wchar_t text[20];
  printf("%d", swprintf(text, 20, L"%d\351%ls", 42, L"\x20ac"));
  printf(" %x %x\n", (unsigned)text[2], (unsigned)text[3]);
  printf("%d\n", swprintf(text, 3, L"%d", 4242));
  FILE *file = tmpfile();
  fputws(L"a\351\x20ac\n", file);
  rewind(file);
  for (wint_t c; (c = fgetwc(file)) != WEOF;) printf(" %x", (unsigned)c);
  printf("\n");
  fclose(file);
}

int main(void) {
  printf("%s\n", setlocale(LC_ALL, NULL));
  printf("%d\n", setlocale(LC_ALL, "no_SUCH.set") == NULL);
  if (is_hpux) {
    for (int i = 128; i < 256; ++i) {
      if (narrow_classes(i) != 0 || wide_classes(i) != 0) printf("C has %x\n", i);
    }
  }
  printf("%s\n", setlocale(LC_CTYPE, "C.utf8"));
  for (unsigned c = 0x80; c < 0x100; ++c) printf("%x: %x %x %x\n", c, wide_classes(c), towlower(c), towupper(c));
  for (unsigned c = 0x410; c < 0x450; ++c) printf("%x: %x %x %x\n", c, wide_classes(c), towlower(c), towupper(c));
  characters();
  bytes("en_US.iso88591", "ISO8859-1");
  bytes("de_DE.roman8", "HP-ROMAN8");
  printf("%s\n", setlocale(LC_ALL, "C"));
  return 0;
}
