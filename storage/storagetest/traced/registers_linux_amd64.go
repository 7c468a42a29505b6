package traced

import "syscall"

// skipCall makes a thread skip the system call that it is about to make.
func skipCall(tid int) error {
	return withRegisters(tid, func(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) })
}

// setResult changes the result of the system call that has just ended.
func setResult(tid int, result int64) error {
	return withRegisters(tid, func(r *syscall.PtraceRegs) { r.Rax = uint64(result) })
}

func withRegisters(tid int, change func(*syscall.PtraceRegs)) error {
	var r syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tid, &r); err != nil {
		return err
	}
	change(&r)
	return syscall.PtraceSetRegs(tid, &r)
}
