package main

import (
	"context"
	"math/rand/v2"

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

// mutations sends what Discord would never send. The program must not panic, nor answer
// anything twice, and it must go on answering.
func mutations(ctx context.Context, w *world, random *rand.Rand) error {
	// An interaction whose id, token or type was changed cannot be answered rightly.
	expected := []string{"no such endpoint", "does not answer this interaction"}
	if w.byHTTP { // the program does not learn that an answer was refused, and edits a message that is not there
		expected = append(expected, "10008")
	}
	w.checkViolations()
	for range 3 {
		for range batch {
			event := discordtest.Mutate(random, w.discord.Event(mutable[random.IntN(len(mutable))]))
			w.mutated.Add(1)
			w.discord.Invoke(discordtest.Interaction{Raw: event})
		}
		if !w.byHTTP {
			w.discord.SendFrame(discordtest.HostileFrames[random.IntN(len(discordtest.HostileFrames))])
		}
		if err := w.savesAgain(ctx); err != nil {
			return err
		}
		w.checkViolations(expected...)
	}
	return nil
}
