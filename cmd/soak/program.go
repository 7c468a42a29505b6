package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
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
	address string // where it takes interactions by HTTP; empty if they come over the gateway
	program string
	args    []string
	env     []string
	log     string // the file with everything it logs

	mu       sync.Mutex      // protects the fields below
	trace    *traced.Options // nil to run it untraced; it is changed between two runs
	pid      int
	starts   int
	expected bool   // whether its end is expected
	between  func() // called before the next start
	stopping bool
	crashes  []string        // how it ended each time that it should not have
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
			b.mu.Lock()
			f := b.between
			b.between = nil
			b.mu.Unlock()
			if f != nil {
				f()
			}
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
		if err = cmd.Start(); err == nil {
			b.pid = cmd.Process.Pid
		}
	} else {
		var p *traced.Process
		if p, err = traced.Start(cmd, *b.trace); err == nil {
			b.pid, wait = p.Pid, p.Wait
		} else if errors.Is(err, traced.ErrUnsupported) {
			b.trace = nil
			b.mu.Unlock()
			return true
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

// connected waits until the program is connected to the gateway, or is ready by HTTP.
func (b *supervised) connected(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	var up error
	if b.address == "" {
		up = b.discord.WaitConnected(ctx, 1)
	} else {
		for up = isReady(ctx, b.address, patience); up != nil && ctx.Err() == nil; up = isReady(ctx, b.address, patience) {
			time.Sleep(20 * time.Millisecond)
		}
	}
	if up != nil {
		return fmt.Errorf("the program does not connect: %w\n%s", up, tail(b.log, 12))
	}
	return nil
}

// isReady returns nil if the process at an address says within a while that it is ready.
func isReady(ctx context.Context, address string, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("/readyz is %s", resp.Status)
	}
	return errors.Join(err, resp.Body.Close())
}

// restart sends the program a signal that is to end it, and waits until the supervisor has
// started it again and it is connected. Meanwhile it calls between, unless that is nil.
func (b *supervised) restart(ctx context.Context, signal syscall.Signal, between func()) error {
	b.mu.Lock()
	starts := b.starts
	b.expected, b.between = true, between
	b.mu.Unlock()
	if err := b.signal(signal); err != nil {
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
	b.mu.Unlock()
	if err := b.signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-b.ended:
		return nil
	case <-time.After(patience):
	}
	if err := b.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-b.ended
	return errors.New("the program does not end after SIGTERM")
}

// signal sends the process a signal, unless it has ended.
func (b *supervised) signal(signal os.Signal) error {
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

// alive returns a context that ends with the process that runs now.
func (b *supervised) alive() context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.life
}

// setTrace has the next starts be traced, or no longer.
func (b *supervised) setTrace(o *traced.Options) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trace = o
}

// untraceable reports whether the program runs untraced although it should not.
func (b *supervised) untraceable() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.trace == nil
}

// proc returns the fields of a file about the process in /proc; none while it does not run, or
// where there is no /proc.
func (b *supervised) proc(file string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", b.pid, file))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// anonymous returns the memory that is the program's own, in bytes.
func (b *supervised) anonymous() int {
	fields := b.proc("status")
	for n, f := range fields {
		if f == "RssAnon:" {
			kilobytes, _ := strconv.Atoi(fields[n+1]) // always a number, says proc(5)
			return kilobytes << 10
		}
	}
	return 0
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
