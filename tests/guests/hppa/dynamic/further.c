/* Further functions of the C library, printed. The same source is built for the host: both must print the same. */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <grp.h>
#include <libgen.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

static char names[64][64];
static int count;

/* In the order of their names: that of a directory is anybody's. Those of a file system's own numbers are not printed. */
static void note(const char *path, const char *what, int base, int level) {
  char text[128];
  snprintf(text, sizeof text, "%.30s %s %d %d", path, what, base, level);
  snprintf(names[count++], sizeof names[0], "%.63s", text);
}
static int compare(const void *a, const void *b) { return strcmp(a, b); }
static void print_names(const char *title) {
  qsort(names, count, sizeof names[0], compare);
  printf("%s:", title);
  for (int i = 0; i < count; ++i) printf(" %s,", names[i]);
  printf("\n");
  count = 0;
}

static const char *kind_name(int kind) {
  return kind == FTW_F ? "file" : kind == FTW_D ? "directory" : kind == FTW_DP ? "behind" : kind == FTW_SL ? "link" : kind == FTW_SLN ? "dangling" : "other";
}
static int visit_old(const char *path, const struct stat *status, int kind) {
  note(path, kind == FTW_F || kind == FTW_D ? kind_name(kind) : "other", S_ISDIR(status->st_mode), 0);
  return 0;
}
static char last[64];
static int visit(const char *path, const struct stat *status, int kind, struct FTW *place) {
  note(path, kind_name(kind), place->base, place->level);
  (void)status;
  snprintf(last, sizeof last, "%.63s", path);
  return strcmp(path + place->base, "stop") == 0 ? 5 : 0;
}
static int visit_there(const char *path, const struct stat *status, int kind, struct FTW *place) {
  struct stat own;
  note(path, stat(path + place->base, &own) == 0 && own.st_ino == status->st_ino ? "here" : "not here", kind == FTW_D, place->level);
  return 0;
}

static void make(const char *path) { close(open(path, O_RDWR | O_CREAT, 0644)); }

static void trees(const char *base) {
  mkdir(base, 0755);
  chdir(base);
  mkdir("top", 0755);
  mkdir("top/a", 0755);
  mkdir("top/a/b", 0755);
  make("top/one");
  make("top/a/two");
  make("top/a/b/three");
  symlink("one", "top/link");
  symlink("nothing", "top/no");
  symlink("..", "top/a/up");
  printf("ftw %d\n", ftw("top/a/b", visit_old, 1));
  print_names("ftw");
  printf("nftw %d\n", nftw("top", visit, 3, FTW_PHYS));
  print_names("physical");
  printf("nftw %d\n", nftw("top", visit, 3, FTW_PHYS | FTW_DEPTH));
  printf("last %s\n", last);
  print_names("depth");
  printf("nftw %d\n", nftw("top", visit_there, 20, FTW_PHYS | FTW_CHDIR));
  print_names("there");
  make("top/a/b/stop");
  printf("nftw %d %s\n", nftw("top/a/b", visit, 3, FTW_PHYS), last);
  count = 0;
  printf("nftw %d\n", nftw("none", visit, 3, 0));
  DIR *directory = opendir("top/a");
  struct dirent room, *entry;
  while (readdir_r(directory, &room, &entry) == 0 && entry != NULL) note(entry->d_name, "entry", entry == &room, 0);
  closedir(directory);
  print_names("readdir_r");
}

static void options(const char *letters, int is_only, int size, ...) {
  static int flag;
  static const struct option all[] = {{"all", no_argument, NULL, 'a'},     {"almost", no_argument, NULL, 'A'},
                                      {"size", required_argument, NULL, 's'}, {"color", optional_argument, NULL, 'c'},
                                      {"flag", no_argument, &flag, 7},      {0, 0, 0, 0}};
  char *arguments[12] = {"program"};
  __builtin_va_list given;
  __builtin_va_start(given, size);
  for (int i = 1; i < size; ++i) arguments[i] = __builtin_va_arg(given, char *);
  __builtin_va_end(given);
  optind = flag = opterr = 0;
  printf("options %s:", letters);
  for (int i = 0; i < 14; ++i) {
    int index = -1;
    optarg = NULL;
    const int result = (is_only ? getopt_long_only : getopt_long)(size, arguments, letters, all, &index);
    if (result == '?') {
      printf(" ?"); /* index and optarg are anything then */
      continue;
    }
    printf(" %d/%d/%s", result, index, optarg == NULL ? "-" : optarg);
    if (result == -1) break;
  }
  printf(" flag %d at %d:", flag, optind);
  for (int i = 1; i < size; ++i) printf(" %s", arguments[i]);
  printf("\n");
}

