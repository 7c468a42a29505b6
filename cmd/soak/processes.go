package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"fivefold/storage/postgres/postgrestest"
)

// processes has players play as fast as they can with 2 to 4 processes that share a database and a
// balancer. Meanwhile processes are killed, stopped and frozen, and the servers of the database are
// restarted, until the primary is killed and its replica promoted. Each commit waits until the
// replica has it. For each event it prints how long nobody got an answer.
func processes(ctx context.Context, s *soak) (err error) {
	primary, err := postgrestest.New()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, primary.Remove()) }()
	if err := primary.Do("postgres", "CREATE DATABASE fivefold"); err != nil {
		return err
	}
	replica, err := primary.Replica("replica")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, replica.Remove()) }()
	if err := primary.Synchronous("replica"); err != nil {
		return err
	}
	random := s.random("processes")
	count := 2 + random.IntN(3)
	store := fmt.Sprintf("postgres://fivefold@%s,%s/fivefold?sslmode=disable&target_session_attrs=read-write&pool_max_conns=%d", primary.Address(), replica.Address(), connections/count)
	w, err := s.newFleet(ctx, "processes", store, count, setup{keep: 400 * atOnce, unchecked: true})
	if err != nil {
		return err
	}
	w.guilds = inGuilds / 4
	w.answered, w.guesses = new(pulse), new(pulse)
	defer w.end(ctx)
	playing, stop := context.WithCancel(ctx)
	wait := w.play(playing, atOnce, 0, nil)
	defer wait()
	defer stop()

	one := func() *supervised { return w.fleet.bots[random.IntN(count)] }
	restart := func(server *postgrestest.Server, end func() error) func() error {
		return func() error { return errors.Join(end(), server.Start()) }
	}
	events := []struct {
		name string
		do   func() error
	}{
		{"nothing happens", func() error { return nil }},
		{"a process is killed", func() error { return one().signal(ctx, syscall.SIGKILL) }},
		{"a process is stopped by SIGTERM", func() error { return one().signal(ctx, syscall.SIGTERM) }},
		{"a process is frozen for 5 s", func() error { return one().freeze(5 * time.Second) }},
		{"the database is restarted (fast)", restart(primary, primary.Stop)},
		{"the database is restarted (immediate)", restart(primary, primary.Kill)},
		{"the replica is restarted", restart(replica, replica.Stop)},
		{"the primary is killed, and the replica promoted", func() error { return errors.Join(primary.Kill(), replica.Promote()) }},
		{"a process is killed after that", func() error { return one().signal(ctx, syscall.SIGKILL) }},
	}
	s.verdict.figure("%d processes, %d players at once, %d connections of each to the database", count, atOnce, connections/count)
	each := s.lasting / time.Duration(len(events))
	for _, e := range events {
		s.progress.now("%s", e.name)
		from, unanswered := time.Now(), w.unanswered.Load()
		if err := e.do(); err != nil {
			return err
		}
		took := time.Since(from)
		select {
		case <-time.After(each - took):
		case <-ctx.Done():
			return ctx.Err()
		}
		to := time.Now()
		silence, answers := w.answered.pause(from, to)
		unsaved, saves := w.guesses.pause(from, to)
		s.verdict.figure("%s: no answer for %v, no guess saved for %v; %.0f answers and %.0f guesses a second, %d interactions without an answer", e.name,
			silence.Round(time.Millisecond), unsaved.Round(time.Millisecond), float64(answers)/to.Sub(from).Seconds(), float64(saves)/to.Sub(from).Seconds(),
			w.unanswered.Load()-unanswered)
		if reasons := w.takeReasons(); reasons != "" {
			s.verdict.figure("    %s", reasons)
		}
	}
	s.verdict.figure("load average: %s", loadAverage())
	return nil
}

// connections is the most connections to the database that all processes have together.
const connections = 32

// loadAverage returns the load average of the last 1, 5 and 15 minutes, or "" where it is not known.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}
