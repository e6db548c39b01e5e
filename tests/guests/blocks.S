// Four loops of exactly eight instructions (32 bytes) each, one behind the other from a 32-byte
// boundary: text whose place in a histogram is easy to compute. A tick in a delay slot belongs to
// its branch, so no tick of a loop leaves its block.

	.file	"blocks.S"
	.set	noreorder
	.set	noat
	.text
	.align	5
	.globl	blocks
	.ent	blocks

// Entered from run_block: the times, never 0, in a1, and the return address in ra.
	.macro	BLOCK
1:	addiu	$a1, $a1, -1
	addu	$v0, $v0, $a1
	xor	$v0, $v0, $a1
	addu	$v1, $v0, $a1
	bnez	$a1, 1b
	sll	$v1, $v1, 1
	jr	$ra
	nop
	.endm

blocks:
	BLOCK
	BLOCK
	BLOCK
	BLOCK
	.globl	blocks_end
blocks_end:
	.end	blocks

// void run_block(int block, uint32_t times)
	.globl	run_block
	.ent	run_block
run_block:
	lui	$v0, %hi(blocks)
	addiu	$v0, $v0, %lo(blocks)
	sll	$a0, $a0, 5
	addu	$v0, $v0, $a0
	jr	$v0
	nop
	.end	run_block
