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

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/storagetest/traced"
)

// patience is how long the program may take to do what it must, however slow the machine.
const patience = 60 * time.Second

// supervised is the program as a supervisor runs it: whenever it ends, it is started again.
type supervised struct {
	discord *discordtest.Server
	url     string // where the program takes interactions by HTTP; empty if they come over the gateway
	// ready waits until the program is ready; nil if the fake Discord can tell.
	ready func(context.Context) error

	program string
	args    []string
	env     []string
	log     string          // the file with everything it logs
	trace   *traced.Options // nil to run untraced

	mu       sync.Mutex // protects the fields below
	pid      int
	starts   int
	expected bool // whether its end is expected
	stopping bool
	crashes  []string        // how it ended each time that nobody had asked for
	life     context.Context // ends with the process that runs
	end      context.CancelFunc
	ended    chan struct{} // closed when the supervisor has ended
}

// start starts the program and waits until it is connected.
func (b *supervised) start(ctx context.Context) error {
	b.ended = make(chan struct{})
	b.life, b.end = context.WithCancel(context.Background())
	first := make(chan error, 1)
	go func() {
		defer close(b.ended)
		for b.once(first) {
			b.discord.EndSessions() // nobody is going to resume them
			time.Sleep(50 * time.Millisecond)
		}
	}()
	if err := <-first; err != nil {
		return err
	}
	return b.connected(ctx)
}

// once runs the program to its end, and returns whether to start it again.
func (b *supervised) once(first chan<- error) bool {
	log, err := os.OpenFile(b.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		first <- err
		return false
	}
	defer log.Close()
	cmd := exec.Command(b.program, b.args...)
	cmd.Dir = filepath.Dir(b.log) // where there is no .env
	cmd.Env, cmd.Stderr = b.env, log
	b.mu.Lock()
	if b.stopping {
		b.mu.Unlock()
		return false
	}
	wait := cmd.Wait
	if b.trace == nil {
		err = cmd.Start()
		if err == nil {
			b.pid = cmd.Process.Pid
		}
	} else {
		var p *traced.Process
		if p, err = traced.Start(cmd, *b.trace); err == nil {
			b.pid, wait = p.Pid, p.Wait
		}
	}
	b.end()
	b.life, b.end = context.WithCancel(context.Background())
	b.expected = false
	b.starts++
	again := b.starts > 1
	b.mu.Unlock()
	if !again {
		first <- err
	}
	if err != nil {
		return false
	}
	err = wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
	b.pid = 0
	if !b.expected && !b.stopping {
		b.crashes = append(b.crashes, fmt.Sprintf("%v\n%s", err, tail(b.log, 12)))
	}
	return !b.stopping && len(b.crashes) < 1000
}

// connected waits until the program is connected to the gateway, or answers by HTTP.
func (b *supervised) connected(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	up := func() error { return b.discord.WaitConnected(ctx, 1) }
	switch {
	case b.ready != nil:
		up = func() error { return b.ready(ctx) }
	case b.url != "":
		up = func() error { return b.discord.SetEndpoint(ctx, b.url) }
	}
	if err := up(); err != nil {
		return fmt.Errorf("the program does not connect: %w\n%s", err, tail(b.log, 12))
	}
	return nil
}

// signal sends the program a signal that is to end it, and waits until the supervisor has
// started it again and it is connected.
func (b *supervised) signal(ctx context.Context, signal syscall.Signal) error {
	b.mu.Lock()
	starts := b.starts
	b.expected = true
	var err error
	if b.pid != 0 {
		err = send(b.pid, signal)
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		b.mu.Lock()
		again := b.starts > starts
		b.mu.Unlock()
		switch {
		case again:
			return b.connected(ctx)
		case ctx.Err() != nil:
			return ctx.Err()
		case time.Since(began) > patience:
			return fmt.Errorf("the program does not end after %v", signal)
		}
	}
}

// stop ends the program for good.
func (b *supervised) stop() error {
	b.mu.Lock()
	b.stopping = true
	var err error
	if b.pid != 0 {
		err = send(b.pid, syscall.SIGTERM)
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-b.ended:
		return nil
	case <-time.After(patience):
	}
	b.mu.Lock()
	if b.pid != 0 {
		err = send(b.pid, syscall.SIGKILL)
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	<-b.ended
	return errors.New("the program does not end after SIGTERM")
}

// send sends a process a signal, unless it has ended.
func send(pid int, signal os.Signal) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	defer p.Release()
	if err := p.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// alive returns a context that ends with the process that runs now.
func (b *supervised) alive() context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.life
}

// anonymous returns the memory that is the program's own, in bytes, and how many threads
// it has; zeros while it does not run.
func (b *supervised) anonymous() (memory, threads int) {
	b.mu.Lock()
	pid := b.pid
	b.mu.Unlock()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		n, _ := strconv.Atoi(fields[1]) // other lines have other things there
		switch fields[0] {
		case "RssAnon:":
			memory = n << 10
		case "Threads:":
			threads = n
		}
	}
	return memory, threads
}

// processorTime returns how long the process has used processors; zero while it does not run.
func (b *supervised) processorTime() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	own, _, _ := processorTime(b.pid)
	return own
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
