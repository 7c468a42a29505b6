package serve

import (
	"context"
	"errors"
	"net"
	"strconv"
	"time"

	"fivefold/cmd/fivefold/cli"
)

// supervisor is the systemd that started the program:
// www.freedesktop.org/software/systemd/man/sd_notify.html. Without a socket there is none.
type supervisor struct {
	socket   string
	watchdog time.Duration // how often it expects a sign of life; 0 for never
}

// newSupervisor reads the environment that systemd sets.
func newSupervisor(p *cli.Program) supervisor {
	s := supervisor{socket: p.Env["NOTIFY_SOCKET"]}
	if micros, err := strconv.Atoi(p.Env["WATCHDOG_USEC"]); err == nil && s.socket != "" {
		s.watchdog = time.Duration(micros) * time.Microsecond
	}
	return s
}

// notify reports states such as READY=1, on a line each.
func (s supervisor) notify(states string) error {
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: s.socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	_, err = conn.Write([]byte(states))
	return errors.Join(err, conn.Close())
}

// startWithin is how long a start waits for Discord before "systemctl start" ends. The bot goes on trying.
const startWithin = time.Minute

// keep reports the state of the bot until running ends: started, when it is connected or has tried for long; alive; and,
// when ctx ends, stopping.
func (s supervisor) keep(ctx, running context.Context, h *health, connected string, report func(states string)) {
	began, said, looks := time.Now(), "STATUS=Connecting to Discord", time.Tick(500*time.Millisecond)
	report(said)
	var watched <-chan time.Time // nil without a watchdog
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
		case <-running.Done():
		case <-watched:
			if err := h.alive(ctx); err != nil {
				report("STATUS=" + err.Error())
			} else {
				report("WATCHDOG=1\nSTATUS=" + status)
			}
		}
	}
}
