package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"fivefold/storage/storagetest/powerloss"
	"fivefold/storage/storagetest/traced"
)

const (
	// In a round, players play for a random time between shortestPlay and longestPlay, and
	// until minGuesses are saved, which takes longer on a busy machine. They stop when
	// maxRecorded bytes are written: all of them are kept in memory, and the more was played,
	// the longer an image takes to check.
	shortestPlay = time.Second
	longestPlay  = 4 * time.Second
	minGuesses   = 100
	maxRecorded  = 64 << 20
	// imagesShare is how long images are checked in a round, as a multiple of the time that the
	// round took before.
	imagesShare = 3
	// minImages is how many images a round has at least.
	minImages = 20
	// firstPerImage is how long an image takes on a busy machine; it is used until one has been
	// measured.
	firstPerImage = 250 * time.Millisecond
)

// power traces what the program writes while players play, and checks the files that a
// loss of power may leave behind. It does so in rounds, each with a store of its own.
func power(ctx context.Context, s *soak) error {
	p := &losses{soak: s, random: s.random("power")}
	deadline := time.Now().Add(s.lasting)
	for first := true; first || time.Now().Before(deadline); first = false {
		if err := p.round(ctx, deadline); err != nil {
			return err
		}
	}
	s.verdict.figure("%d images of losses of power checked, in %d rounds", p.images, p.rounds)
	s.verdict.figure("%d interactions, %.0f MB written; the largest image has %.1f MB", p.asked, float64(p.recorded)/1e6, float64(p.largest)/1e6)
	s.verdict.figure("%d times an image was compared with an acknowledged guess", p.compared)
	return nil
}

// losses counts what the part power does.
type losses struct {
	*soak
	random *rand.Rand

	rounds   int
	images   int
	checking time.Duration // spent on all images
	asked    int64
	recorded int64 // bytes
	largest  int   // bytes of an image
	compared int
}

// round has players play for a while, and then checks images.
func (p *losses) round(ctx context.Context, deadline time.Time) error {
	began := time.Now()
	p.rounds++
	var log powerloss.Log
	o := &traced.Options{}
	log.Watch(o)
	w, err := p.newWorld(ctx, fmt.Sprint("power-", p.rounds), setup{trace: o})
	if err != nil {
		return err
	}
	w.quiet = true
	known := &journalThen{log: &log, copies: map[*match]*match{}}
	p.progress.now("round %d: playing", p.rounds)
	p.play(ctx, w, &log, known)
	w.end(ctx)
	p.asked += w.asked.Load()
	p.recorded += log.Written()
	took := time.Since(began)
	images := max(minImages, int(min(imagesShare*took, time.Until(deadline))/p.perImage()))
	path := w.store + ".image"
	done := 0
	err = log.Images(images, p.random, func(image []byte) bool {
		done++
		p.progress.now("round %d: image %d of %d", p.rounds, done, images)
		began := time.Now()
		ok := p.check(ctx, path, image, known.matches)
		p.checking += time.Since(began)
		return ok
	})
	return err
}

// play has players play for a while, at most a quarter of the part's time.
func (p *losses) play(ctx context.Context, w *world, log *powerloss.Log, known *journalThen) {
	ctx, stop := context.WithTimeout(ctx, p.lasting/4)
	defer stop()
	wait := w.play(ctx, 8, shortPause, known.note)
	defer wait()
	enough := time.Now().Add(shortestPlay + time.Duration(p.random.Int64N(int64(longestPlay-shortestPlay))))
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for log.Written() < maxRecorded && (time.Now().Before(enough) || w.saved.Load() < minGuesses) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	stop()
}

func (p *losses) perImage() time.Duration {
	if p.images == 0 {
		return firstPerImage
	}
	return p.checking / time.Duration(p.images)
}

// check checks an image, and returns whether to go on.
func (p *losses) check(ctx context.Context, path string, image []byte, matches []*match) bool {
	p.images++
	p.largest = max(p.largest, len(image))
	if err := os.WriteFile(path, image, 0o600); err != nil {
		p.verdict.finding("broken off", "%v", err)
		return false
	}
	if p.images%10 == 0 { // starting a program takes time
		p.checkWhole(ctx, path)
	}
	c := &checking{verdict: &p.verdict, store: "bolt:" + path, matches: matches}
	c.run(ctx)
	p.compared += c.acknowledged
	return ctx.Err() == nil
}

// journalThen is the journal as it was at the moment of an image.
type journalThen struct {
	log     *powerloss.Log
	matches []*match
	copies  map[*match]*match
}

// note notes a guess, before or after it is asked, for the images of later moments.
func (j *journalThen) note(m *match, g *guess) {
	seen := *g
	j.log.Note(func() {
		c := j.copies[m]
		if c == nil {
			known := *m
			known.guesses = nil
			c = &known
			j.copies[m] = c
			j.matches = append(j.matches, c)
		}
		if n := len(c.guesses); n > 0 && c.guesses[n-1].id == seen.id {
			c.guesses[n-1] = &seen
		} else {
			c.guesses = append(c.guesses, &seen)
		}
	})
}
