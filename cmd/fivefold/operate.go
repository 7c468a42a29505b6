package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"time"

	"fivefold/bot/admin"
	"fivefold/bot/metrics"
	"fivefold/game/slowtest"
	"fivefold/storage"
	"fivefold/storage/backup"
	"fivefold/storage/bolt"
)

// operate starts what a running bot does for its operator: it answers on the admin
// addresses, makes scheduled backups and reports to systemd. The probes are for a balancer. The
// function that it returns ends all of it and waits; the store can be closed after that.
func (p *program) operate(ctx context.Context, s settings, a app, m *metrics.Metrics, log *slog.Logger) (probes http.Handler, end func(), err error) {
	store := a.Store
	copied := func(context.Context, io.Writer) error { return storage.ErrNoFile }
	file, inFile := store.(storage.File)
	if inFile {
		copied = file.Backup
		m.WatchStore(func() (metrics.StoreStats, error) {
			stats, err := file.Stats()
			return metrics.StoreStats{
				FileBytes: stats.Bytes, FreePages: stats.FreePages, Checked: stats.Checked, Problems: stats.Problems,
			}, err
		})
	}
	m.WatchPermits(func() []metrics.PermitStats {
		var all []metrics.PermitStats
		for cost, s := range a.Permits.Stats() {
			all = append(all, metrics.PermitStats{Cost: cost.String(), InUse: s.InUse, Waiting: s.Waiting, Refused: s.Refused})
		}
		return all
	})
	var listeners []net.Listener
	for _, a := range s.admin {
		l, err := a.Listen()
		if err != nil {
			for _, l := range listeners {
				// The listener has accepted nothing.
				_ = l.Close()
			}
			return nil, nil, fmt.Errorf("%s: %w", envAdmin, err)
		}
		listeners = append(listeners, l)
		log.Info("the admin address answers", "address", a.String())
	}

	// All of this continues after ctx has ended, while the last answers go out.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	var work sync.WaitGroup
	h := &health{store: prober{probe: store.Probe}, connected: m.Connected, stopping: ctx.Done(), patience: slowtest.Limit(patience)}
	connecting, connected, lost := "Connecting to Discord", "Connected to Discord", "Not connected to Discord"
	if s.http.address != "" { // players are served with or without the gateway
		h.connected = func() bool { return true }
		connecting, connected = "Taking interactions by HTTP", "Taking interactions by HTTP"
	}
	server := &admin.Server{Alive: h.alive, Ready: h.ready, Metrics: m.Handler(), Backup: copied, Log: log}
	work.Go(func() { server.Serve(running, listeners) })
	if s.backupDir != "" && inFile {
		work.Go(func() {
			(&backup.Schedule{
				Folder: s.backupDir, Every: s.backupEvery, Keep: s.backupKeep,
				Copy:  file.BackupFile,
				Check: func(_ context.Context, path string) error { return bolt.Inspect(path) },
				Size: func() (int64, error) {
					stats, err := file.Stats()
					return stats.Bytes, err
				},
				Log: log, Observer: m,
			}).Run(running)
		})
	}
	systemd := p.supervisor()
	report := func(states string) {
		if err := systemd.notify(states); err != nil {
			log.Warn("systemd cannot be reached", "error", err)
		}
	}
	report("READY=1\nSTATUS=" + connecting)
	work.Go(func() {
		select {
		case <-ctx.Done():
		case <-running.Done():
		}
		if ctx.Err() != nil { // running may have ended at once, where no answer was in progress
			report("STOPPING=1\nSTATUS=Finishing answers in progress")
		}
	})
	if systemd.watchdog > 0 {
		status := func() string {
			if h.connected() {
				return connected
			}
			return lost
		}
		work.Go(func() { watchdog(running, systemd.watchdog, h, status, report) })
	}
	return server.Probes(), func() {
		stop()
		work.Wait()
	}, nil
}

