package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"fivefold/bot/admin"
	"fivefold/bot/discord/discordtest"
	"fivefold/storage/bolt/powerloss"
)

// patience is how long the program may take to do what it must, however slow the machine.
const patience = 60 * time.Second

// process is a process of the program, which is started and ended again and again. Only alive may be called
// while another method runs.
type process struct {
	*verdict
	discord *discordtest.Server
	address string // where it takes interactions by HTTP; empty if they come over the gateway
	program string
	args    []string
	env     []string
	log     string         // the file with everything it logs
	trace   *powerloss.Log // nil to run it untraced from the next start on

	mu       sync.Mutex // protects the fields below
	pid      int
	life     context.Context // ends with the process
	expected bool            // whether its end is expected
}

// start starts the program and waits until it is connected. If it ends by itself, that is a finding.
func (b *process) start(ctx context.Context) error {
	log, err := os.OpenFile(b.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(b.program, b.args...)
	cmd.Dir = filepath.Dir(b.log) // where there is no .env
	cmd.Env, cmd.Stderr = b.env, log
	wait, pid := cmd.Wait, 0
	if b.trace == nil {
		if err = cmd.Start(); err == nil {
			pid = cmd.Process.Pid
		}
	} else {
		pid, wait, err = b.trace.Start(cmd)
	}
	if err != nil {
		return err
	}
	life, end := context.WithCancel(context.Background())
	b.mu.Lock()
	b.pid, b.life, b.expected = pid, life, false
	b.mu.Unlock()
	go func() {
		err := wait()
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.pid = 0; !b.expected {
			b.finding("ended by itself", "%v\n%s", err, tail(b.log, 12))
		}
		end()
	}()
	return b.connected(ctx)
}

// connected waits until the program is connected to the gateway, or is ready by HTTP.
func (b *process) connected(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	defer context.AfterFunc(b.alive(), cancel)()
	var up error
	if b.address == "" {
		up = b.discord.WaitConnected(ctx, 1)
	} else if at, err := admin.ParseAddress(b.address); err != nil {
		return err
	} else {
		probes := admin.NewClient(at)
		for up = probes.Ready(ctx); up != nil && ctx.Err() == nil; up = probes.Ready(ctx) {
			time.Sleep(20 * time.Millisecond)
		}
	}
	if up != nil {
		return fmt.Errorf("the program does not connect: %w\n%s", up, tail(b.log, 12))
	}
	return nil
}

// end sends the program a signal that is to end it, and waits until it has ended.
func (b *process) end(signal syscall.Signal) error {
	b.mu.Lock()
	b.expected = true
	b.mu.Unlock()
	life := b.alive()
	if err := b.signal(signal); err != nil || life == nil {
		return err
	}
	select {
	case <-life.Done():
		return nil
	case <-time.After(patience):
		return errors.Join(fmt.Errorf("the program does not end after %v", signal), b.signal(syscall.SIGKILL))
	}
}

// restart ends the program by a signal and starts it again.
func (b *process) restart(ctx context.Context, signal syscall.Signal) error {
	if err := b.end(signal); err != nil {
		return err
	}
	return b.start(ctx)
}

// signal sends the process a signal, unless it has ended.
func (b *process) signal(signal os.Signal) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pid == 0 {
		return nil
	}
	p, err := os.FindProcess(b.pid)
	if err != nil {
		return err
	}
	defer p.Release()
	if err := p.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// alive returns a context that ends with the process that runs now; nil before the first one runs.
func (b *process) alive() context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.life
}

// used returns how much processor time the process has used; 0 while it does not run, or where there is no /proc.
func (b *process) used() (ticks time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", b.pid))
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

// tail returns the last lines of a file.
func tail(path string, lines int) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	all := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	return string(bytes.Join(all[max(0, len(all)-lines):], []byte("\n")))
}
