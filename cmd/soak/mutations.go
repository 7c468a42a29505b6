package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fivefold/bot/discord/discordtest"
)

// batch is the number of mutated interactions after which an honest one must be answered.
const batch = 200

// mutable are the interactions that are mutated.
var mutable = []discordtest.Interaction{
	{Guild: "71", Command: "wordle start"},
	{Command: "wordle start", Options: map[string]any{"mode": "solo", "hard": true}},
	{Guild: "71", Command: "guess", Options: map[string]any{"word": "slate"}},
	{Guild: "71", Command: "hint", Options: map[string]any{"kind": "letter"}},
	{Command: "pokle start"},
	{Command: "pokle guess"},
	{Command: "pokle solve", Options: map[string]any{"deal": someDeal(0)}},
	{Command: "solve next", Options: map[string]any{"guess": "fuzzy", "feedback": "bbbbb"}},
	{Guild: "71", Command: "stats", Options: map[string]any{"player": discordtest.UserOption("1200000000000000001")}},
	{Guild: "71", Command: "review list"},
	{Guild: "71", Command: "wordle stop"},
	{Type: discordtest.TypeAutocomplete, Command: "guess", Focused: "word", Options: map[string]any{"word": "sl"}},
	{Type: discordtest.TypeComponent, CustomID: "wordle board"},
	{Type: discordtest.TypeComponent, CustomID: "solve next?guess=fuzzy&feedback=bbbbb"},
	{Type: discordtest.TypeModal, CustomID: "guess", Options: map[string]any{"word": "brick"}},
}

// hostile are frames of the gateway that Discord would never send.
var hostile = []string{
	`null`, `[]`, `0`, `""`, `{}`, `{"op":null}`, `{"op":0}`, `{"op":0,"t":null,"s":null,"d":null}`, `{"op":0,"t":"READY","s":1,"d":null}`,
	`{"op":0,"t":"RESUMED","s":-1,"d":[]}`, `{"op":0,"t":"INTERACTION_CREATE","s":2,"d":null}`, `{"op":0,"t":"INTERACTION_CREATE","s":2,"d":[[]]}`,
	`{"op":10,"d":null}`, `{"op":10,"d":{"heartbeat_interval":0}}`, `{"op":10,"d":{"heartbeat_interval":-5}}`, `{"op":11,"d":{}}`, `{"op":1,"d":null}`,
	`{"op":9,"d":null}`, `{"op":99,"d":{}}`, `{"op":"0"}`, `{"op":1e400}`, "\x00", `{`,
}

// mutations sends what Discord would never send. The program must not panic, nor answer
// anything twice, and it must go on answering. By HTTP, one in four has a wrong signature and
// must be refused with 401, and there are slow connections.
func mutations(ctx context.Context, s *soak) error {
	w, err := s.newWorld(ctx, "mutations", setup{allWords: true})
	if err != nil {
		return err
	}
	w.quiet = true
	defer w.end(ctx)
	random := s.random("mutations")
	sent, refused := 0, 0
	if w.bot.url != "" {
		slow, err := w.slowConnections(ctx)
		if err != nil {
			return err
		}
		defer slow.close()
	}
	for deadline := time.Now().Add(s.lasting); time.Now().Before(deadline); {
		for range batch {
			event := discordtest.Mutate(random, w.discord.Event(mutable[random.IntN(len(mutable))]))
			sent++
			if w.bot.url != "" && random.IntN(4) == 0 {
				if err := w.forge(ctx, random, event); err != nil {
					return err
				}
				refused++
				continue
			}
			w.discord.Invoke(discordtest.Interaction{Raw: event})
		}
		if w.bot.url == "" {
			w.discord.SendFrame(hostile[random.IntN(len(hostile))])
		}
		if err := w.answers(ctx); err != nil {
			return fmt.Errorf("after %d interactions: %w", sent, err)
		}
		s.progress.answered.Add(batch)
		w.checkMutated()
	}
	if w.bot.url != "" {
		s.verdict.figure("%d mutated interactions, %d of them with wrong signatures, while %d connections were half open", sent, refused, slowConnections)
	} else {
		s.verdict.figure("%d mutated interactions, %d frames that are none", sent, sent/batch)
	}
	return nil
}

// answers waits until an honest interaction is answered. It may take a while, until what
// came before has been done.
func (w *world) answers(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < patience; {
		if _, ok := w.ask(ctx, discordtest.Interaction{Command: "pokle rules"}); ok {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("nothing is answered any more\n%s", tail(w.bot.log, 5))
}

// checkMutated looks for a second answer, and for anything else that Discord would refuse.
// An interaction whose id, token or type was changed cannot be answered rightly.
func (w *world) checkMutated() {
	for _, v := range w.discord.Violations() {
		switch {
		case strings.Contains(v, "40060"):
			w.verdict.finding("answered twice", "%s", v)
		case strings.Contains(v, "10062"), strings.Contains(v, "10015"), strings.Contains(v, "no such endpoint"), strings.Contains(v, "does not answer this interaction"),
			strings.Contains(v, "the first answer came after"):
		case w.bot.url != "" && strings.Contains(v, "10008"): // by HTTP the program does not learn that an answer was refused, and edits a message that is not there
		default:
			w.verdict.finding("refused by Discord", "%s", v)
		}
	}
}
