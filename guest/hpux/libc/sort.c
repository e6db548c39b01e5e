/* qsort(3C), bsearch(3C). */
#include <stdlib.h>
#include <string.h>

typedef int compare(const void*, const void*);

static void swap(char* a, char* b, size_t size) {
  for (; size != 0; --size, ++a, ++b) {
    char kept = *a;
    *a = *b;
    *b = kept;
  }
}

static void sift(char* base, size_t root, size_t count, size_t size, compare* order) {
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count) return;
    if (child + 1 < count && order(base + child * size, base + (child + 1) * size) < 0) ++child;
    if (order(base + root * size, base + child * size) >= 0) return;
    swap(base + root * size, base + child * size, size);
    root = child;
  }
}

static void heap_sort(char* base, size_t count, size_t size, compare* order) {
  for (size_t i = count / 2; i-- != 0;) sift(base, i, count, size, order);
  for (size_t i = count; i-- > 1;) {
    swap(base, base + i * size, size);
    sift(base, 0, i, size, order);
  }
}

/* Keeps equal elements in their order. `spare` has room for half of them. */
static void merge_sort(char* base, size_t count, size_t size, compare* order, char* spare) {
  if (count < 2) return;
  size_t half = count / 2;
  char *middle = base + half * size, *end = base + count * size;
  merge_sort(base, half, size, order, spare);
  merge_sort(middle, count - half, size, order, spare);
  memcpy(spare, base, half * size);
  char *left = spare, *left_end = spare + half * size, *right = middle, *to = base;
  while (left < left_end && right < end) {
    int take_right = order(right, left) < 0;
    char** from = take_right ? &right : &left;
    memcpy(to, *from, size);
    *from += size;
    to += size;
  }
  memcpy(to, left, left_end - left);
}

void qsort(void* base, size_t count, size_t size, compare* order) {
  enum { small = 1024 };
  char room[small], *spare = room;
  if (count < 2 || size == 0) return;
  size_t needed = count / 2 * size;
  if (needed > small) spare = malloc(needed);
  if (spare == NULL) {
    heap_sort(base, count, size, order);
    return;
  }
  merge_sort(base, count, size, order, spare);
  if (spare != room) free(spare);
}

void* bsearch(const void* key, const void* base, size_t count, size_t size, compare* order) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    char* element = (char*)base + middle * size;
    int sign = order(key, element);
    if (sign == 0) return element;
    if (sign < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}
