// One fault each, CASE chooses; 0 executes all those that a predicate can turn off, with a false one, and exits.
	.explicit
	.text
	.global _start

	.macro try number, op:vararg
	.if CASE==\number
	\op ;;
	.elseif CASE==0
	(p6)	\op ;;
	.endif
	.endm

	.data
	.align 32
word:	data8 0, 0

	.text
_start:
	alloc r14=ar.pfs,0,16,8,0 ;;
	mov.m ar.rsc=0xf
	cmp.ne p6,p7=r0,r0
	movl r20=word
	movl r21=word+1
	ld8.s r22=[r0]
	ldfd.s f20=[r0]
	mov r23=r0
	movl r24=1<<48 ;;
	movl r25=0x9804c0270033f ;;

	// Registers.
	try 1, mov r80=1			// outside the frame
	try 2, mov.m ar.k0=r20			// the system's
	try 3, mov.m ar.itc=r20
	try 4, mov.m ar.bspstore=r20		// ar.rsc.mode is 3
	try 5, mov.m r26=ar.rnat
	try 6, mov.m ar.bsp=r20			// read-only
	try 7, mov.m ar.fpsr=r22
	.if CASE==8
	mov r26=1<<12 ;;			// sf0.td
	mov.m ar.fpsr=r26 ;;
	.elseif CASE==9
	movl r26=1<<58 ;;			// a reserved bit
	mov.m ar.fpsr=r26 ;;
	.elseif CASE==10
	mov r26=1<<7|1<<8 ;;			// psr.um has bits 1 to 5
	mov psr.um=r26 ;;
	.endif

	// NaT.
	try 11, ld8 r26=[r22]
	try 12, "st8 [r22]=r0"
	try 13, "st8 [r20]=r22"
	try 14, "stfd [r20]=f20"
	try 15, mov b6=r22
	try 16, mov.i ar.lc=r22
	try 17, mov pr=r22,-1
	try 18, xchg8 r26=[r20],r22

	// Memory.
	try 21, ld8 r26=[r0]
	try 22, "st8 [r23]=r0"
	try 23, lfetch.fault [r0]
	try 24, ld8 r26=[r24]
	try 25, xchg8 r26=[r21],r0
	try 26, ld16 r26,ar.csd=[r21]
	.if CASE==27
	sum 8 ;;				// psr.ac
	ld4 r26=[r21] ;;
	.elseif CASE==28
	movl r26=_start ;;
	st8 [r26]=r0 ;;
	.elseif CASE==29
	mov b7=r24 ;;
	br.few b7 ;;
	.elseif CASE==30
	mov b7=r0 ;;
	br.few b7 ;;
	.endif

	// Floating point, unmasked.
	.if CASE==31
	movl r25=0x9804c0270033e ;;		// invalid
	.elseif CASE==32
	movl r25=0x9804c0270033b ;;		// zero divide
	.elseif CASE==33
	movl r25=0x9804c0270031f ;;		// inexact
	.elseif CASE==34
	movl r25=0x9804c02700337 ;;		// overflow
	.elseif CASE==35
	movl r25=0x9804c0270032f ;;		// underflow
	.elseif CASE==36
	movl r25=0x9804c0270033d ;;		// denormal operand
	.endif
	.if CASE>=31
	.if CASE<=36
	mov.m ar.fpsr=r25
	mov r26=1
	movl r27=0x7fefffffffffffff
	movl r28=0x0010000000000001 ;;
	setf.d f21=r26
	setf.d f22=r27
	setf.d f23=r28
	fcvt.fx.trunc.s1 f24=f0 ;;
	.endif
	.endif
	.if CASE==31
	frcpa.s0 f25,p8=f0,f0 ;;
	.elseif CASE==32
	frcpa.s0 f25,p8=f1,f0 ;;
	.elseif CASE==33
	fmpy.d.s0 f25=f22,f22 ;;
	.elseif CASE==34
	fmpy.d.s0 f25=f22,f22 ;;
	.elseif CASE==35
	fmpy.d.s0 f25=f23,f23 ;;
	.elseif CASE==36
	fadd.d.s0 f25=f21,f1 ;;
	.endif

	// Instructions that are not a program's, or not allowed like this.
	try 41, rsm 1<<14
	try 42, mov r26=psr
	try 43, mov r26=cr.ivr
	try 44, itc.d r20
	try 45, ptc.e r20
	.if CASE==46
	rfi ;;
	.elseif CASE==47
	data8 0x0000000000000006, 0		// template 6 is none
	.elseif CASE==48
	data8 0x00000a0000000009, 0x0008000000000200	// M, opcode 5
	.elseif CASE==49
	bsw.0 ;;
	.elseif CASE==50
	alloc r14=ar.pfs,0,16,8,8 ;;
	mov.i ar.lc=3
	mov.i ar.ec=1 ;;
	br.ctop.sptk.few 1f ;;
1:
	alloc r14=ar.pfs,0,16,8,16 ;;		// the size of the rotating part, while it is rotated
	.elseif CASE==51
	mov.m ar.rsc=0 ;;
	movl r26=8<<16 ;;
	mov.m ar.rsc=r26 ;;
	loadrs ;;				// in a frame that is not empty
	.endif

	// Breaks: 0 and the software conventions' 1 for a division by zero, then one for debuggers.
	.if CASE==61
	break 0 ;;
	.elseif CASE==62
	break 1 ;;
	.elseif CASE==63
	break 0x80100 ;;
	.endif

	mov r15=1025
	mov r48=0 ;;
	break 0x100000 ;;
