/* Part 2: which counter a pc belongs to, by the rules of this system, in the addresses of the case.
   Only 32-bit arithmetic: products are made of the halves of their factors. */

#undef REGIONS /* a test includes this part once for each system */
#if WORD == 0xffffUL
#define REGIONS 1
#else
#define REGIONS 64
#endif

struct region {
  unsigned long base;   /* a real address */
  unsigned long size;   /* bytes */
  unsigned long offset; /* of the case */
  unsigned long scale;
};

struct call {
  int name;  /* 0: no call has been made */
  int width; /* of a counter: 2, 4 or 8 bytes */
  int count; /* of regions */
  struct region regions[REGIONS];
  long profcnt; /* pcsample: the number of samples */
  unsigned int flags;
  int profp, tvp; /* POINTER_... */
};
#define PROFIL 1
#define SPROFIL 2
#define PCSAMPLE 3
#define POINTER_VALID 0
#define POINTER_NULL 1
#define POINTER_BAD 2

/* a * b >> shift, for 32-bit factors and a shift from 1 to 31; `is_over`: more than 32 bits. */
unsigned long scaled(unsigned long a, unsigned long b, int shift, int* is_over) {
  unsigned long a1 = a >> 16 & 0xffff, a0 = a & 0xffff, b1 = b >> 16 & 0xffff, b0 = b & 0xffff;
  unsigned long middle = (a0 * b0 >> 16 & 0xffff) + (a1 * b0 & 0xffff) + (a0 * b1 & 0xffff);
  unsigned long low = (middle << 16 | (a0 * b0 & 0xffff)) & 0xffffffffUL;
  unsigned long high =
      a1 * b1 + (a1 * b0 >> 16 & 0xffff) + (a0 * b1 >> 16 & 0xffff) + (middle >> 16);
  high &= 0xffffffffUL;
  *is_over = high >> shift != 0;
  return (high << (32 - shift) | low >> shift) & 0xffffffffUL;
}

/* Takes every pc that no other region has: sprofil(2). */
int is_overflow_bin(const struct region* region) {
  return HAS_SPROFIL && region->offset == 0 && region->scale == 2;
}

/* Whether the region has a counter for the pc, and at which byte of the buffer. */

#if CONFORM_SYSTEM <= BSD_2_11
/* addupc of V7, 2.11BSD (mch.s) and of the VAX (locore.s): both factors halved; rounded up before
   4.2BSD; the PDP-11's difference wraps, the VAX ignores a negative one. Scale 0 alone is off. */
#define FINEST_SCALE (CONFORM_SYSTEM == BSD_4_2 || CONFORM_SYSTEM == BSD_4_3 ? 0x10000UL : 0xffffUL)
#define ROUND_UP (CONFORM_SYSTEM != BSD_4_2 && CONFORM_SYSTEM != BSD_4_3)

int find_byte(const struct region* region, unsigned long pc, int width, unsigned long* at) {
  unsigned long delta = (pc - region->offset) & WORD;
  int is_over;
  if (region->scale == 0 || (WORD > 0xffff && delta > WORD / 2)) return 0;
  *at = scaled(delta >> 1, region->scale >> 1, 14, &is_over);
  *at = (*at + ROUND_UP) & WORD & ~1UL;
  (void)width;
  return !is_over && *at < region->size;
}
#elif CONFORM_SYSTEM == GLIBC
/* sysdeps/posix/profil.c profil_count(), sprofil.c pc_to_index(), where size_t is unsigned long. */
#define FINEST_SCALE 0x10000UL
int find_byte(const struct region* region, unsigned long pc, int width, unsigned long* at) {
  unsigned long i = (pc - region->offset) / (unsigned long)width;
  *at = 0;
  if (is_overflow_bin(region)) return 1;
  i = i / 65536 * region->scale + i % 65536 * region->scale / 65536;
  *at = i * (unsigned long)width;
  return i < region->size / (unsigned long)width;
}
#elif CONFORM_SYSTEM == AIX
/* Rounded up to the next halfword; 16 bits of scale. */
#define FINEST_SCALE 0xffffUL
int find_byte(const struct region* region, unsigned long pc, int width, unsigned long* at) {
  unsigned long scale = region->scale & 0xffff;
  int is_over;
  if (scale <= 1 || pc < region->offset) return 0;
  *at = scaled(pc - region->offset, scale, 16, &is_over);
  *at = (*at + 1) & ~1UL;
  (void)width;
  return !is_over && *at < region->size;
}
#elif CONFORM_SYSTEM == IRIX
/* The 6.2 kernel as observed: the difference is signed, the index has 32 bits and is rounded before
   the size is looked at; scale 2 is everything for the first counter. */
