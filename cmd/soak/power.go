package main

import (
	"context"
	"os"
	"time"

	"fivefold/storage/storagetest/powerloss"
	"fivefold/storage/storagetest/traced"
)

// perImage is about how long it takes to check an image; by it the part decides how many.
const perImage = 20 * time.Millisecond

// power traces what the program writes while players play, and checks the files that a
// loss of power may leave behind.
func power(ctx context.Context, s *soak) error {
	var log powerloss.Log
	o := &traced.Options{}
	log.Watch(o)
	w, err := s.newWorld(ctx, "power", setup{trace: o})
	if err != nil {
		return err
	}
	// then is the journal as it was at the moment of an image.
	var then []*match
	copies := map[*match]*match{}
	note := func(m *match, g *guess) {
		seen := *g
		log.Note(func() {
			c := copies[m]
			if c == nil {
				known := *m
				known.guesses = nil
				c = &known
				copies[m] = c
				then = append(then, c)
			}
			if n := len(c.guesses); n > 0 && c.guesses[n-1].id == seen.id {
				c.guesses[n-1] = &seen
			} else {
				c.guesses = append(c.guesses, &seen)
			}
		})
	}
	playing, stop := context.WithTimeout(ctx, s.lasting/4)
	defer stop()
	s.progress.now("playing")
	w.play(playing, 8, shortPause, note)()
	w.end(ctx)
	images := max(20, int(s.lasting*3/4/perImage))
	path := w.store + ".image"
	done := 0
	err = log.Images(images, s.random("power"), func(image []byte) bool {
		done++
		s.progress.now("image %d of %d", done, images)
		if err := os.WriteFile(path, image, 0o600); err != nil {
			s.verdict.finding("broken off", "%v", err)
			return false
		}
		if done%10 == 0 { // starting a program takes its time
			s.checkWhole(ctx, path)
		}
		c := &checking{verdict: &s.verdict, path: path, matches: then}
		c.run(ctx)
		return ctx.Err() == nil
	})
	s.verdict.figure("%d images of losses of power checked", done)
	return err
}
