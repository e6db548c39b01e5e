/* What the functions of search(3C) and the smaller ones of the C library compute, printed, as peer.c does. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void print_node(const void *node, VISIT visit, int level) {
  (void)level; /* how the tree is balanced is the library's own */
  if (visit == postorder || visit == leaf) printf(" %d", **(const int *const *)node);
}

static void trees(void) {
  static int numbers[100];
  void *root = NULL;
  for (int i = 0; i < 100; ++i) {
    numbers[i] = i * 37 % 101;
    tsearch(&numbers[i], &root, compare);
  }
  int wanted = 50, none = 500, two = 2;
  printf("%d %d", **(int **)tfind(&wanted, &root, compare), tfind(&none, &root, compare) == NULL);
  printf(" %d", tdelete(&two, &root, compare) != NULL);
  printf(" %d\n", tdelete(&two, &root, compare) == NULL);
  twalk(root, print_node);
  printf("\n");
}

static void tables(void) {
  static char keys[200][8];
  printf("%d\n", hcreate(300) != 0);
  for (long i = 0; i < 200; ++i) {
    sprintf(keys[i], "key%ld", i);
    if (hsearch((ENTRY){keys[i], (void *)i}, ENTER) == NULL) printf("full at %ld\n", i);
  }
  for (long i = 0; i < 200; i += 33) {
    ENTRY *found = hsearch((ENTRY){keys[i], NULL}, FIND);
    printf(" %ld", found == NULL ? -1 : (long)found->data);
  }
  printf(" %d\n", hsearch((ENTRY){"none", NULL}, FIND) == NULL);
  hdestroy();
}

static void lists(void) {
  int numbers[10] = {5, 3, 8}, wanted = 8, other = 4;
  size_t count = 3;
  printf("%d %d", (int)((int *)lfind(&wanted, numbers, &count, sizeof(int), compare) - numbers), lfind(&other, numbers, &count, sizeof(int), compare) == NULL);
  printf(" %d", (int)((int *)lsearch(&other, numbers, &count, sizeof(int), compare) - numbers));
  printf(" %d\n", (int)count);
  struct link {
    struct link *next, *before;
    int value;
  } one = {NULL, NULL, 1}, two = {NULL, NULL, 2}, three = {NULL, NULL, 3};
  insque(&one, NULL);
  insque(&three, &one);
  insque(&two, &one);
  for (struct link *each = &one; each != NULL; each = each->next) printf("%d", each->value);
  remque(&two);
  printf(" %d %d\n", one.next->value, three.before->value);
}

static void generators(void) {
  unsigned short x[3] = {1, 2, 3}, y[3] = {0x330e, 0xabcd, 0x1234}, parameters[7] = {1, 2, 3, 0xe66d, 0xdeec, 5, 11};
  srand48(1);
  printf("%ld", lrand48());
  printf(" %ld", mrand48());
  printf(" %.17g", drand48());
  printf(" %.17g", erand48(x));
  printf(" %ld", nrand48(x));
  printf(" %ld", jrand48(y));
  unsigned short *old = seed48(y);
  printf(" %x %x %x", old[0], old[1], old[2]);
  printf(" %ld", lrand48());
  lcong48(parameters);
  printf(" %ld", lrand48());
  srand48(99);
  printf(" %ld\n", lrand48());
}

static void decimals(void) {
  static const double values[] = {123.456, -0.001234, 1e20, 9.25, 5e-10, 1234567.5};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    int point, sign;
    char text[64];
    for (int digits = 1; digits <= 15; digits += 7) {
      printf("%s", ecvt(values[i], digits, &point, &sign));
      printf(" %d %d %s\n", point, sign, gcvt(values[i], digits, text));
    }
  }
  int point, sign;
  printf("%s", fcvt(123.456, 2, &point, &sign));
  printf(" %d %d ", point, sign);
  printf("%s", fcvt(-0.0625, 3, &point, &sign));
  printf(" %d %d\n", point, sign);
}

static void texts(void) {
  char *keys[] = {"ro", "size", "name", NULL}, options[] = "size=10,ro,other,name=x", *at = options, *value;
  while (*at != 0) {
    int key = getsubopt(&at, keys, &value);
    printf(" %d:%s", key, key < 0 || value == NULL ? "-" : value);
  }
  char swapped[8] = "";
  swab("abcdef", swapped, 6);
  printf("\n%s %ld %s %ld\n", swapped, a64l("zz/.1"), l64a(123456789), a64l(""));
}

static void dates(void) {
  static const char *const given[][2] = {{"2001-12-31 23:59:58", "%Y-%m-%d %H:%M:%S"}, {"Tue 5 March 1996", "%a %d %b %Y"}, {"11:30 pm 02/29/00", "%I:%M %p %D"}, {"12:05 AM", "%I:%M %p"}, {"99 100%", "%y 100%%"}, {"13:00", "%I:%M"}, {"x", "y"}, {"  7:08", "%n%R"}};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    struct tm t;
    memset(&t, 0, sizeof t);
    char *end = strptime(given[i][0], given[i][1], &t);
    if (end == NULL) {
      printf("none\n");
    } else {
      printf("%d %d %d %d:%d:%d %d\n", t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, (int)strlen(end));
    }
  }
  time_t when = 951782400;
  struct tm t;
  char text[32];
  printf("%s", asctime_r(gmtime_r(&when, &t), text));
}

int main(void) {
  trees();
  tables();
  lists();
  generators();
  decimals();
  texts();
  dates();
  return 0;
}