static void long_options(void) {
  options("abs:c::", 0, 7, "one", "--all", "two", "-b", "--size=5", "three");
  options("abs:c::", 0, 7, "--size", "7", "--flag", "--", "--all", "x");
  options("+abs:c::", 0, 5, "-ab", "one", "--all", "-s4");
  options("-abs:c::", 0, 5, "one", "-s", "4", "two");
  options(":abs:c::", 0, 4, "--al", "--si", "3");
  options("abs:c::", 0, 6, "--color", "--color=red", "-cblue", "-c", "end");
  options("abs:c::", 0, 4, "--nothing", "--all=3", "--size");
  options("abs:c::", 1, 6, "-all", "-size", "4", "-b", "-flag");
  options("abs:", 0, 1);
}

static void words(const char *text, int flags) {
  wordexp_t all = {0};
  const int result = wordexp(text, &all, flags);
  printf("wordexp %s: %s", text, result == 0 ? "ok" : result == WRDE_BADCHAR ? "character" : result == WRDE_CMDSUB ? "command" : result == WRDE_SYNTAX ? "syntax" : "other");
  if (result == 0) {
    for (size_t i = 0; i < all.we_wordc; ++i) printf(" <%s>", all.we_wordv[i]);
    printf(" %d", all.we_wordv[all.we_wordc] == NULL);
    wordfree(&all);
  }
  printf("\n");
}

static void expansions(void) {
  setenv("fruit", "apple pear", 1);
  setenv("fruit", "none", 0);
  words("a 'b c' \"d e\" f\\ g", 0);
  words("$fruit \"$fruit\" ${fruit}s", 0);
  words("$((3 * 4))", 0);
  words("top/a/t*", 0);
  words("a | b", 0);
  words("a;b", 0);
  words("(a)", 0);
  words("'a", 0);
  words("$(echo x)", WRDE_NOCMD);
  words("", 0);
  wordexp_t all = {.we_offs = 2};
  wordexp("one", &all, WRDE_DOOFFS);
  wordexp("two three", &all, WRDE_DOOFFS | WRDE_APPEND);
  printf("appended %d:", (int)all.we_wordc);
  for (size_t i = 0; i < all.we_offs + all.we_wordc; ++i) printf(" %s", all.we_wordv[i] == NULL ? "null" : all.we_wordv[i]);
  printf("\n");
  wordfree(&all);
}

static void wide(void) {
  mbstate_t state;
  memset(&state, 0, sizeof state);
  wchar_t text[8];
  const char *from = "abc";
  printf("mbsrtowcs %d", (int)mbsrtowcs(text, &from, 8, &state));
  printf(" %d %d", from == NULL, (int)text[2]);
  const wchar_t *back = text;
  char bytes[8];
  printf(" %d", (int)wcsrtombs(bytes, &back, 2, &state));
  printf(" %d\n", (int)(back - text));
  wchar_t c = 0;
  printf("mbrtowc %d", (int)mbrtowc(&c, "x", 1, &state));
  printf(" %d %d %d %d\n", (int)c, (int)mbrlen("", 1, &state), mbsinit(&state), (int)wcrtomb(bytes, L'y', &state));
  printf("btowc %d %d %d %d\n", (int)btowc('a'), (int)btowc(EOF), wctob(L'b'), wctob(0x1234));
  wmemset(text, L'q', 5);
  wmemcpy(text + 1, L"rs", 2);
  wmemmove(text + 2, text + 1, 3);
  printf("wmem %d %d %d %d\n", (int)text[2], (int)text[4], (int)(wmemchr(text, L's', 8) - text), wmemcmp(text, text + 2, 1) < 0);
  wchar_t *end;
  printf("wcstoll %lld %llu %d\n", wcstoll(L"-12345678901234 ", &end, 10), wcstoull(L"0xffffffffffffffff", NULL, 0), (int)wcstof(L"1.5", NULL));
  wchar_t other[4];
  printf("wcsxfrm %d\n", (int)wcsxfrm(other, L"ab", 4));
}

