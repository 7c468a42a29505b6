package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fivefold/bot/discord/discordtest"
)

// fault is something that goes wrong at Discord or on the way there. Done says that it happens
// too late to keep the bot, or Discord, from doing what it was asked to.
type fault struct {
	name string
	do   func(ctx context.Context, v *victim, done bool) error
}

// slowest is the longest that the program may take until it is connected again. Discord's own
// waits are shorter, and players do not wait for ever. The program may begin a session only
// every 5 s, and does so while Discord allows plenty of them, as the fake one here does.
const slowest = 10 * time.Second

var faultPlan = []fault{
	broken("cut", func(d *discordtest.Server) { d.CutGateway() }),
	broken("op 7", func(d *discordtest.Server) { d.SendReconnect() }),
	broken("op 9, resumable", func(d *discordtest.Server) { d.InvalidateSessions(true) }),
	broken("op 9", func(d *discordtest.Server) { d.InvalidateSessions(false) }),
	broken("close 1001", func(d *discordtest.Server) { d.CloseGateway(1001, "Going away.") }),
	broken("close 4000", func(d *discordtest.Server) { d.CloseGateway(4000, "Unknown error.") }),
	broken("close 4008", func(d *discordtest.Server) { d.CloseGateway(4008, "Rate limited.") }),
	broken("close 4009", func(d *discordtest.Server) { d.CloseGateway(4009, "Session timed out.") }),
	broken("refused, then cut", func(d *discordtest.Server) {
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

// faults carries out the plan over and over, in an order that the seed decides.
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
		switch err := f.do(ctx, v, f.done); {
		case errors.Is(err, errNoGame):
			s.verdict.slow("no answer", "before %s, done: %t: %v", f.name, f.done, err)
		case err != nil:
			return fmt.Errorf("%s, done: %t: %w", f.name, f.done, err)
		}
	}
	s.verdict.figure("%d kinds of faults, each %.1f times in both forms", len(faultPlan), float64(count)/float64(len(forms)))
	s.verdict.figure("%d times connected again, after at most %v", v.reconnects, v.longest.Round(time.Millisecond))
	return nil
}

// victim is the player whose interactions the faults hit: another one each time, since too
// much of the last one may still be under way.
type victim struct {
	*player
	reconnects int
	longest    time.Duration // until the program was connected again
}

// errNoGame means that there was no game to guess in, and so no trouble.
var errNoGame = errors.New("the game does not start")

// guess starts a game and guesses a word amid trouble. It returns whether the player saw an answer
// to the guess.
func (v *victim) guess(ctx context.Context, t trouble) (seen bool, err error) {
	v.games++
	place := fmt.Sprintf("9%09d", v.games)
	m := &match{id: v.newID(), guild: "79", channel: "13" + place, user: "12" + place}
	v.journal.begin(m)
	start, ok := v.ask(ctx, v.interaction(m, m.id, "wordle start", nil))
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case !ok || !strings.Contains(start.Content, "6 attempts left"):
		return false, fmt.Errorf("%w: answered %t, %q", errNoGame, ok, start.Content)
	}
	m.start = acknowledged
	word := guessed[v.random.IntN(len(guessed))]
	g := &guess{id: v.newID(), word: strings.ToUpper(word), asked: time.Now()}
	m.guesses = append(m.guesses, g)
	answer, ok := v.askAmid(ctx, v.interaction(m, g.id, "guess", map[string]any{"word": word}), t)
	v.learn(g, answer.Content, ok)
	return g.outcome == acknowledged, nil
}

func (v *victim) interaction(m *match, id, command string, options map[string]any) discordtest.Interaction {
	return discordtest.Interaction{ID: id, Guild: m.guild, Channel: m.channel, User: m.user, Command: command, Options: options}
}

// broken breaks the connection to the gateway, either right before an interaction is sent,
// which the program then gets when it is back, or right after it.
func broken(name string, breaks func(*discordtest.Server)) fault {
	return fault{name, func(ctx context.Context, v *victim, done bool) error {
		before := sessions(v.discord)
		var began time.Time
		hook := func(string) { began = time.Now(); breaks(v.discord) }
		t := trouble{before: hook}
		if done {
			t = trouble{after: hook}
		}
		if _, err := v.guess(ctx, t); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, slowest+3*patience)
		defer cancel()
		if err := v.discord.WaitReady(ctx, before+1); err != nil {
			return fmt.Errorf("the program does not connect again: %w", err)
		}
		took := time.Since(began)
		v.reconnects++
		v.longest = max(v.longest, took)
		if took > slowest {
			v.verdict.slow("slow to connect again", "after %s: %v", name, took.Round(time.Millisecond))
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
		seen, err := v.guess(ctx, trouble{before: func(id string) { v.discord.Break("POST", "/interactions/"+id+"/", how, 1) }})
		if err == nil && !seen && ctx.Err() == nil {
			v.verdict.slow("no answer", "%s, done: %t", name, done)
		}
		return err
	}}
}

// again delivers an interaction twice, at once or after its answer.
func again(ctx context.Context, v *victim, done bool) error {
	repeat := func(id string) { v.discord.Invoke(discordtest.Interaction{ID: id}) }
	if !done {
		_, err := v.guess(ctx, trouble{after: repeat})
		return err
	}
	var sent string
	_, err := v.guess(ctx, trouble{before: func(id string) { sent = id }})
	if err == nil {
		repeat(sent)
	}
	return err
}
