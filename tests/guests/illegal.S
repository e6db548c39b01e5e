// Executes a reserved instruction: must end with SIGILL at `reserved`.
// MIPS RISC Architecture: an undefined major opcode (here 63, with all bits set) raises the Reserved
// Instruction exception.
	.file	"illegal.S"
	.text
	.set	noreorder
	.globl	main
	.ent	main
main:
	nop
	.globl	reserved
reserved:
	.word	0xffffffff
	jr	$ra
	move	$v0, $zero
	.end	main
