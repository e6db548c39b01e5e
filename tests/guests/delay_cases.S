// The cases of delay.c, one function each: uint32_t name(uint32_t a, uint32_t b). MIPS II.
// A function that is expected to trap has the label name_trap at the instruction whose address the
// signal must report, and resumes at trap_resume, where the handler sends it.

	.file	"delay_cases.S"
	.set	noreorder
	.set	noat
	.text

	.macro	FUNCTION name
	.globl	\name
	.ent	\name
\name:
	.endm

	.macro	TRAP_HERE name
	.globl	\name\()_trap
\name\()_trap:
	.endm

	.globl	trap_resume
trap_resume:
	jr	$ra
	li	$v0, 0x7a9

// The slot is executed whether the branch is taken or not.
	FUNCTION branch_taken
	li	$v0, 1
	b	1f
	addiu	$v0, $v0, 2
	addiu	$v0, $v0, 4
1:	jr	$ra
	addiu	$v0, $v0, 8
	.end	branch_taken

	FUNCTION branch_not_taken
	li	$v0, 1
	bne	$zero, $zero, 1f
	addiu	$v0, $v0, 2
	addiu	$v0, $v0, 4
1:	jr	$ra
	addiu	$v0, $v0, 8
	.end	branch_not_taken

// The slot may overwrite what the branch tested, and the register a jump went through.
	FUNCTION slot_changes_condition
	move	$v0, $zero
	bnez	$a0, 1f
	move	$a0, $zero
	li	$v0, 1
1:	jr	$ra
	addu	$v0, $v0, $a0
	.end	slot_changes_condition

	FUNCTION slot_changes_target
	lui	$t0, %hi(1f)
	addiu	$t0, $t0, %lo(1f)
	jr	$t0
	move	$t0, $zero
	jr	$ra
	li	$v0, 99
1:	jr	$ra
	addiu	$v0, $t0, 5
	.end	slot_changes_target

// Branch likely: the slot is annulled when the branch is not taken.
	.macro	LIKELY name, branch:vararg
	FUNCTION \name
	li	$v0, 1
	\branch, 1f
	addiu	$v0, $v0, 2
	addiu	$v0, $v0, 4
1:	jr	$ra
	addiu	$v0, $v0, 8
	.end	\name
	.endm

	LIKELY	likely_eq, beql $a0, $a1
	LIKELY	likely_ne, bnel $a0, $a1
	LIKELY	likely_lez, blezl $a0
	LIKELY	likely_gtz, bgtzl $a0
	LIKELY	likely_ltz, bltzl $a0
	LIKELY	likely_gez, bgezl $a0

// Branch and link: ra is written whether the branch is taken or not, likely or not. The result is
// the distance of the link address from the branch, plus 0x100 when it was taken, plus 0x1000 when
// the slot was executed.
	.macro	LINK name, branch
	FUNCTION \name
	move	$t0, $ra
	move	$v1, $zero
	move	$ra, $zero
	lui	$t1, %hi(2f)
	addiu	$t1, $t1, %lo(2f)
2:	\branch	$a0, 1f
	addiu	$v1, $v1, 0x1000
	b	3f
	nop
1:	addiu	$v1, $v1, 0x100
3:	subu	$v0, $ra, $t1
	jr	$t0
	addu	$v0, $v0, $v1
	.end	\name
	.endm

	LINK	link_ltz, bltzal
	LINK	link_gez, bgezal
	LINK	link_ltz_likely, bltzall
	LINK	link_gez_likely, bgezall

// JALR may link through any register; the slot sees the link.
	FUNCTION jalr_other_register
	lui	$t0, %hi(1f)
	addiu	$t0, $t0, %lo(1f)
	jalr	$t1, $t0
	move	$v0, $t1
2:	jr	$ra
	addu	$v0, $v0, $v1
1:	lui	$v1, %hi(2b)
	addiu	$v1, $v1, %lo(2b)
	subu	$v0, $v0, $v1
	jr	$t1
	li	$v1, 3
	.end	jalr_other_register

	FUNCTION floating_branch
	mtc1	$a0, $f4
	mtc1	$a1, $f6
	li	$v0, 1
	c.eq.s	$f4, $f6
	nop
	bc1tl	1f
	addiu	$v0, $v0, 2
	addiu	$v0, $v0, 4
	bc1f	1f
	addiu	$v0, $v0, 8
	addiu	$v0, $v0, 16
1:	jr	$ra
	nop
	.end	floating_branch

// Traps and overflow.
	.macro	TRAPPING name, instruction:vararg
	FUNCTION \name
	li	$v0, 1
	TRAP_HERE \name
	\instruction
	jr	$ra
	nop
	.end	\name
	.endm

	TRAPPING trap_eq, teq $a0, $a1
	TRAPPING trap_ne, tne $a0, $a1
	TRAPPING trap_ge, tge $a0, $a1
	TRAPPING trap_geu, tgeu $a0, $a1
	TRAPPING trap_lt, tlt $a0, $a1
	TRAPPING trap_ltu, tltu $a0, $a1
	TRAPPING trap_eqi, teqi $a0, -5
	TRAPPING trap_nei, tnei $a0, -5
	TRAPPING trap_gei, tgei $a0, -5
	TRAPPING trap_geiu, tgeiu $a0, -5
	TRAPPING trap_lti, tlti $a0, -5
	TRAPPING trap_ltiu, tltiu $a0, -5
	TRAPPING break_0, break 0

// The destination of an overflowing instruction keeps its value: the result is what v1 holds.
	.macro	OVERFLOWING name, instruction:vararg
	FUNCTION \name
	li	$v1, 0x55
	TRAP_HERE \name
	\instruction
	jr	$ra
	move	$v0, $v1
	.end	\name
	.endm

	OVERFLOWING overflow_add, add $v1, $a0, $a1
	OVERFLOWING overflow_sub, sub $v1, $a0, $a1
	OVERFLOWING overflow_addi, addi $v1, $a0, 0x7fff

// A trap in a delay slot reports the branch.
	FUNCTION trap_in_slot
	li	$v0, 1
	TRAP_HERE trap_in_slot
	b	1f
	teq	$a0, $a1
1:	jr	$ra
	nop
	.end	trap_in_slot

// LL and SC: alone they store; the loop adds b to the word at a and returns the new value.
	FUNCTION atomic_add
1:	ll	$v0, 0($a0)
	addu	$t0, $v0, $a1
	move	$v0, $t0
	sc	$t0, 0($a0)
	beqz	$t0, 1b
	nop
	jr	$ra
	nop
	.end	atomic_add
