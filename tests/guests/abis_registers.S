// Registers of 64 bits across a system call that ends in a signal. n32 and n64 only.

#include "guest/runtime/calls.h"

#if _MIPS_SIM != _ABIO32

#include "tests/guests/abis_registers.h"

	.file	"abis_registers.S"
	.set	noreorder
	.set	noat

// All but zero, k0, k1, sp, and what the call takes and returns: v0, a0, a1 and a3.
#define FOR_EACH_REGISTER(X) \
	X(1) X(3) X(6) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
	X(21) X(22) X(24) X(25) X(28) X(30) X(31)
#define FOR_EACH_FLOAT(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) \
	X(16) X(17) X(18) X(19) FOR_EACH_SAVED_FLOAT(X)
#define FOR_EACH_SAVED_FLOAT(X) \
	X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define FOR_EACH_SAVED(X) \
	X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(28) X(30) X(31)

#define SET(n)           dli $n, PATTERN(n);
#define TEST(n)          dli $2, PATTERN(n); bne $n, $2, disturbed; li $2, n;
#define SET_FLOAT(n)     dli $2, FLOAT_PATTERN(n); dmtc1 $2, $f##n;
#define TEST_FLOAT(n) \
	dli $2, FLOAT_PATTERN(n); dmfc1 $1, $f##n; nop; \
	bne $1, $2, disturbed; li $2, 100 + n;
#define SAVE(n)          sd $n, 8 * (n - 16)($sp);
#define RESTORE(n)       ld $n, 8 * (n - 16)($sp);
#define SAVE_FLOAT(n)    sdc1 $f##n, 8 * (n - 4)($sp);
#define RESTORE_FLOAT(n) ldc1 $f##n, 8 * (n - 4)($sp);

	.text

// int hold_registers(pid_t pid, int signal, uint64_t* s7): kill(pid, signal) with a pattern in
// every register. 0; the number of one that changed; or 100 plus that of a floating-point one.
// Stores what s7 has afterwards.
	.globl	hold_registers
	.ent	hold_registers
hold_registers:
	ADD_POINTER $sp, $sp, -256
	FOR_EACH_SAVED(SAVE)
	FOR_EACH_SAVED_FLOAT(SAVE_FLOAT)
	sd	$a2, 240($sp)

	FOR_EACH_FLOAT(SET_FLOAT)
	dli	$2, PATTERN_HI
	mthi	$2
	dli	$2, PATTERN_LO
	mtlo	$2
	FOR_EACH_REGISTER(SET)
	SET(23)
	li	$v0, 1037
	syscall
	bnez	$a3, disturbed
	li	$2, 7
	FOR_EACH_REGISTER(TEST)
	FOR_EACH_FLOAT(TEST_FLOAT)
	dli	$2, PATTERN_HI
	mfhi	$1
	bne	$1, $2, disturbed
	li	$2, 32
	dli	$2, PATTERN_LO
	mflo	$1
	bne	$1, $2, disturbed
	li	$2, 33
	move	$2, $zero
disturbed:
	ld	$a2, 240($sp)
	sd	$23, 0($a2)
	FOR_EACH_SAVED(RESTORE)
	FOR_EACH_SAVED_FLOAT(RESTORE_FLOAT)
	jr	$ra
	ADD_POINTER $sp, $sp, 256
	.end	hold_registers

#endif
