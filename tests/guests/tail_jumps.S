// A function that ends with a jump to another, behind a third. Stripped, nothing but the calls and
// the jump tells where they begin. MIPS I.

	.file	"tail_jumps.S"
	.set	noreorder
	.text

	.globl	main
	.type	main, @function
main:
	move	$t9, $ra
	bal	between
	nop
	bal	first
	nop
	jr	$t9
	move	$v0, $zero
	.size	main, . - main

	.balign	64
	.type	first, @function
first:
	li	$t0, 1000
1:	bnez	$t0, 1b
	addiu	$t0, $t0, -1
	j	last
	nop
	.size	first, . - first

	.balign	64
	.type	between, @function
between:
	jr	$ra
	nop
	.size	between, . - between

	.balign	64
	.type	last, @function
last:
	li	$t0, 5000
1:	bnez	$t0, 1b
	addiu	$t0, $t0, -1
	jr	$ra
	nop
	.size	last, . - last
