package main

import (
	"context"
	"errors"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/storage"
	"fivefold/storage/check"
)

// tooLate is the age at which nothing may be carried out any more: the program's limit of 2.5 s, and a busy machine's delay.
const tooLate = 4 * time.Second

// checking compares a store with what players know of it.
type checking struct {
	*verdict
	acknowledged int           // guesses that must be there
	unanswered   int           // guesses that are there although no answer said so
	oldest       time.Duration // the greatest age at which a request was carried out
}

// run has a store check itself, which compares all totals with the log, and compares its matches with those that were
// played. The store must not be in use.
func (c *checking) run(ctx context.Context, url string, played []*match) (err error) {
	store, err := storage.Open(ctx, url, kinds.Codecs(), storage.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if _, err := store.Check(ctx, check.Options{Report: func(f check.Finding) { c.finding(differs, "%v", f) }}); err != nil {
		return err
	}
	log, err := store.Results(ctx, 0, 1<<30)
	if err != nil {
		return err
	}
	ended := map[game.MatchID]bool{}
	for _, r := range log {
		if ended[r.Match] {
			c.finding(doubled, "match %s is in the log twice", r.Match)
		}
		ended[r.Match] = true
	}
	for _, m := range played {
		slot := game.ChannelSlot(wordgame.Kind, game.ChannelID(m.channel))
		if m.solo {
			slot = game.OwnSlot(wordgame.Kind, game.Solo, game.PlayerID(m.user), game.Location{Guild: game.GuildID(m.guild), Channel: game.ChannelID(m.channel)})
		}
		stored, err := store.Load(ctx, slot)
		if err != nil && !errors.Is(err, game.ErrNoMatch) {
			return err
		}
		c.compare(m, stored)
	}
	return nil
}

// compare compares the match in a slot, if any, with what its player knows.
func (c *checking) compare(m *match, stored game.Match) {
	if stored.ID != game.MatchID(m.id) {
		if m.started {
			c.finding(lost, "match %s, whose start was acknowledged, with %d guesses", m.id, len(m.guesses))
		}
		return
	}
	c.checkAge(m.id, stored.Started)
	turns := stored.State.(wordle.State).Turns()
	if len(turns) != len(stored.Moves) {
		c.finding(doubled, "%d moves with %d words in match %s", len(stored.Moves), len(turns), m.id)
		return
	}
	made := map[string][]time.Time{} // when each word was guessed
	for i, t := range turns {
		made[t.Guess.String()] = append(made[t.Guess.String()], stored.Moves[i].At)
	}
	for _, g := range m.guesses {
		at := made[g.word]
		delete(made, g.word)
		if g.outcome == acknowledged {
			c.acknowledged++
		}
		switch {
		case len(at) == 0 && g.outcome == acknowledged:
			c.finding(lost, "%s, acknowledged in match %s", g.word, m.id)
		case len(at) > 1:
			c.finding(doubled, "%s, %d times in match %s", g.word, len(at), m.id)
		case len(at) == 1 && g.outcome == refused:
			c.finding("refused and counted", "%s in match %s", g.word, m.id)
		case len(at) == 1 && g.outcome == unknown:
			c.unanswered++
		}
		for _, at := range at {
			c.checkAge(g.id, at)
		}
	}
	for word := range made {
		c.finding("never asked for", "%s in match %s", word, m.id)
	}
}

// checkAge notes a change that was made too long after the interaction with the id.
func (c *checking) checkAge(id string, made time.Time) {
	age := made.Sub(discordtest.MadeAt(id))
	if c.oldest = max(c.oldest, age); age > tooLate {
		c.finding(late, "%s, %v after it was asked for", id, age)
	}
}