#define FINEST_SCALE 0x10000UL
int find_byte(const struct region* region, unsigned long pc, int width, unsigned long* at) {
  unsigned long delta = (pc - region->offset) & 0xffffffffUL;
  int is_over;
  *at = 0;
  if (region->scale <= 1 || region->size == 0 || delta > 0x7fffffffUL) return 0;
  if (region->scale == 2) return 1;
  *at = scaled(delta, region->scale, 16, &is_over);
  *at -= *at % (unsigned long)width;
  return *at < region->size;
}
#else
/* Scale 2 is everything for the first counter on Solaris, which does not even look at the size
   then. Scales 0 and 1 are off, in 4.4BSD 0 only. */
#define FINEST_SCALE 0x10000UL
#define IS_SOLARIS (CONFORM_SYSTEM == SOLARIS || CONFORM_SYSTEM == SOLARIS_2_5)

int find_byte(const struct region* region, unsigned long pc, int width, unsigned long* at) {
  int is_over;
  *at = 0;
  if (region->scale == 0 || (region->scale == 1 && CONFORM_SYSTEM != BSD_4_4)) return 0;
  if (pc < region->offset || (region->size == 0 && !(IS_SOLARIS && region->scale == 2))) return 0;
  if (is_overflow_bin(region)) return 1;
  if (region->scale == 2 && IS_SOLARIS) return 1;
#if IS_SOLARIS
  /* os/clock.c profil_tick() multiplies the halves of the distance in a 32-bit word. */
  *at = (pc - region->offset) & 0xffffffffUL;
  *at = (*at >> 16) * region->scale + (((*at & 0xffff) * region->scale & 0xffffffffUL) >> 16);
  *at &= 0xffffffffUL;
  is_over = 0;
#else
  *at = scaled(pc - region->offset, region->scale, 16, &is_over);
#endif
  /* subr_prof.c PC_TO_INDEX rounds before the size is looked at. */
  if (CONFORM_SYSTEM == BSD_4_4) *at &= ~1UL;
  if (is_over || *at >= region->size) return 0;
  *at -= *at % (unsigned long)width;
  return 1;
}
#endif

#if CONFORM_SYSTEM == IRIX
/* The number of the region that has the pc, and the byte in it; -1 when none has. Of the regions but
   the bin the highest offset below the pc, among equal ones the first, or else the lowest offset;
   what that one has no counter for is the bin's. */
int region_of(const struct call* call, unsigned long pc, unsigned long* at) {
  int i, best = -1, lowest = 0, count = call->count;
  int has_bin = count > 1 && is_overflow_bin(&call->regions[count - 1]);
  *at = 0;
  if (count == 0 || call->regions[0].scale <= 1) return -1;
  count -= has_bin;
  for (i = 0; i < count; ++i) {
    unsigned long offset = call->regions[i].offset;
    if (offset < call->regions[lowest].offset) lowest = i;
    if (offset < pc && (best < 0 || offset > call->regions[best].offset)) best = i;
  }
  if (best < 0) best = lowest;
  if (call->regions[best].scale <= 1) return -1;
  if (find_byte(&call->regions[best], pc & WORD, call->width, at)) return best;
  *at = 0;
  return has_bin && call->regions[count].size != 0 ? count : -1;
}
#else
/* The number of the region that has the pc, and the byte in it; -1 when none has. The largest
   offset counts, among equal ones the first. */
int region_of(const struct call* call, unsigned long pc, unsigned long* at) {
  int i, best = -1;
  *at = 0;
  if (call->name != PROFIL && call->name != SPROFIL) return -1;
  for (i = 0; i < call->count; ++i) {
    unsigned long found;
#if CONFORM_SYSTEM == GLIBC
    if (call->name == SPROFIL && pc < call->regions[i].offset) continue;
    if (call->name == SPROFIL && call->regions[i].scale < 2) continue;
#endif
    if (!find_byte(&call->regions[i], pc & WORD, call->width, &found)) continue;
    if (best >= 0 && call->regions[i].offset <= call->regions[best].offset) continue;
    best = i;
    *at = found;
  }
  return best;
}
#endif
