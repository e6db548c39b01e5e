// The user mask, application registers, predicates as a whole, branch registers.
	.include "guest.inc"

_start:
	begin
	// sum and rum, mov to and from psr.um: be 1, up 2, ac 3, mfl 4, mfh 5.
	rum 0x3e ;;
	mov r20=psr.um ;;
	result "psr.um after rum 0x3e", r20
	sum 0xc ;;
	mov r20=psr.um ;;
	result "psr.um after sum 0xc", r20
	mov r21=0x3e ;;
	mov psr.um=r21 ;;
	mov r20=psr.um ;;
	mov psr.um=r0 ;;
	result "psr.um of 0x3e", r20

	// A floating-point register written, in either half; not those that a false predicate spares.
	cmp.ne p6,p7=r0,r0 ;;
	(p6)	fmerge.s f10=f1,f1
	(p6)	fmerge.s f40=f1,f1 ;;
	mov r20=psr.um ;;
	result "psr.um after writes with a false predicate", r20
	fmerge.s f31=f1,f1 ;;
	mov r20=psr.um ;;
	mov psr.um=r0 ;;
	result "psr.um after a write to f31", r20
	fmerge.s f32=f1,f1 ;;
	mov r20=psr.um ;;
	mov psr.um=r0 ;;
	result "psr.um after a write to f32", r20
	setf.sig f127=r0 ;;
	mov r20=psr.um ;;
	mov psr.um=r0 ;;
	result "psr.um after setf to f127", r20
	movl r21=results ;;
	ldfps f32,f33=[r21] ;;
	mov r20=psr.um ;;
	mov psr.um=r0 ;;
	result "psr.um after ldfps to f32, f33", r20

	// Application registers, and what of them is kept.
	movl r21=0xfedcba9876543210 ;;
	.irp register, ccv,unat,csd,ssd
	mov.m ar.\register=r21 ;;
	mov.m r20=ar.\register ;;
	result "ar.\register", r20
	mov.m ar.\register=-128 ;;
	mov.m r20=ar.\register ;;
	result "ar.\register of -128", r20
	.endr
	mov.m ar.unat=r0
	.irp register, lc,ec
	mov.i ar.\register=r21 ;;
	mov.i r20=ar.\register ;;
	result "ar.\register", r20
	mov.i ar.\register=-128 ;;
	mov.i r20=ar.\register ;;
	result "ar.\register of -128", r20
	.endr
	movl r21=0xd5|1<<52 ;;
	mov.i ar.pfs=r21 ;;
	mov.i r20=ar.pfs ;;
	result "ar.pfs", r20
	mov.m r24=ar.rsc
	mov.m ar.rsc=0 ;;
	mov.m r20=ar.rsc ;;
	result "ar.rsc of 0: the level stays 3 for reading", r20
	movl r21=0x1c|5<<16|2 ;;
	mov.m ar.rsc=r21 ;;
	mov.m r20=ar.rsc ;;
	mov.m ar.rsc=r24 ;;
	result "ar.rsc, all fields", r20
	mov.m r20=ar.fpsr
	movl r21=0x0009804c0270033f ;;
	mov.m ar.fpsr=r21 ;;
	mov.m r22=ar.fpsr ;;
	result "ar.fpsr", r22

	// ar.itc goes on.
	mov.m r20=ar.itc ;;
	nop.m 0 ;;
	nop.m 0 ;;
	mov.m r21=ar.itc ;;
	cmp.leu p6,p7=r20,r21 ;;
	presult "ar.itc does not go back", p6, p7

	// Predicates by mask; pr.rot alone changes p16 to p63; p0 is 1.
	movl r20=0xfedcba9876543210 ;;
	mov pr=r20,-1 ;;
	mov r21=pr
	mov pr=r0,0xff00 ;;
	mov r22=pr
	mov pr=r20,0x10000 ;;
	mov r23=pr
	mov pr.rot=0x5550000 ;;
	mov r24=pr
	mov pr.rot=-1<<43 ;;
	mov r25=pr ;;
	result "pr, all", r21
	result "pr after 0 for p8 to p15", r22
	result "pr after p16 to p63", r23
	result "pr after pr.rot", r24
	result "pr after a negative pr.rot", r25

	// Branch registers hold 64 bits.
	movl r20=0xfedcba9876543217 ;;
	mov b3=r20 ;;
	mov r21=b3 ;;
	result "b3", r21
	mov.ret.sptk b3=r0,1f ;;
1:
	mov r21=b3 ;;
	result "b3 by mov.ret", r21

	// Registers of no effect: hints, nops, fences.
	nop.m 0x1fffff
	nop.i 0x1fffff
	nop.f 0x1fffff
	hint.m 0
	hint.i 0
	hint.f 0
	nop.x 0x123456789abcdef
	mf
	srlz.d
	srlz.i
	sync.i
	movl r20=1f ;;
	fc r20
	lfetch.nta [r20]
	lfetch.excl [r20] ;;
1:
	result "after hints and fences", r0
	br.few finish ;;