// watchdog reports to systemd for as long as the bot works.
func watchdog(ctx context.Context, every time.Duration, h *health, status func() string, report func(states string)) {
	tick := time.NewTicker(every / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := h.alive(ctx); err != nil {
			report("STATUS=" + err.Error())
			continue
		}
		report("WATCHDOG=1\nSTATUS=" + status())
	}
}

// health finds out, when it is asked, whether the bot works.
type health struct {
	store     prober
	connected func() bool
	stopping  <-chan struct{}
	patience  time.Duration // how long ready waits for the store
}

// hung is how long the store may take to answer before the bot counts as dead: a busy disk must
// not get it restarted.
const hung = time.Minute

// alive returns what is wrong if only a restart can help.
func (h *health) alive(context.Context) error {
	h.store.start()
	if waiting := h.store.waiting(); waiting > hung {
		return fmt.Errorf("the store has not answered for %v", waiting.Round(time.Second))
	}
	return nil
}

// patience is that of health.
const patience = 5 * time.Second

// ready returns why the bot cannot serve players, if it cannot.
func (h *health) ready(ctx context.Context) error {
	select {
	case <-h.stopping:
		return errors.New("the bot is stopping")
	default:
	}
	var faults []error
	if !h.connected() {
		faults = append(faults, errors.New("not connected to Discord"))
	}
	ctx, cancel := context.WithTimeout(ctx, h.patience)
	defer cancel()
	switch err := h.store.result(ctx); {
	case errors.Is(err, context.DeadlineExceeded):
		faults = append(faults, fmt.Errorf("the store has not answered for %v", h.store.waiting().Round(time.Second)))
	case err != nil:
		faults = append(faults, fmt.Errorf("the store does not save: %w", err))
	}
	return errors.Join(faults...)
}

// prober probes the store, one probe at a time.
type prober struct {
	probe func(context.Context) error

	mu      sync.Mutex    // protects the fields below
	done    chan struct{} // closed when the latest probe has ended; nil before the first
	began   time.Time     // of the latest probe
	ended   time.Time     // the zero time while it runs
	outcome error
}

// fresh is how long the outcome of a probe counts.
const fresh = 5 * time.Second

// start starts a probe, unless one is running or the latest is fresh, and returns a channel
// that is closed at its end.
func (p *prober) start() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done != nil && (p.ended.IsZero() || time.Since(p.ended) < fresh) {
		return p.done
	}
	done := make(chan struct{})
	p.done, p.began, p.ended = done, time.Now(), time.Time{}
	go func() {
		// Not the context of whoever asked: others wait for the same probe.
		err := p.probe(context.Background())
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ended, p.outcome = time.Now(), err
		close(done)
	}()
	return done
}

// waiting returns how long the running probe has taken so far, or 0.
func (p *prober) waiting() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == nil || !p.ended.IsZero() {
		return 0
	}
	return time.Since(p.began)
}

// result returns the outcome of a fresh probe, or ctx's error if ctx ends first.
func (p *prober) result(ctx context.Context) error {
	select {
	case <-p.start():
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.outcome
	case <-ctx.Done():
		return ctx.Err()
	}
}

// On Windows, permissions say nothing about other users.
const isWindows = runtime.GOOS == "windows"

// warnOfDotEnv logs that others can read the file .env, which may have the token.
func warnOfDotEnv(log *slog.Logger) {
	if mode, open := openDotEnv(); open {
		log.Warn("other users of this machine can read the file .env, which may have the token: chmod 600 .env", "mode", mode.String())
	}
}

// openDotEnv reports whether other users can read or write the file .env, and its
// permissions.
func openDotEnv() (os.FileMode, bool) {
	info, err := os.Stat(dotEnv)
	if err != nil || info.IsDir() || isWindows {
		return 0, false
	}
	return info.Mode().Perm(), info.Mode().Perm()&0o077 != 0
}
