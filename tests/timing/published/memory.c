// What a load takes from an array of some size, and how fast arrays are read and written: the loops
// of lmbench and 7-cpu.com in words of our own. driver.c calls them.

enum { MOST = 16 << 20 };

static char memory[MOST] __attribute__((aligned(65536)));
static void** place;

// First the next one's number, then where it is.
union element {
  long next;
  void* pointer;
};

static union element* element(long number, long stride) {
  return (union element*)(memory + number * stride);
}

// A chain of pointers through `size` bytes, one each `stride`: backward, as lat_mem_rd has it, or
// at random (Sattolo's cycle).
void link(long size, long stride, int at_random) {
  long count = size / stride;
  unsigned int number = 1;
  long i;
  for (i = 0; i < count; ++i) element(i, stride)->next = at_random ? i : (i + count - 1) % count;
  for (i = count - 1; at_random && i > 0; --i) {
    long other;
    long next = element(i, stride)->next;
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    other = (long)((unsigned long)(number >> 8) % (unsigned long)i);
    element(i, stride)->next = element(other, stride)->next;
    element(other, stride)->next = next;
  }
  for (i = 0; i < count; ++i) {
    element(i, stride)->pointer = element(element(i, stride)->next, stride);
  }
  place = (void**)memory;
}

void follow(long count) {
  void** at = place;
  for (count /= 8; count > 0; --count) {
    at = *at;
    at = *at;
    at = *at;
    at = *at;
    at = *at;
    at = *at;
    at = *at;
    at = *at;
  }
  place = at;
}

// Words of four bytes, each of them.
int read(long bytes) {
  const int* word = (const int*)memory;
  int sum = 0;
  for (bytes /= 32; bytes > 0; --bytes, word += 8) {
    sum += word[0] + word[1] + word[2] + word[3] + word[4] + word[5] + word[6] + word[7];
  }
  return sum;
}

void write(long bytes) {
  int* word = (int*)memory;
  for (bytes /= 32; bytes > 0; --bytes, word += 8) {
    word[0] = word[1] = word[2] = word[3] = word[4] = word[5] = word[6] = word[7] = 1;
  }
}

// Half of the memory at most into the other half, a word of four bytes after the other: to the
// compiler they may be the same.
void copy(long bytes) {
  const int* from = (const int*)memory;
  int* to = (int*)(memory + MOST / 2);
  for (bytes /= 32; bytes > 0; --bytes, from += 8, to += 8) {
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[3] = from[3];
    to[4] = from[4];
    to[5] = from[5];
    to[6] = from[6];
    to[7] = from[7];
  }
}
