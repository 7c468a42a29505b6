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

// keep reports until running ends: that the bot has started once it is connected or has tried for long, whether it is
// connected, that it works and, when ctx ends, that it stops.
func (s supervisor) keep(ctx, running context.Context, h *health, connected string, report func(states string)) {
	began, said, looks := time.Now(), "STATUS=Connecting to Discord", time.Tick(500*time.Millisecond)
	report(said)
	var watched <-chan time.Time // nil if nobody watches
	if s.watchdog > 0 {
		watched = time.Tick(s.watchdog / 3)
	}
	for {
		state, status := "", "Connecting to Discord"
		switch {
		case ctx.Err() != nil:
			state, status = "STOPPING=1\n", "Finishing answers in progress"
		case h.connected():
			state, status = "READY=1\n", connected
		case time.Since(began) >= startWithin:
			state, status = "READY=1\n", "Waiting for Discord"
		}
		if now := state + "STATUS=" + status; now != said {
			said = now
			report(now)
		}
		if running.Err() != nil {
			return
		}
		select {
		case <-looks:
		case <-running.Done(): // at once, where no answer is in progress
		case <-watched:
			if err := h.alive(ctx); err != nil {
				report("STATUS=" + err.Error())
			} else {
				report("WATCHDOG=1\nSTATUS=" + status)
			}
		}
	}
}
