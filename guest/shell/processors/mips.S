// The start of the shell on MIPS, o32, and its call of the kernel: number in v0, arguments in a0 to
// a3 and from 16(sp) up; a3 is 0 for success, else v0 is the number of the error.

	.file	"mips.S"
	.text
	.set	noreorder
	.set	noat

// argc is at 0(sp), then argv and the environment, each ended by a null pointer.
	.globl	_start
	.ent	_start
_start:
	lw	$a0, 0($sp)
	addiu	$a1, $sp, 4
	sll	$a2, $a0, 2
	addu	$a2, $a2, $a1
	addiu	$a2, $a2, 4
	move	$fp, $zero
	addiu	$sp, $sp, -32
	jal	shell
	nop
	break	0
	.end	_start

	.globl	kernel
	.ent	kernel
kernel:
	move	$v0, $a0
	move	$a0, $a1
	move	$a1, $a2
	move	$a2, $a3
	lw	$a3, 16($sp)
	lw	$t0, 20($sp)
	nop
	sw	$t0, 16($sp)
	syscall
	lui	$at, %hi(kernel_second)
	beqz	$a3, 1f
	sw	$v1, %lo(kernel_second)($at)
	subu	$v0, $zero, $v0
1:	jr	$ra
	nop
	.end	kernel

#ifdef IRIX
// The fourth argument of sigaction(). The kernel enters it with a0 = signal, a1 = code, a2 =
// sigcontext, a3 = handler. It ends in sigreturn(sigcontext, 0).
	.globl	signal_trampoline
	.ent	signal_trampoline
signal_trampoline:
	addiu	$sp, $sp, -32
	sw	$a2, 24($sp)
	move	$t9, $a3
	jalr	$t9
	nop
	lw	$a0, 24($sp)
	move	$a1, $zero
	li	$v0, 1088
	syscall
	break	0
	.end	signal_trampoline
#endif

	.bss
	.globl	kernel_second
	.align	2
kernel_second:
	.space	4
