// A loop of eight instructions, one cycle each on an R3000: six in the function `six`, two in `two`, the
// second of these in the slot of the branch. A clock whose period is a multiple of eight cycles sees one
// of the functions alone. 33 million cycles; MIPS I.

	.file	"pace75.S"
	.set	noreorder
	.text

	.globl	main
	.type	main, @function
main:
	li	$t0, 4124999
	.size	main, . - main

	.globl	six
	.type	six, @function
six:
	nop
	nop
	nop
	nop
	nop
	nop
	.size	six, . - six

	.globl	two
	.type	two, @function
two:
	bnez	$t0, six
	addiu	$t0, $t0, -1
	.size	two, . - two

	.globl	end_of_two
	.type	end_of_two, @function
end_of_two:
	jr	$ra
	move	$v0, $zero
	.size	end_of_two, . - end_of_two
