package main

import (
	"context"
	"errors"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/game/wordle"
	"fivefold/storage"
	"fivefold/storage/check"
)

// tooLate is the age after which nothing may be carried out any more: the program's limit of 2.5 s, and what may pass on
// a busy machine until it looks at the clock again.
const tooLate = 4 * time.Second

// checking compares a store with what players know of it.
type checking struct {
	*verdict
	store   string // its URL
	matches []*match

	acknowledged         int // guesses that must be there
	unansweredButCounted int
	results              int // in the log
}

// run has the store check itself, and compares its totals with its log, and its matches with what
// players know. The store must not be in use.
func (c *checking) run(ctx context.Context) {
	store, err := storage.Open(ctx, c.store, kinds.Codecs(), storage.Options{})
	if err != nil {
		c.finding("the store does not open", "%v", err)
		return
	}
	defer func() {
		if err := store.Close(); err != nil {
			c.finding("the store does not close", "%v", err)
		}
	}()
	options := check.Options{Report: func(f check.Finding) { c.finding("fivefold check", "%v", f) }}
	if _, err := store.Check(ctx, options); err != nil {
		c.finding("unreadable", "the store: %v", err)
	}
	log, err := store.Results(ctx, 0, 1<<30)
	if err != nil {
		c.finding("unreadable", "the log: %v", err)
	}
	c.results = len(log)
	c.checkResults(log)
	c.checkTotals(ctx, store, log)
	c.checkMatches(ctx, store, log)
}

// checkResults looks for matches that ended twice, and for those that began too late.
func (c *checking) checkResults(log []game.Result) {
	seen := map[game.MatchID]bool{}
	for _, r := range log {
		if seen[r.Match] {
			c.finding(doubled, "match %s is in the log twice", r.Match)
		}
		seen[r.Match] = true
		c.checkAge("the start of match", string(r.Match), r.Started)
	}
}

// checkAge notes a change that was made too long after it was asked for.
func (c *checking) checkAge(what, id string, made time.Time) {
	age := made.Sub(discordtest.MadeAt(id))
	c.age(age)
	if age > tooLate {
		c.finding(late, "%s %s, %v after it was asked for", what, id, age)
	}
}

// checkTotals compares all totals with the log. That leaderboards follow from totals is for the store's own check.
func (c *checking) checkTotals(ctx context.Context, store *storage.Store, log []game.Result) {
	for name, tally := range statistics.TallyOf(log) {
		for scope := range tally {
			if got, err := store.Totals(ctx, scope, name); err != nil || got != tally.Of(scope) {
				c.finding(differs, "the totals of %s in %v are %+v, %v; by the log they are %+v", name, scope, got, err, tally.Of(scope))
			}
		}
	}
}

// checkMatches compares every match of the journal with what is stored.
func (c *checking) checkMatches(ctx context.Context, store *storage.Store, log []game.Result) {
	ended := map[game.MatchID]bool{}
	for _, r := range log {
		ended[r.Match] = true
	}
	for _, m := range c.matches {
		stored, err := storedMatch(ctx, store, m, ended[game.MatchID(m.id)])
		if err != nil {
			c.finding("unreadable", "match %s: %v", m.id, err)
			continue
		}
		c.checkMatch(m, stored)
	}
}

// storedMatch returns a match of the journal as it is stored. Its version is 0 if it is not
// stored.
func storedMatch(ctx context.Context, store *storage.Store, m *match, ended bool) (game.Match, error) {
	if ended {
		finished, err := store.Finished(ctx, game.MatchID(m.id))
		return finished.Match, err
	}
	slot := game.ChannelSlot(wordgame.Kind, game.ChannelID(m.channel))
	if m.solo {
		slot = game.OwnSlot(wordgame.Kind, game.Solo, game.PlayerID(m.user), game.Location{Guild: game.GuildID(m.guild), Channel: game.ChannelID(m.channel)})
	}
	stored, err := store.Load(ctx, slot)
	if errors.Is(err, game.ErrNoMatch) || err == nil && stored.ID != game.MatchID(m.id) {
		return game.Match{}, nil
	}
	return stored, err
}

// checkMatch compares a match with what its player knows.
func (c *checking) checkMatch(m *match, stored game.Match) {
	if stored.Version == 0 {
		if m.start == acknowledged {
			c.finding(lost, "match %s, whose start was acknowledged, with %d guesses", m.id, len(m.guesses))
		}
		return
	}
	times := map[string]int{}
	when := map[string]time.Time{}
	for i, t := range stored.State.(wordle.State).Turns() {
		word := t.Guess.String()
		times[word]++
		if i < len(stored.Moves) {
			when[word] = stored.Moves[i].At
		}
	}
	if moves := len(stored.Moves); moves != len(when) {
		c.finding(doubled, "%d moves with %d words in match %s", moves, len(when), m.id)
	}
	for _, g := range m.guesses {
		n := times[g.word]
		delete(times, g.word)
		if g.outcome == acknowledged {
			c.acknowledged++
		}
		switch {
		case n == 0 && g.outcome == acknowledged:
			c.finding(lost, "%s, acknowledged in match %s", g.word, m.id)
		case n > 1:
			c.finding(doubled, "%s, %d times in match %s", g.word, n, m.id)
		case n == 1 && g.outcome == refused:
			c.finding("refused and counted", "%s in match %s", g.word, m.id)
		case n == 1 && g.outcome == unknown:
			c.unansweredButCounted++
		}
		if n == 1 {
			c.checkAge("guess", g.id, when[g.word])
		}
	}
	for word := range times {
		c.finding("never asked for", "%s in match %s", word, m.id)
	}
}
