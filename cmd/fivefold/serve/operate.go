package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"fivefold/bot/admin"
	"fivefold/bot/metrics"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage/backup"
	"fivefold/storage/bolt"
	"fivefold/storage/engine"
)

// operate answers on the admin addresses, makes scheduled backups and reports to systemd. The probes
// are for a balancer. End ends all of it and waits; the store can be closed after that.
func operate(ctx context.Context, p *cli.Program, s settings.Settings, a app.App, m *metrics.Metrics, log *slog.Logger) (probes http.Handler, end func(), err error) {
	store := a.Store
	copied := func(context.Context, io.Writer) error { return engine.ErrNoFile }
	file := store.File()
	inFile := file != nil
	if inFile {
		copied = file.Backup
		m.WatchStore(func() (metrics.StoreStats, error) {
			stats, err := file.Stats()
			checked, problems := store.Checked()
			return metrics.StoreStats{FileBytes: stats.Bytes, FreePages: stats.FreePages, Checked: checked, Problems: problems}, err
		})
	}
	m.WatchPermits(a.Permits)
	var listeners []net.Listener
	for _, a := range s.Admin {
		l, err := a.Listen()
		if err != nil {
			for _, l := range listeners {
				_ = l.Close() // it has accepted nothing
			}
			return nil, nil, fmt.Errorf("%s: %w", settings.EnvAdmin, err)
		}
		listeners = append(listeners, l)
		log.Info("the admin address answers", "address", a.String())
	}

	// All of this goes on while the last answers go out, after ctx has ended.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	var work sync.WaitGroup
	h := &health{connected: m.Connected, stopping: ctx.Done()}
	if s.HTTP.Address != "" { // players are served with or without the gateway
		h.connected = func() bool { return true }
	}
	server := &admin.Server{Alive: h.alive, Ready: h.ready, Metrics: m.Handler(), Backup: copied, Log: log}
	systemd := newSupervisor(p)
	if len(listeners) > 0 || s.HTTP.Address != "" || systemd.watchdog > 0 { // somebody asks
		every := probeDatabaseEvery
		if inFile {
			every = probeFileEvery
		}
		h.probe(ctx, store.Probe)
		work.Go(func() { h.keepProbing(running, store.Probe, every) })
	}
	work.Go(func() { server.Serve(running, listeners) })
	if folder := s.Backups(); folder != "" {
		m.BackUpEvery(s.BackupEvery)
		work.Go(func() {
			(&backup.Schedule{
				Folder: folder, Every: s.BackupEvery, Keep: s.BackupKeep,
				Copy:  file.BackupFile,
				Check: checkPages, Free: backup.Free,
				Size: func() (int64, error) {
					stats, err := file.Stats()
					return stats.Bytes, err
				},
				Log: log, Observer: m,
			}).Run(running)
		})
	}
	if systemd.socket != "" {
		work.Go(func() {
			systemd.keep(ctx, running, h, func(state string) {
				if err := systemd.notify(state); err != nil {
					log.Warn("could not reach systemd", "error", err)
				}
			})
		})
	}
	return server.Probes(), func() {
		stop()
		work.Wait()
	}, nil
}

// checkPages returns nil if all pages of a file can be read. Doing that to a copy finds damage that reading
// the store's values would not, and costs those who play nothing.
func checkPages(ctx context.Context, path string) error {
	m, err := bolt.OpenReadOnly(path)
	if err != nil {
		return err
	}
	return errors.Join(m.CheckPages(ctx), m.Close())
}
