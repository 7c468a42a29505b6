package commands_test

import (
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/storage/storagetest/toy"
)

// TestEveryKindIsWhole: the rules and the face of no kind of game lack anything.
func TestEveryKindIsWhole(t *testing.T) {
	b := newBot(t, nil)
	faces := b.parts.Kinds.Faces()
	for _, r := range b.games.Rules {
		mustBeWhole(t, string(r.Kind), reflect.ValueOf(r), "NoRepeat", "Difficulty", "Races")
	}
	for i, f := range faces {
		// The first kind needs no title.
		optional := []string{"HintKindsHelp", "StartOptions", "Search", "ReadAnswer", "Challenge", "PlayOn", "picture"}
		if i == 0 {
			optional = append(optional, "Title")
		}
		mustBeWhole(t, string(f.Kind), reflect.ValueOf(f.Words), optional...)
		mustBeWhole(t, string(f.Kind), reflect.ValueOf(f).FieldByName("ofKind"), optional...)
		mustBeWhole(t, string(f.Kind), reflect.ValueOf(f.Commands), "Race", "Challenge")
		for _, text := range []string{f.About, f.StartHelp, f.GuessHelp, f.HintHelp, f.HintKindsHelp, f.BoardHelp, f.StopHelp, f.StatsHelp, f.RulesHelp} {
			if n := utf8.RuneCountInString(text); n > 100 {
				t.Errorf("%s: %q has %d characters", f.Kind, text, n)
			}
		}
		for name, text := range helpOf(f) {
			if c, ok := b.Bot.Table.Find(name); !ok || c.Help != text {
				t.Errorf("%s: /%s is in the table: %t, with the help %q, want %q", f.Kind, name, ok, c.Help, text)
			}
		}
	}
	if err := bottest.CheckTable(b.Bot.Table); err != nil {
		t.Error(err)
	}
}

// helpOf returns the help of a kind's commands, by their names.
func helpOf(f face.Face) map[string]string {
	return map[string]string{
		f.Commands.Start: f.StartHelp, f.Commands.Guess: f.GuessHelp, f.Commands.Hint: f.HintHelp, f.Commands.Board: f.BoardHelp,
		f.Commands.Stop: f.StopHelp, f.Commands.Stats: f.StatsHelp, f.Commands.Rules: f.RulesHelp,
	}
}

// mustBeWhole fails the test where a field of a struct has its zero value and is not
// optional.
func mustBeWhole(t *testing.T, kind string, v reflect.Value, optional ...string) {
	t.Helper()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && !slices.Contains(optional, name) {
			t.Errorf("%s: %v has no %s", kind, v.Type(), name)
		}
	}
}

// refusals returns replies to requests of a kind that refuse them, or that say which other
// command to use, whatever the kind. It plays games of the kind on the way.
func refusals(t *testing.T, b *testBot, f face.Face) []bot.Reply {
	t.Helper()
	c, guess := f.Commands, f.Guess.Name
	replies := []bot.Reply{bot.Outdated("")}
	ask := func(player, command string, args ...string) bot.Reply {
		reply := b.Ask(server, player, command, args...)
		replies = append(replies, reply)
		return reply
	}
	for _, command := range []string{c.Board, c.Hint, c.Stop} { // no match yet
		ask("ana", command)
	}
	ask("ana", c.Guess, guess, f.Example)
	ask("ana", c.Stats)
	ask("ana", c.Stats, "player", "ana")
	ask("ana", c.Start)
	ask("ana", c.Start) // running
	ask("ben", c.Stop)
	ask("ben", c.Start, "mode", "everything")
	ask("ben", c.Guess)
	ask("ben", c.Guess, guess, "?")
	wrong := wrongGuess(f, b.match(t, server, "ana", f.Kind, game.Together))
	ask("ben", c.Guess, guess, wrong)
	ask("ben", c.Guess, guess, wrong) // repeated
	ask("ben", bot.NameReview)        // being played
	ask("ana", c.Start, "mode", "solo")
	ask("ana", c.Start, "mode", "solo")
	for _, command := range []string{c.Board, c.Hint, c.Stop} { // which?
		ask("ana", command)
	}
	ask("ana", c.Start, "mode", "daily")
	for _, k := range f.HintKinds { // until all are known
		for range 6 {
			ask("ana", c.Hint, "mode", "solo", "kind", string(k))
		}
	}
	ask("ana", c.Guess, "mode", "daily", guess, b.answer(t, server, "ana", f.Kind, game.Daily))
	ask("ana", c.Start, "mode", "daily") // played
	ask("ana", c.Hint, "mode", "daily")  // ended
	ask("ana", c.Guess, "mode", "daily", guess, f.Example)
	ask("ana", c.Stop, "mode", "daily")
	number := b.latestNumber(t)
	ask("ben", bot.NameReview, "number", number) // not finished by ben
	ask("ben", bot.NameReplay, "number", number)
	ask("ana", bot.NameReview, "number", number)
	ask("ana", bot.NameReplay, "number", number)
	ask("ana", c.Stop, "mode", "solo")
	ask("ana", c.Stop, "mode", "together")
	ask("ana", c.Stats)
	return replies
}

// TestNoOtherKindIsMentioned: no reply in a game of one kind sends the player to a
// command of another.
func TestNoOtherKindIsMentioned(t *testing.T) {
	faces := newBot(t, nil, toy.Game()).parts.Kinds.Faces()
	for _, f := range faces {
		t.Run(string(f.Kind), func(t *testing.T) {
			b := newBot(t, nil, toy.Game())
			others := map[string]game.Kind{}
			for _, other := range faces {
				for name := range helpOf(other) {
					if other.Kind != f.Kind {
						others[name] = other.Kind
					}
				}
			}
			own := 0
			for _, reply := range refusals(t, b, f) {
				for _, row := range reply.Buttons { // the leaderboards lead to one another
					for i, button := range row {
						if button.Args["when"] != "" {
							row[i].Command = f.Commands.Stats
						}
					}
				}
				for _, name := range mentioned(b.Bot.Table, reply) {
					if k, ok := others[name]; ok {
						t.Errorf("a reply mentions /%s, of %s:\n%s", name, k, reply)
					}
					if _, ok := helpOf(f)[name]; ok {
						own++
					}
				}
			}
			if own < 10 {
				t.Errorf("only %d commands of the kind are mentioned", own)
			}
			for _, name := range []string{f.Commands.Start, f.Commands.Guess, f.Commands.Hint, f.Commands.Board, f.Commands.Stop, f.Commands.Stats} {
				c, _ := b.Bot.Table.Find(name)
				if _, ok := helpOf(f)[c.ShowCommand]; !ok {
					t.Errorf("after a timeout /%s sends the player to /%s", name, c.ShowCommand)
				}
			}
		})
	}
}

// mentioned returns the names of the commands that a reply's text and buttons mention.
func mentioned(table bot.Table, r bot.Reply) []string {
	var names []string
	for _, row := range r.Buttons {
		for _, b := range row {
			names = append(names, b.Command)
		}
	}
	for _, line := range r.Lines {
		for _, s := range line.Text {
			for _, c := range table.Commands {
				if s.Text == "/"+c.Name || len(s.Text) > len(c.Name)+1 && s.Text[:len(c.Name)+2] == "/"+c.Name+" " {
					names = append(names, c.Name)
				}
			}
		}
	}
	return names
}
