package serve

import (
	"context"
	"errors"
	"net"
	"strconv"
	"time"

	"fivefold/cmd/fivefold/cli"
)

// supervisor is the systemd that started the program, if one did:
// www.freedesktop.org/software/systemd/man/sd_notify.html. The zero value is none.
type supervisor struct {
	socket   string
	watchdog time.Duration // how often it wants to hear from us, or 0
}

// newSupervisor reads what systemd says about itself in the environment.
func newSupervisor(p *cli.Program) supervisor {
	s := supervisor{socket: p.Env["NOTIFY_SOCKET"]}
	// systemd sets a whole number, or nothing.
	if micros, err := strconv.Atoi(p.Env["WATCHDOG_USEC"]); err == nil && s.socket != "" {
		s.watchdog = time.Duration(micros) * time.Microsecond
	}
	return s
}

// notify reports states such as READY=1, one a line.
func (s supervisor) notify(states string) error {
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: s.socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	_, err = conn.Write([]byte(states))
	return errors.Join(err, conn.Close())
}

// startWithin is how long a start waits for Discord: longer, and "systemctl start" would seem to hang. The bot goes on
// trying.
const startWithin = time.Minute

// waiting is the status of a bot that is not connected.
const waiting = "Waiting for Discord"

// keep reports until running ends: that the bot has started once it is connected or has tried for long, that it works
// and, when ctx ends, that it stops.
func (s supervisor) keep(ctx, running context.Context, h *health, connected string, report func(states string)) {
	report("STATUS=Connecting to Discord")
	connecting := time.NewTicker(100 * time.Millisecond)
	defer connecting.Stop()
	late := time.After(startWithin)
	var watched <-chan time.Time // nil if nobody watches
	if s.watchdog > 0 {
		watched = time.Tick(s.watchdog / 3)
	}
	stopping := ctx.Done()
	for {
		select {
		case <-stopping:
		case <-running.Done(): // at once, where no answer is in progress
		case <-connecting.C:
			if h.connected() && stopping != nil {
				connecting.Stop()
				late = nil
				report("READY=1\nSTATUS=" + connected)
			}
		case <-late:
			if stopping != nil {
				report("READY=1\nSTATUS=" + waiting)
			}
		case <-watched:
			status := connected
			if !h.connected() {
				status = waiting
			}
			if err := h.alive(ctx); err != nil {
				report("STATUS=" + err.Error())
			} else {
				report("WATCHDOG=1\nSTATUS=" + status)
			}
		}
		if stopping != nil && ctx.Err() != nil {
			stopping = nil
			report("STOPPING=1\nSTATUS=Finishing answers in progress")
		}
		if running.Err() != nil {
			return
		}
	}
}
