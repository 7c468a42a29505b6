package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// fleet is several processes that share one PostgreSQL database, and their balancer.
type fleet struct {
	store    string // the URL of the database
	bots     []*supervised
	balancer *balancer
}

// newFleet makes the tables in a database, and starts the fake Discord, count processes and their
// balancer. The caller ends the world.
func (s *soak) newFleet(ctx context.Context, name, store string, count int, how setup) (_ *world, err error) {
	w, folder, err := s.emptyWorld(name, how)
	if err != nil {
		return nil, err
	}
	w.fleet = &fleet{store: store}
	defer func() {
		if err == nil {
			return
		}
		w.stopProcesses()
		w.discord.Close()
		if b := w.fleet.balancer; b != nil {
			err = errors.Join(err, b.close())
		}
	}()
	program := cmp.Or(how.program, s.program)
	migrate := exec.CommandContext(ctx, program, "migrate")
	migrate.Dir, migrate.Env = folder, []string{"HOME=" + folder, "FIVEFOLD_STORE=" + store}
	if out, err := migrate.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("fivefold migrate: %w\n%s", err, out)
	}
	var addresses []string
	for n := range count {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, address)
		own := filepath.Join(folder, fmt.Sprint(n+1))
		if err := os.Mkdir(own, 0o700); err != nil {
			return nil, err
		}
		env, err := w.environment(own, store, how)
		if err != nil {
			return nil, err
		}
		b := &supervised{
			discord: w.discord, program: program, args: []string{"bot"}, log: filepath.Join(own, "log"),
			env:   append(env, "FIVEFOLD_HTTP="+address, "DISCORD_PUBLIC_KEY="+w.discord.PublicKey()),
			ready: func(ctx context.Context) error { return untilReady(ctx, address) },
		}
		w.fleet.bots = append(w.fleet.bots, b)
		if err := b.start(ctx); err != nil {
			return nil, err
		}
	}
	if w.fleet.balancer, err = startBalancer("/interactions", addresses); err != nil {
		return nil, err
	}
	if err := w.discord.SetEndpoint(ctx, w.fleet.balancer.url); err != nil {
		return nil, err
	}
	return w, nil
}

// untilReady waits until the process at an address says that it is ready, or ctx ends.
func untilReady(ctx context.Context, address string) error {
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			err = fmt.Errorf("/readyz is %s", resp.Status)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}
