// The calls of IRIX 4 that later libcs do not make, as the stubs in SGI's programs for it make them.
	.set	noreorder

	.macro	CALL name, number
	.globl	\name
	.ent	\name
\name:
	li	$v0, \number
	syscall
	bnez	$a3, failed
	nop
	jr	$ra
	nop
	.end	\name
	.endm

	.text
	.ent	failed
failed:
	jr	$ra
	subu	$v0, $zero, $v0
	.end	failed

	CALL	old_stat, 1018
	CALL	old_fstat, 1028
	CALL	old_lstat, 1117

// signal(signal, handler): the kernel also gets the trampoline.
	.globl	old_signal
	.ent	old_signal
old_signal:
	lui	$a2, %hi(trampoline)
	addiu	$a2, $a2, %lo(trampoline)
	li	$v0, 1048
	syscall
	bnez	$a3, failed
	nop
	jr	$ra
	nop
	.end	old_signal

// Finds the signal in a0, its code in a1, the sigcontext in a2 and the handler in a3.
	.ent	trampoline
trampoline:
	addiu	$sp, $sp, -24
	jalr	$a3
	sw	$a2, 16($sp)
	lw	$a0, 16($sp)
	li	$v0, 1088
	syscall
	.end	trampoline

// wait(status): the status is the second result.
	.globl	old_wait
	.ent	old_wait
old_wait:
	li	$v0, 1007
	syscall
	bnez	$a3, failed
	nop
	jr	$ra
	sw	$v1, 0($a0)
	.end	old_wait

// illegal_with(in_s0, in_f4, f4)
	.globl	illegal_with
	.globl	illegal_instruction
	.ent	illegal_with
illegal_with:
	move	$t8, $s0
	move	$s0, $a0
	mtc1	$a1, $f4
	nop
illegal_instruction:
	.word	0xffffffff
	mfc1	$t9, $f4
	move	$v0, $s0
	move	$s0, $t8
	jr	$ra
	sw	$t9, 0($a2)
	.end	illegal_with
