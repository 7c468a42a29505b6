package traced

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"
)

// Numbers of the kernel's interface that package syscall does not have. See ptrace(2).
const (
	ptraceGetSyscallInfo = 0x420e
	ptraceExitKill       = 1 << 20
	waitNoThread         = 0x20000000 // __WNOTHREAD: only for children of this thread
	waitAll              = 0x40000000 // __WALL: threads too
	syscallStop          = syscall.SIGTRAP | 0x80
)

// Process is a traced program.
type Process struct {
	// Pid is the program's process id.
	Pid    int
	ended  chan struct{}
	status syscall.WaitStatus
	err    error
}

// Start starts a program and traces it. The command's input and outputs must be files or nil,
// and its Wait must not be called. The program is killed if this process ends.
func Start(cmd *exec.Cmd, o Options) (*Process, error) {
	p := &Process{ended: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		defer close(p.ended)
		// Only the thread that started the program may trace it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		t, err := newTracer(cmd, o)
		if err == nil {
			p.Pid = t.pid
		}
		started <- err
		if err == nil {
			p.status, p.err = t.run()
		}
	}()
	return p, <-started
}

// Wait waits until the program has ended. The error says how, unless it ended well.
func (p *Process) Wait() error {
	<-p.ended
	switch {
	case p.err != nil:
		return p.err
	case p.status.Signaled():
		return fmt.Errorf("signal: %v", p.status.Signal())
	case p.status.ExitStatus() != 0:
		return fmt.Errorf("exit status %d", p.status.ExitStatus())
	}
	return nil
}

// tracer follows the threads of a program.
type tracer struct {
	Options
	pid     int
	memory  *os.File
	threads map[int]*thread
}

// thread is what is known of a thread of the program.
type thread struct {
	call    *Call   // the one in progress for the file, if any
	failure Failure // of that call
}

func newTracer(cmd *exec.Cmd, o Options) (*tracer, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Ptrace = true
	if err := cmd.Start(); err != nil {
		if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
			err = fmt.Errorf("%w (%w)", ErrUnsupported, err)
		}
		return nil, err
	}
	t := &tracer{Options: o, pid: cmd.Process.Pid, threads: map[int]*thread{}}
	err := t.begin()
	if err != nil {
		err = errors.Join(err, cmd.Process.Kill())
	}
	return t, errors.Join(err, cmd.Process.Release())
}

// begin waits for the program to be loaded, and lets it run.
func (t *tracer) begin() error {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(t.pid, &status, waitAll|waitNoThread, nil); err != nil {
		return fmt.Errorf("waiting for the program: %w", err)
	}
	if err := syscall.PtraceSetOptions(t.pid, syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE|ptraceExitKill); err != nil {
		return fmt.Errorf("%w (%w)", ErrUnsupported, err)
	}
	var err error
	if t.memory, err = os.Open(fmt.Sprintf("/proc/%d/mem", t.pid)); err != nil {
		return err
	}
	return syscall.PtraceSyscall(t.pid, 0)
}

// run follows the program until it has ended.
func (t *tracer) run() (syscall.WaitStatus, error) {
	defer t.memory.Close()
	for {
		var status syscall.WaitStatus
		tid, err := syscall.Wait4(-1, &status, waitAll|waitNoThread, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return status, fmt.Errorf("waiting for the traced program: %w", err)
		case !status.Stopped():
			delete(t.threads, tid)
			if tid == t.pid {
				return status, nil
			}
			continue
		}
		if err := t.stopped(tid, status); err != nil && !errors.Is(err, syscall.ESRCH) { // ESRCH: it was killed meanwhile
			// It is killed so that it does not go on unseen.
			return status, errors.Join(err, syscall.Kill(t.pid, syscall.SIGKILL))
		}
	}
}

// stopped handles one stop of a thread and lets it go on.
func (t *tracer) stopped(tid int, status syscall.WaitStatus) error {
	th := t.threads[tid]
	begins := th == nil
	if begins {
		th = &thread{}
		t.threads[tid] = th
	}
	deliver := 0
	switch signal := status.StopSignal(); {
	case signal == syscallStop:
		if err := t.syscall(tid, th); err != nil {
			return err
		}
	case signal == syscall.SIGTRAP, signal == syscall.SIGSTOP && begins:
		// A new thread, as its parent and as it sees it.
	default:
		deliver = int(signal)
	}
	return syscall.PtraceSyscall(tid, deliver)
}

// syscallInfo is the kernel's struct ptrace_syscall_info.
type syscallInfo struct {
	op uint8
	_  [23]uint8 // architecture, instruction pointer, stack pointer
	// When a call begins, its number and six arguments; when it ends, the value returned
	// and whether that is an error.
	values [8]uint64
}

const infoBegin = 1

// syscall handles the beginning or the end of a system call.
func (t *tracer) syscall(tid int, th *thread) error {
	var info syscallInfo
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return errno
	}
	if info.op == infoBegin {
		return t.begins(tid, th, info)
	}
	return t.ends(tid, th, info)
}

func (t *tracer) begins(tid int, th *thread, info syscallInfo) error {
	call, err := t.callFor(info.values[0], info.values[1:])
	if call == nil || err != nil {
		return err
	}
	th.call, th.failure = call, Failure{}
	if t.Before != nil {
		th.failure = t.Before(*call)
	}
	if th.failure.Errno != 0 && !th.failure.Done {
		// The thread skips the call that it is about to make.
		return withRegisters(tid, func(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) })
	}
	if t.Began != nil {
		t.Began(*call)
	}
	return nil
}

// callFor returns what a system call does to the file, or nil if nothing.
func (t *tracer) callFor(number uint64, args []uint64) (*Call, error) {
	c := &Call{}
	switch number {
	case syscall.SYS_PWRITE64:
		c.Kind, c.Offset = Write, int64(args[3])
	case syscall.SYS_FTRUNCATE:
		c.Kind, c.Size = Resize, int64(args[1])
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		c.Kind = Sync
	default:
		return nil, nil
	}
	if path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", t.pid, args[0])); err != nil || path != t.File {
		return nil, nil // another file, or none
	}
	if c.Kind == Write {
		c.Data = make([]byte, args[2])
		if _, err := t.memory.ReadAt(c.Data, int64(args[1])); err != nil {
			return nil, fmt.Errorf("reading what is written: %w", err)
		}
	}
	return c, nil
}

func (t *tracer) ends(tid int, th *thread, info syscallInfo) error {
	call, failure := th.call, th.failure
	th.call = nil
	if call == nil {
		return nil
	}
	result := int64(info.values[0])
	if failure.Errno == 0 || failure.Done {
		if whole := call.Kind != Write || result == int64(len(call.Data)); result >= 0 && whole && t.Ended != nil {
			t.Ended(*call)
		}
	}
	if failure.Errno != 0 {
		return withRegisters(tid, func(r *syscall.PtraceRegs) { r.Rax = uint64(-int64(failure.Errno)) })
	}
	return nil
}

func withRegisters(tid int, change func(*syscall.PtraceRegs)) error {
	var r syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tid, &r); err != nil {
		return err
	}
	change(&r)
	return syscall.PtraceSetRegs(tid, &r)
}
