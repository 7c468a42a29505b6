package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// patience is how long the program may take to do what it must, however slow the machine.
const patience = 60 * time.Second

// process is a process of the program. Only alive may be called while another method runs.
type process struct {
	*verdict
	program string
	mode    string // its argument
	env     []string
	log     string // the file with everything it logs

	cmd    *exec.Cmd
	life   atomic.Pointer[context.Context] // ends with the process
	ending atomic.Bool                     // whether its end is expected
}

// start starts the program. If it ends by itself, that is a finding.
func (b *process) start() error {
	log, err := os.OpenFile(b.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(b.program, b.mode)
	cmd.Dir = filepath.Dir(b.log) // where there is no .env
	cmd.Env, cmd.Stderr = b.env, log
	if err := cmd.Start(); err != nil {
		return err
	}
	life, end := context.WithCancel(context.Background())
	b.cmd = cmd
	b.life.Store(&life)
	b.ending.Store(false)
	go func() {
		defer end()
		if err := cmd.Wait(); !b.ending.Load() {
			b.finding("ended by itself", "%v, see %s", err, b.log)
		}
	}()
	return nil
}

// alive returns a context that ends with the process that runs now.
func (b *process) alive() context.Context { return *b.life.Load() }

// end sends the program a signal that is to end it, and waits until it has ended.
func (b *process) end(signal syscall.Signal) error {
	if b.cmd == nil {
		return nil
	}
	b.ending.Store(true)
	if err := b.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-b.alive().Done():
		return nil
	case <-time.After(patience):
		return errors.Join(fmt.Errorf("the program does not end after %v", signal), b.cmd.Process.Kill())
	}
}

// restart ends the program by a signal and starts it again.
func (b *process) restart(signal syscall.Signal) error {
	if err := b.end(signal); err != nil {
		return err
	}
	return b.start()
}

// used returns how much processor time the process has used; 0 where there is no /proc.
func (b *process) used() (ticks time.Duration) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", b.cmd.Process.Pid))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 15 {
		return 0
	}
	for _, field := range fields[13:15] { // in user mode and in the kernel, says proc(5)
		n, _ := strconv.Atoi(field) // always a number, and the program's name has no spaces
		ticks += time.Duration(n)
	}
	return ticks * time.Second / 100 // USER_HZ is 100
}
