// A loop that holds a pattern in every register and checks that it stays: what a signal handler
// must not be able to disturb. o32, MIPS I.

	.file	"registers.S"
	.set	noreorder
	.set	noat

// Registers with a pattern of their own; all but zero, k0, k1, sp and a0 (the loop counter).
#define FOR_EACH_REGISTER(X) \
	X(1) X(2) X(3) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) \
	X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(28) X(30)
#define FOR_EACH_FLOAT(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) \
	X(16) X(17) X(18) X(19) FOR_EACH_SAVED_FLOAT(X)
#define FOR_EACH_SAVED_FLOAT(X) \
	X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)

#define PATTERN(n) (0x01010101 * (n))
#define SET(n)          li $n, PATTERN(n);
#define TEST(n)         li $31, PATTERN(n); bne $n, $31, disturbed; nop;
// A float register gets the same word as the general register of its number.
#define SET_FLOAT(n)    li $31, PATTERN(n); mtc1 $31, $f##n;
#define TEST_FLOAT(n)   li $31, PATTERN(n); mfc1 $1, $f##n; nop; bne $1, $31, disturbed; nop;
#define SAVE_FLOAT(n)    swc1 $f##n, 4 * n - 20($sp);
#define RESTORE_FLOAT(n) lwc1 $f##n, 4 * n - 20($sp);

	.text

// int hold_registers(uint32_t times): 0, or 1 as soon as a register has changed.
	.globl	hold_registers
	.ent	hold_registers
hold_registers:
	addiu	$sp, $sp, -128
	sw	$16, 16($sp)
	sw	$17, 20($sp)
	sw	$18, 24($sp)
	sw	$19, 28($sp)
	sw	$20, 32($sp)
	sw	$21, 36($sp)
	sw	$22, 40($sp)
	sw	$23, 44($sp)
	sw	$28, 48($sp)
	sw	$30, 52($sp)
	sw	$31, 56($sp)
	FOR_EACH_SAVED_FLOAT(SAVE_FLOAT)

	FOR_EACH_FLOAT(SET_FLOAT)
	li	$31, 0x00800001         // the condition bit, and rounding towards zero
	ctc1	$31, $31
	FOR_EACH_REGISTER(SET)
	li	$31, 0x12345678
	mthi	$31
	li	$31, 0x0badcafe
	mtlo	$31

again:	FOR_EACH_REGISTER(TEST)
	mfhi	$31
	li	$1, 0x12345678
	bne	$31, $1, disturbed
	nop
	mflo	$31
	li	$1, 0x0badcafe
	bne	$31, $1, disturbed
	nop
	FOR_EACH_FLOAT(TEST_FLOAT)
	cfc1	$31, $31
	li	$1, 0x00800001
	bne	$31, $1, disturbed
	nop
	SET(1)
	addiu	$4, $4, -1
	bnez	$4, again
	nop
	b	restore
	move	$2, $zero

disturbed:
	li	$2, 1
restore:
	ctc1	$zero, $31
	lw	$16, 16($sp)
	lw	$17, 20($sp)
	lw	$18, 24($sp)
	lw	$19, 28($sp)
	lw	$20, 32($sp)
	lw	$21, 36($sp)
	lw	$22, 40($sp)
	lw	$23, 44($sp)
	lw	$28, 48($sp)
	lw	$30, 52($sp)
	lw	$31, 56($sp)
	FOR_EACH_SAVED_FLOAT(RESTORE_FLOAT)
	jr	$31
	addiu	$sp, $sp, 128
	.end	hold_registers

// void disturb_registers(void): overwrites everything that a called function may, HI, LO and the
// floating-point control register included.
#define SPOIL(n)        li $n, 0x5e5e5e5e;
#define SPOIL_FLOAT(n)  mtc1 $1, $f##n;
	.globl	disturb_registers
	.ent	disturb_registers
disturb_registers:
	SPOIL(1) SPOIL(2) SPOIL(3) SPOIL(4) SPOIL(5) SPOIL(6) SPOIL(7) SPOIL(8) SPOIL(9) SPOIL(10)
	SPOIL(11) SPOIL(12) SPOIL(13) SPOIL(14) SPOIL(15) SPOIL(24) SPOIL(25)
	mthi	$1
	mtlo	$1
	SPOIL_FLOAT(0) SPOIL_FLOAT(2) SPOIL_FLOAT(4) SPOIL_FLOAT(6) SPOIL_FLOAT(8) SPOIL_FLOAT(10)
	SPOIL_FLOAT(12) SPOIL_FLOAT(14) SPOIL_FLOAT(16) SPOIL_FLOAT(18)
	jr	$31
	ctc1	$zero, $31
	.end	disturb_registers
