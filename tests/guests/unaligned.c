// Unaligned loads and stores at every offset, in either byte order. expected/unaligned.txt (big
// endian) and expected/unaligned-little.txt are what qemu-mips and qemu-mipsel print.
// MIPS RISC Architecture, LWL/LWR/SWL/SWR: the part of the word that the address selects moves, the
// rest of the register or of memory stays.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

uint32_t load_left(const void* address, uint32_t before);
uint32_t load_right(const void* address, uint32_t before);
void store_left(void* address, uint32_t value);
void store_right(void* address, uint32_t value);
uint32_t load_word(const void* address);
void store_word(void* address, uint32_t value);
int32_t load_half(const void* address);
uint32_t load_unsigned_half(const void* address);
void store_half(void* address, uint32_t value);

static uint8_t bytes[12] __attribute__((aligned(4)));

static void fill(void) {
  for (uint32_t i = 0; i < sizeof bytes; ++i) bytes[i] = (uint8_t)(0x80 + 0x11 * (i % 8));
}

static void show(const char* what, int offset) {
  printf("%s %d:", what, offset);
  for (size_t i = 0; i < sizeof bytes; ++i) printf(" %02x", bytes[i]);
  printf("\n");
}

int main(void) {
  for (int i = 0; i < 4; ++i) {
    fill();
    printf("lwl %d: %08x  lwr %d: %08x\n", i, load_left(bytes + i, 0x11223344), i,
           load_right(bytes + i, 0x11223344));
    printf("ulw %d: %08x  ulh %d: %08x  ulhu %d: %08x\n", i, load_word(bytes + i), i,
           (uint32_t)load_half(bytes + i), i, load_unsigned_half(bytes + i));
    store_left(bytes + 4 + i, 0x11223344);
    show("swl", i);
    fill();
    store_right(bytes + 4 + i, 0x11223344);
    show("swr", i);
    fill();
    store_word(bytes + 4 + i, 0x11223344);
    show("usw", i);
    fill();
    store_half(bytes + 4 + i, 0x11223344);
    show("ush", i);
  }
  return 0;
}
