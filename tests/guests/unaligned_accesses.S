// LWL, LWR, SWL and SWR by themselves, and the pairs that the assembler makes of ulw and usw.

	.file	"unaligned_accesses.S"
	.set	noreorder
	.text

	.macro	FUNCTION name
	.globl	\name
	.ent	\name
\name:
	.endm

// uint32_t load_left(const void *address, uint32_t before)
	FUNCTION load_left
	move	$v0, $a1
	lwl	$v0, 0($a0)
	nop
	jr	$ra
	nop
	.end	load_left

// uint32_t load_right(const void *address, uint32_t before)
	FUNCTION load_right
	move	$v0, $a1
	lwr	$v0, 0($a0)
	nop
	jr	$ra
	nop
	.end	load_right

// void store_left(void *address, uint32_t value)
	FUNCTION store_left
	jr	$ra
	swl	$a1, 0($a0)
	.end	store_left

// void store_right(void *address, uint32_t value)
	FUNCTION store_right
	jr	$ra
	swr	$a1, 0($a0)
	.end	store_right

	.set	reorder
// uint32_t load_word(const void *address)
	FUNCTION load_word
	ulw	$v0, 0($a0)
	jr	$ra
	.end	load_word

// void store_word(void *address, uint32_t value)
	FUNCTION store_word
	usw	$a1, 0($a0)
	jr	$ra
	.end	store_word

// int32_t load_half(const void *address), uint32_t load_unsigned_half(const void *address)
	FUNCTION load_half
	ulh	$v0, 0($a0)
	jr	$ra
	.end	load_half

	FUNCTION load_unsigned_half
	ulhu	$v0, 0($a0)
	jr	$ra
	.end	load_unsigned_half

// void store_half(void *address, uint32_t value)
	FUNCTION store_half
	ush	$a1, 0($a0)
	jr	$ra
	.end	store_half
