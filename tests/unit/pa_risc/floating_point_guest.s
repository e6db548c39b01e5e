; Runs floating-point instructions for floating_point_qemu_test.cc under qemu-hppa.
;
; Each instruction, which stands between `begin` and `end`, runs on every row of a table of operands
; under every status: its operands are fr4, fr5 and fr6, or their left words, its target fr7. After
; each run fr7 and fr0 go to standard output. The tables are doublewords, three to a row, and come
; as files.
	.level	2.0

	.set	sys_exit, 1
	.set	sys_write, 4

	.macro	address symbol, register
	ldil	L%\symbol, \register
	ldo	R%\symbol(\register), \register
	.endm

; Standard output gets the bytes from `output` up to r6.
	.macro	flush
	ldi	1, %r26
	address	output, %r25
	sub	%r6, %r25, %r24
	ble	0x100(%sr2, %r0)
	ldi	sys_write, %r20
	.endm

	.macro	begin rows
	address	\rows, %r4
	address	\rows\()_end, %r5
	address	output, %r6
1:	address	statuses, %r7
	address	statuses_end, %r8
2:	fldd	0(%r4), %fr4
	fldd	8(%r4), %fr5
	fldd	16(%r4), %fr6
	fldd	0(%r3), %fr7
	fldd	0(%r7), %fr0
	.endm
	.macro	end
	fstd,ma	%fr7, 8(%r6)
	fstd,ma	%fr0, 8(%r6)
	ldo	8(%r7), %r7
	cmpb,<<	%r7, %r8, 2b
	nop
	ldo	24(%r4), %r4
	cmpb,<<	%r4, %r5, 1b
	nop
	flush
	.endm

; The same for FTEST, which has a table of statuses of its own: the left word of fr7 becomes 1 when
; it nullifies, else 0.
	.macro	begin_test
	address	output, %r6
	address	queues, %r7
	address	queues_end, %r8
3:	fldd	0(%r3), %fr7
	fldd	0(%r7), %fr0
	ldi	1, %r9
	.endm
	.macro	end_test
	ldi	0, %r9
	stw	%r9, 0(%r6)
	fldw	0(%r6), %fr7L
	fstd,ma	%fr7, 8(%r6)
	fstd,ma	%fr0, 8(%r6)
	ldo	8(%r7), %r7
	cmpb,<<	%r7, %r8, 3b
	nop
	flush
	.endm

	.text
	.globl	_start
_start:
	address	untouched, %r3

	.irp	name, fadd, fsub, fmpy, fdiv
	begin	singles
	\name\(),sgl %fr4, %fr5, %fr7
	end
	begin	doubles
	\name\(),dbl %fr4, %fr5, %fr7
	end
	.endr
	.irp	name, fsqrt, frnd, fabs, fneg, fnegabs
	begin	singles
	\name\(),sgl %fr4, %fr7
	end
	begin	doubles
	\name\(),dbl %fr4, %fr7
	end
	.endr
	.irp	name, fmpyfadd, fmpynfadd
	begin	singles
	\name\(),sgl %fr4L, %fr5L, %fr6L, %fr7L
	end
	begin	doubles
	\name\(),dbl %fr4, %fr5, %fr6, %fr7
	end
	.endr
	begin	words
	xmpyu %fr4L, %fr5L, %fr7
	end

	begin	singles
	fcnv,sgl,dbl %fr4, %fr7
	end
	begin	doubles
	fcnv,dbl,sgl %fr4, %fr7
	end
	.irp	format, sgl, dbl
	begin	words
	fcnv,w,\format %fr4, %fr7
	end
	begin	longs
	fcnv,dw,\format %fr4, %fr7
	end
	begin	words
	fcnv,uw,\format %fr4, %fr7
	end
	begin	longs
	fcnv,udw,\format %fr4, %fr7
	end
	.endr
	.irp	format, w, dw, uw, udw
	begin	singles
	fcnv,sgl,\format %fr4, %fr7
	end
	begin	doubles
	fcnv,dbl,\format %fr4, %fr7
	end
	begin	singles
	fcnv,t,sgl,\format %fr4, %fr7
	end
	begin	doubles
	fcnv,t,dbl,\format %fr4, %fr7
	end
	.endr

; FCMP by its word: conditions 0 to 31 with the queue, then 28 with the bits of the array.
	.set	compare_singles, 0x30850400
	.set	compare_doubles, 0x30850c00
	.set	condition, 0
	.rept	32
	begin	singles
	.word compare_singles + condition
	end
	begin	doubles
	.word compare_doubles + condition
	end
	.set	condition, condition + 1
	.endr
	.set	target, 1
	.rept	7
	begin	doubles
	.word compare_doubles + 28 + target * 0x2000
	end
	.set	target, target + 1
	.endr

	.irp	which, acc, acc8, acc6, acc4, acc2
	begin_test
	ftest,\which
	end_test
	.endr
	begin_test
	ftest
	end_test
	.irp	bit, 0, 1, 2, 3, 4, 5, 6
	begin_test
	ftest \bit
	end_test
	.endr

	ldi	0, %r26
	ble	0x100(%sr2, %r0)
	ldi	sys_exit, %r20

	.data
	.align	8
untouched:
	.word	0x5a5aa5a5, 0x5a5aa5a5
singles:
	.incbin	"singles"
singles_end:
doubles:
	.incbin	"doubles"
doubles_end:
words:
	.incbin	"words"
words_end:
longs:
	.incbin	"longs"
longs_end:
statuses:
	.incbin	"statuses"
statuses_end:
queues:
	.incbin	"queues"
queues_end:

	.bss
	.align	8
output:
	.space	1048576