static void numbers(void) {
  static const char *const texts[] = {"1.1", "3.4028235e38", "3.4028236e38", "1e39", "1.4e-45", "7e-46", "7.1e-46", "-1e-50", "16777217", "16777219", "1.1754943e-38", "inf", "-nan"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) printf("strtof %s %a\n", texts[i], (double)(i == 12 ? 0 : strtof(texts[i], NULL)));
  const lldiv_t parts = lldiv(-12345678901234ll, 1000);
  printf("lldiv %lld %lld %lld %lld\n", parts.quot, parts.rem, llabs(-5000000000ll), atoll(" -9000000000x"));
  char a[] = "/usr/lib/", b[] = "/", c[] = "name", d[] = "/usr//x/";
  printf("basename %s", basename(a));
  printf(" %s %s %s", basename(b), basename(c), basename(NULL));
  printf(" dirname %s %s %s\n", dirname(d), dirname(c), dirname(NULL));
  printf("variables %d %d", setenv("A=b", "c", 1), unsetenv("fruit"));
  printf(" %d", getenv("fruit") == NULL);
  printf(" %d\n", setenv("fruit", "plum", 0));
  printf("variables %s\n", getenv("fruit"));
}

static void addresses(void) {
  static const char *const texts[] = {"127.0.0.1", "10.1", "255.255.255.255", "1.2.3.256", "x", "0x7f.1"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
    struct in_addr in = {0};
    const int result = inet_aton(texts[i], &in);
    const unsigned char *byte = (const unsigned char *)&in;
    printf("inet_aton %s %d %d.%d.%d.%d", texts[i], result, byte[0], byte[1], byte[2], byte[3]);
    printf(" %lx %lx", (unsigned long)inet_netof(in), (unsigned long)inet_lnaof(in));
    printf(" %s\n", inet_ntoa(inet_makeaddr(inet_netof(in), inet_lnaof(in))));
  }
}

static void accounts(void) {
  FILE *file = fopen("users", "w+");
  fprintf(file, "root:x:0:1:Super:/:/bin/sh\nuser:y:5:6::/home:\n");
  rewind(file);
  struct passwd *entry = fgetpwent(file);
  printf("fgetpwent %s %d %d %s %s %s\n", entry->pw_name, (int)entry->pw_uid, (int)entry->pw_gid, entry->pw_gecos, entry->pw_dir, entry->pw_shell);
  entry = fgetpwent(file);
  fseek(file, 0, SEEK_CUR);
  printf("putpwent %d\n", putpwent(entry, file));
  fseek(file, 0, SEEK_CUR);
  printf("fgetpwent %d\n", fgetpwent(file) == NULL);
  rewind(file);
  char line[80] = "";
  while (fgets(line, sizeof line, file) != NULL) printf("line %s", line);
  fclose(file);
  file = fopen("users", "w+");
  fprintf(file, "lp:*:5:one,two\n");
  rewind(file);
  struct group *group = fgetgrent(file);
  printf("fgetgrent %s %d %s %s\n", group->gr_name, (int)group->gr_gid, group->gr_mem[0], group->gr_mem[1]);
  fclose(file);
  struct passwd room, *result;
  char bytes[512];
  printf("getpwnam_r %d", getpwnam_r("root", &room, bytes, sizeof bytes, &result));
  printf(" %s %d\n", result->pw_name, (int)result->pw_uid);
  printf("getpwuid_r %d", getpwuid_r(0, &room, bytes, 3, &result) != 0);
  printf(" %d\n", result == NULL);
  printf("getpwnam_r %d", getpwnam_r("nobody's", &room, bytes, sizeof bytes, &result));
  printf(" %d\n", result == NULL);
  struct group group_room, *group_result;
  printf("getgrgid_r %d", getgrgid_r(0, &group_room, bytes, sizeof bytes, &group_result));
  printf(" %s %d\n", group_result->gr_name, (int)group_result->gr_gid);
}

static void files(void) {
  int file = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
  char bytes[8] = "";
  printf("pwrite %d", (int)pwrite(file, "hello", 5, 3));
  printf(" %d %s %d\n", (int)pread(file, bytes, 4, 4), bytes, (int)lseek(file, 0, SEEK_CUR));
  close(file);
  FILE *stream = fopen("data", "r+");
  flockfile(stream);
  fseek(stream, 3, SEEK_SET);
  printf("unlocked %c %d", getc_unlocked(stream), ftrylockfile(stream));
  funlockfile(stream);
  fseek(stream, 0, SEEK_CUR);
  printf(" %c\n", putc_unlocked('z', stream));
  fclose(stream);
}

int main(int argc, char **argv) {
  trees(argc < 2 ? "further" : argv[1]);
  long_options();
  expansions();
  wide();
  numbers();
  addresses();
  accounts();
  files();
  return 0;
}
