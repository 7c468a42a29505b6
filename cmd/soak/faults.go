package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fivefold/bot/discord/discordtest"
)

// fault is something that Discord does, or the way to it. Done says that it happens too
// late to keep the bot, or Discord, from doing what it was asked to.
type fault struct {
	name string
	do   func(ctx context.Context, v *victim, done bool) error
}

const (
	// slowestResume is the longest that the program may take to resume its session.
	// Discord's own waits are shorter, and a player gives up after some.
	slowestResume = 10 * time.Second
	// slowestStart is the longest that it may take to begin a session. It does that less and less
	// often, up to once in two minutes, while sessions do not last, since Discord allows
	// a number of them a day.
	slowestStart = 150 * time.Second
)

var faultPlan = []fault{
	broken("cut", slowestResume, func(d *discordtest.Server) { d.CutGateway() }),
	broken("op 7", slowestResume, func(d *discordtest.Server) { d.SendReconnect() }),
	broken("op 9, resumable", slowestResume, func(d *discordtest.Server) { d.InvalidateSessions(true) }),
	broken("op 9", slowestStart, func(d *discordtest.Server) { d.InvalidateSessions(false) }),
	broken("close 1001", slowestStart, func(d *discordtest.Server) { d.CloseGateway(1001, "Going away.") }),
	broken("close 4000", slowestResume, func(d *discordtest.Server) { d.CloseGateway(4000, "Unknown error.") }),
	broken("close 4008", slowestResume, func(d *discordtest.Server) { d.CloseGateway(4008, "Rate limited.") }),
	broken("close 4009", slowestStart, func(d *discordtest.Server) { d.CloseGateway(4009, "Session timed out.") }),
	broken("refused, then cut", slowestResume, func(d *discordtest.Server) {
		d.Break("", "/socket", discordtest.Breakage{Status: 503}, 1)
		d.CutGateway()
	}),
	response("429", discordtest.Breakage{Status: 429}),
	response("500", discordtest.Breakage{Status: 500}),
	response("502", discordtest.Breakage{Status: 502}),
	response("503", discordtest.Breakage{Status: 503}),
	response("slow", discordtest.Breakage{Slow: 1200 * time.Millisecond}),
	response("cut answer", discordtest.Breakage{Cut: true}),
	response("half an answer", discordtest.Breakage{Half: true}),
	{"delivered again", again},
}

// faults carries out the plan over and over, in an order that the seed gives.
func faults(ctx context.Context, s *soak) error {
	w, err := s.newWorld(ctx, "faults", setup{})
	if err != nil {
		return err
	}
	defer w.end(ctx)
	random := s.random("faults")
	playing, stop := context.WithCancel(ctx)
	wait := w.play(playing, players, 100*time.Millisecond, nil)
	defer wait()
	defer stop()
	v := &victim{player: &player{world: w, number: 999, random: random}}
	type form struct {
		fault
		done bool
	}
	var forms []form
	for _, f := range faultPlan {
		forms = append(forms, form{f, false}, form{f, true})
	}
	count := 0
	for deadline := time.Now().Add(s.lasting); time.Now().Before(deadline); count++ {
		if count%len(forms) == 0 {
			random.Shuffle(len(forms), func(i, j int) { forms[i], forms[j] = forms[j], forms[i] })
		}
		f := forms[count%len(forms)]
		s.progress.now("%s, done: %t", f.name, f.done)
		if err := f.do(ctx, v, f.done); err != nil {
			return fmt.Errorf("%s, done: %t: %w", f.name, f.done, err)
		}
	}
	s.verdict.figure("%d kinds of faults, each %.1f times in both forms", len(faultPlan), float64(count)/float64(len(forms)))
	s.verdict.figure("%d times connected again, after at most %v", v.reconnects, v.longest.Round(time.Millisecond))
	return nil
}

// victim is the player whose interactions the faults hit.
type victim struct {
	*player
	match      *match
	reconnects int
	longest    time.Duration // until the program was connected again
}

// guess guesses the next word, in a new game where the last one is over, and returns
// whether the player saw an answer. With is called with the interaction's id before it is
// sent.
func (v *victim) guess(ctx context.Context, with func(id string)) bool {
	if v.match == nil || len(v.match.guesses) == len(guessed) {
		v.games++
		place := fmt.Sprintf("9%09d", v.games)
		m := &match{id: v.newID(), guild: "79", channel: "13" + place, user: "12" + place}
		v.journal.begin(m)
		text, ok := v.ask(ctx, v.interaction(m, m.id, "wordle start", nil))
		if !ok || !strings.Contains(text.Content, "6 attempts left") {
			return false
		}
		m.start = acknowledged
		v.match = m
	}
	word := guessed[len(v.match.guesses)]
	g := &guess{id: v.newID(), word: strings.ToUpper(word), asked: time.Now()}
	v.match.guesses = append(v.match.guesses, g)
	with(g.id)
	answer, ok := v.ask(ctx, v.interaction(v.match, g.id, "guess", map[string]any{"word": word}))
	v.learn(g, answer.Content, ok)
	return g.outcome == acknowledged
}

func (v *victim) interaction(m *match, id, command string, options map[string]any) discordtest.Interaction {
	return discordtest.Interaction{ID: id, Guild: m.guild, Channel: m.channel, User: m.user, Command: command, Options: options}
}

// broken breaks the connection to the gateway, either right before an interaction is sent,
// which the program then gets when it is back, or right after it.
func broken(name string, slowest time.Duration, breaks func(*discordtest.Server)) fault {
	return fault{name, func(ctx context.Context, v *victim, done bool) error {
		before := sessions(v.discord)
		var began time.Time
		hook := func() { began = time.Now(); breaks(v.discord) }
		v.guess(ctx, func(string) {
			if done {
				v.afterNext.Store(&hook)
			} else {
				v.beforeNext.Store(&hook)
			}
		})
		ctx, cancel := context.WithTimeout(ctx, slowest+3*patience)
		defer cancel()
		if err := v.discord.WaitReady(ctx, before+1); err != nil {
			return fmt.Errorf("the program does not connect again: %w", err)
		}
		took := time.Since(began)
		v.reconnects++
		v.longest = max(v.longest, took)
		if took > slowest {
			v.verdict.finding("slow to connect again", "after %s: %v", name, took.Round(time.Millisecond))
		}
		return v.bot.connected(ctx)
	}}
}

func sessions(d *discordtest.Server) int {
	identified, resumed := d.Sessions()
	return identified + resumed
}

// response has one first response fail. The player must see an answer all the same.
func response(name string, how discordtest.Breakage) fault {
	return fault{name, func(ctx context.Context, v *victim, done bool) error {
		how := how
		how.Done = done
		v.match = nil // another player: of this one too much may still be under way
		seen := v.guess(ctx, func(id string) { v.discord.Break("POST", "/interactions/"+id+"/", how, 1) })
		if !seen && ctx.Err() == nil {
			v.verdict.finding("no answer", "%s, done: %t", name, done)
		}
		return nil
	}}
}

// again delivers an interaction twice, at once or after its answer.
func again(ctx context.Context, v *victim, done bool) error {
	var id string
	if done {
		v.guess(ctx, func(sent string) { id = sent })
		v.discord.Invoke(discordtest.Interaction{ID: id})
		return nil
	}
	v.guess(ctx, func(sent string) {
		hook := func() { v.discord.Invoke(discordtest.Interaction{ID: sent}) }
		v.afterNext.Store(&hook)
	})
	return nil
}
