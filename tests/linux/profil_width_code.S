// hot(rounds) behind 64 bytes that never run. WORDS instructions in _fini, which is behind all other code, move
// the end of the program's text.
  .text
  .balign 16
  .globl cold
  .type cold, @function
cold:
  .rept 16
  nop
  .endr
  .size cold, . - cold
  .globl hot
  .type hot, @function
hot:
#ifdef __mips__
  .set noreorder
  bnez $4, hot
  addiu $4, $4, -1
  jr $31
  nop
#else
  nop  // with an odd number of cycles, ticks fall on all of them
  addib,<> -1, %r26, hot
  nop
  bv %r0(%r2)
  nop
#endif
  .size hot, . - hot

  .section .fini, "ax", @progbits
  .rept WORDS
  nop
  .endr
