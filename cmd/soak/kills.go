package main

import (
	"context"
	"syscall"
	"time"

	"fivefold/bot/discord/discordtest"
)

// players is how many play at once while things go wrong.
const players = 24

// shortPause leaves the program little rest.
const shortPause = 10 * time.Millisecond

// kills kills and terminates the program while guesses pour in: at any moment, at once
// after an interaction was sent, and after it has done what it was asked to but before it
// could say so.
func kills(ctx context.Context, s *soak) error {
	w, err := s.newWorld(ctx, "kills", setup{})
	if err != nil {
		return err
	}
	defer w.end(ctx)
	random := s.random("kills")
	playing, stop := context.WithCancel(ctx)
	wait := w.play(playing, players, shortPause, nil)
	defer wait()
	defer stop()
	rounds := map[syscall.Signal]int{}
	for deadline := time.Now().Add(s.lasting); time.Now().Before(deadline) && ctx.Err() == nil; {
		signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM}[random.IntN(3)]
		time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
		var mend func()
		switch random.IntN(3) {
		case 0:
			sent := make(chan struct{})
			hook := func() { close(sent) }
			w.afterNext.Store(&hook)
			select {
			case <-sent:
			case <-time.After(time.Second): // nobody plays: the program is slow to come back
			}
		case 1:
			mend = w.discord.Break("POST", "/callback", discordtest.Breakage{Cut: true}, -1)
			time.Sleep(50 * time.Millisecond)
		}
		s.progress.now("%v", signal)
		err := w.bot.signal(ctx, signal)
		if mend != nil {
			mend()
		}
		if err != nil {
			return err
		}
		rounds[signal]++
	}
	s.verdict.figure("%d times SIGKILL, %d times SIGTERM", rounds[syscall.SIGKILL], rounds[syscall.SIGTERM])
	return nil
}
