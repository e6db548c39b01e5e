// Parallel floating point: two singles in a significand, their flags together.
	.include "guest.inc"

	.macro float name, op:vararg
	fmerge.s f10=f0,f0 ;;
	\op ;;
	fresult "\name", f10
	mov.m r20=ar.fpsr
	fclrf.s0 ;;
	shr.u r20=r20,13 ;;
	and r20=0x3f,r20 ;;
	result "\name: flags", r20
	.endm

	.macro all name
	.irp op, fpma.s0,fpms.s0,fpnma.s0
	float "\op \name", \op f10=f20,f21,f22
	.endr
	.irp op, fpmin.s0,fpmax.s0,fpamin.s0,fpamax.s0,fpcmp.eq.s0,fpcmp.lt.s0,fpcmp.le.s0,fpcmp.unord.s0,fpcmp.neq.s0,fpcmp.nlt.s0,fpcmp.nle.s0,fpcmp.ord.s0,fpcmp.gt.s0,fpcmp.ge.s0,fpmerge.s,fpmerge.ns,fpmerge.se,fpack,fmix.l,fmix.r,fmix.lr,fswap,fswap.nl,fswap.nr,fsxt.l,fsxt.r
	float "\op \name", \op f10=f20,f21
	.endr
	.irp op, fpmpy.s0
	float "\op \name", \op f10=f20,f21
	.endr
	.irp op, fpabs,fpneg,fpnegabs,fpcvt.fx.s0,fpcvt.fx.trunc.s0,fpcvt.fxu.s0,fpcvt.fxu.trunc.s0
	float "\op \name", \op f10=f20
	.endr
	cmp.eq p6,p7=r0,r0
	float "fprcpa \name", fprcpa.s0 f10,p6=f20,f21
	presult "fprcpa \name: predicate", p6, p7
	cmp.eq p6,p7=r0,r0
	float "fprsqrta \name", fprsqrta.s0 f10,p6=f20
	presult "fprsqrta \name: predicate", p6, p7
	.endm

	.macro operands first, second, third
	put r20, \first
	put r21, \second
	put r22, \third
	setf.sig f20=r20
	setf.sig f21=r21
	setf.sig f22=r22 ;;
	.endm

_start:
	begin
	.irp controls, 0x3f|12<<6,0x3f|28<<6,0x3f|60<<6,0x3f|13<<6
	movl r20=\controls ;;
	mov.m ar.fpsr=r20
	operands 0x3f80000040490fdb, 0x40000000c02df854, 0xbf80000033800000
	all "1 and pi, \controls"
	operands 0x7f7fffff00800000, 0x400000003f000001, 0x7f7fffff80000001
	all "overflow and underflow, \controls"
	operands 0x0000000180000000, 0x3f80000000000000, 0x8000000100000000
	all "denormal and -0, \controls"
	.endr
	movl r20=0x3f|12<<6 ;;
	mov.m ar.fpsr=r20
	operands 0x7f800000ff800000, 0x000000007f800000, 0x7fc000013f800000
	all "infinities"
	operands 0x7f8000017fc00001, 0x7fc123453f800000, 0x3f800000ff812345
	all "NaNs"
	operands 0x4f000000cf000000, 0x4f7fffff4effffff, 0
	all "ends of words"
	operands 0x3fc00000bfc00000, 0xc02000004f800000, 0x3effffff3f7fffff
	all "halves"
	operands 0x4080000041100000, 0x40400000c0e00000, 0
	all "4 and 9, 3 and -7"
	operands 0x3e8000003f000000, 0x7e8000007f000000, 0
	all "quotients at the ends"
	br.few finish ;;
