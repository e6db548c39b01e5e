// Calls as the link editor of IRIX 5.3 makes them within a program: they enter behind the three
// words with which position-independent code finds its data. What the words compute is not used
// here. Each function says how often it is called. MIPS I.

	.file	"inner_entries.S"
	.set	noreorder
	.set	noat
	.text

	.macro	gp_prologue
	lui	$gp, 0
	addiu	$gp, $gp, 0
	addu	$gp, $gp, $t9
	.endm

	.macro	call function, behind=12
	lui	$t9, %hi(\function + \behind)
	addiu	$t9, $t9, %lo(\function + \behind)
	jalr	$t9
	nop
	.endm

// fib(10) is 55, by 2 fib(11) - 1 = 177 calls.
	.globl	fib
	.type	fib, @function
fib:
	gp_prologue
	addiu	$sp, $sp, -32
	sw	$ra, 28($sp)
	sw	$a0, 24($sp)
	sltiu	$t0, $a0, 2
	bnez	$t0, 1f
	move	$v0, $a0
	addiu	$a0, $a0, -1
	call	fib
	sw	$v0, 20($sp)
	lw	$a0, 24($sp)
	nop
	addiu	$a0, $a0, -2
	call	fib
	lw	$t0, 20($sp)
	nop
	addu	$v0, $v0, $t0
1:	lw	$ra, 28($sp)
	nop
	jr	$ra
	addiu	$sp, $sp, 32
	.size	fib, . - fib

// Three calls behind the prologue and one that runs it; each loops to behind it, as a function does
// that looks at one variable until it has changed.
	.globl	spins
	.type	spins, @function
spins:
	gp_prologue
1:	addiu	$a0, $a0, -1
	bgtz	$a0, 1b
	nop
	jr	$ra
	nop
	.size	spins, . - spins

// Two jumps from `door`.
	.globl	room
	.type	room, @function
room:
	gp_prologue
	jr	$ra
	addiu	$v0, $zero, 1
	.size	room, . - room

	.globl	door
	.type	door, @function
door:
	gp_prologue
	lui	$t9, %hi(room + 12)
	addiu	$t9, $t9, %lo(room + 12)
	jr	$t9
	nop
	.size	door, . - door

// Nobody calls it.
	.globl	never
	.type	never, @function
never:
	gp_prologue
	jr	$ra
	nop
	.size	never, . - never

// One, at its symbol. The exit status is 0 if fib(10) is right.
	.globl	main
	.type	main, @function
main:
	gp_prologue
	addiu	$sp, $sp, -32
	sw	$ra, 28($sp)
	li	$a0, 5
	call	spins
	li	$a0, 5
	call	spins
	li	$a0, 5
	call	spins
	li	$a0, 5
	call	spins, 0
	call	door
	call	door, 0
	li	$a0, 10
	call	fib
	addiu	$v0, $v0, -55
	lw	$ra, 28($sp)
	nop
	jr	$ra
	addiu	$sp, $sp, 32
	.size	main, . - main
