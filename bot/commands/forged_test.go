package commands_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/face"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

// counted is a store that fails after a number of reads, to notice long loops.
type counted struct {
	matches.Store
	left int
}

type countedStatistics struct {
	statistics.Store
	counted *counted
}

func (s *counted) read() error {
	if s.left--; s.left < 0 {
		return fmt.Errorf("too many reads")
	}
	return nil
}

func (s countedStatistics) Daily(ctx context.Context, k game.Kind, g game.GuildID, number, limit int) (statistics.DailyResults, error) {
	if err := s.counted.read(); err != nil {
		return statistics.DailyResults{}, err
	}
	return s.Store.Daily(ctx, k, g, number, limit)
}

func (s *counted) LoadSlots(ctx context.Context, slots []game.Slot, playing bool) ([]matches.Loaded, error) {
	if s.left -= len(slots); s.left < 0 {
		return nil, fmt.Errorf("too many reads")
	}
	return s.Store.LoadSlots(ctx, slots, playing)
}

// TestForgedButtons presses every command with forged arguments, as clients can: numbers, and ids of matches and races
// of other players, channels, servers and kinds, of today's puzzle and of removed challenges. Each press is answered
// soon, and shows no word that the presser must not see.
func TestForgedButtons(t *testing.T) {
	b := newBot(t, []string{"major", "abbey", "cabin", "zesty", "dairy", "bylaw", "ivory", "knoll", "fuzzy", "vixen", "jumbo"})
	b.parts.Finished.PerformanceTime = time.Nanosecond // cards don't wait for reviews
	away, closed := game.Location{Guild: "g2", Channel: "c"}, game.Location{Guild: server.Guild, Channel: "closed"}
	var ids, secrets []string
	play := func(l game.Location, player string, k game.Kind, mode game.Mode, guesses ...string) {
		t.Helper()
		f := b.parts.Kinds.Faces().Of(k)
		b.Ask(l, player, f.Commands.Start, "mode", string(mode))
		m := b.match(t, l, player, k, mode)
		answer := m.State.Answer()
		if guesses == nil {
			guesses = []string{answer}
		}
		for _, guess := range guesses {
			b.Ask(l, player, f.Commands.Guess, f.Guess.Name, guess, "mode", string(mode))
		}
		if m = b.match(t, l, player, k, mode); m.Status() == game.Playing {
			t.Fatalf("%v is still played", m)
		}
		ids, secrets = append(ids, string(m.ID)), append(secrets, answer)
	}
	lost := []string{"mayor", "manor", "macro", "carom", "tumor", "maker"} // few words fit, so that reviews are quick
	play(server, "ana", wordgame.Kind, game.Together, lost...)
	secrets = nil // all players here have seen that word
	play(server, "ana", wordgame.Kind, game.Solo)
	play(server, "ben", wordgame.Kind, game.Solo, lost...)
	play(away, "ana", wordgame.Kind, game.Together, lost...)
	play(closed, "ana", wordgame.Kind, game.Together, lost...)
	play(away, "ana", wordgame.Kind, game.Daily)
	play(server, "ben", wordgame.Kind, game.Daily)
	play(away, "ana", pokergame.Kind, game.Together)
	play(away, "ben", pokergame.Kind, game.Daily)
	for n, l := range []game.Location{server, away} {
		given := b.Ask(l, "ana", wordgame.Commands.Challenge, "word", []string{"quart", "query"}[n], "clue", "so zany", "mode", "solo")
		id := string(given.Board.Match)
		b.Press(l, "dan", bot.Button{Command: wordgame.Commands.Race, Args: map[string]string{"race": id}})
		match := b.match(t, l, "dan", wordgame.Kind, game.Challenged)
		ids, secrets = append(ids, id, string(match.ID)), append(secrets, strings.ToUpper([]string{"quart", "query"}[n]))
		o := game.Origin{Request: game.RequestID(fmt.Sprint("report", n)), Location: l, Player: "eve"}
		for _, to := range []game.Report{game.Reported, game.Removed} {
			if _, err := b.games.ReportRace(t.Context(), o, wordgame.Kind, given.Board.Match, to, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	race := b.Ask(away, "ana", wordgame.Commands.Race)
	ids = append(ids, string(race.Board.Match), string(b.match(t, away, "ana", wordgame.Kind, game.Racing).ID))
	secrets = append(secrets, b.match(t, away, "ana", wordgame.Kind, game.Racing).State.Answer(), "so zany")
	b.Ask(server, "ana", wordgame.Commands.Start)
	b.Ask(server, "ana", pokergame.Commands.Start)
	for _, k := range []game.Kind{wordgame.Kind, pokergame.Kind} {
		ids = append(ids, string(b.match(t, server, "ana", k, game.Together).ID))
	}

	values := append(slices.Clone(ids), "", "0", "-1", "-5", "1", "2", "3", "325", "324", "326", "9223372036854775807", "9223372036854775806", "-9223372036854775808",
		"18446744073709551615", "99999999999999999999999999", "NaN", "1e9", "0x10", "#7", "true", "false", "yes", "own", "reported", "kept", "removed", "share", "day", "week",
		"practice", "crane", "slate crane", "bbygb", "GGGGG", "QD QC", "ana", "2026-11-21", "2026-02-31", "a\x00b", "\xff", "\x00", "…", strings.Repeat("9", 80), strings.Repeat("crane ", 14))
	store := &counted{Store: b.games.Store}
	b.games.Store, b.parts.Statistics = store, countedStatistics{b.parts.Statistics, store}
	b.Bot.Table = commands.New(b.parts).Table()
	random, n := rand.New(rand.NewPCG(1, 2)), 0
	press := func(c bot.Command, args map[string]string) {
		n++
		store.left = 200
		began := b.log.Len()
		r := bot.Request{
			ID: game.RequestID(fmt.Sprint("forged", n)), Location: server, Player: game.PlayerID(fmt.Sprint("stranger", n)), FromComponent: true,
			Command: c.Name, Args: args, LiveBoard: random.IntN(2) == 0,
		}
		reply := b.Bot.Handle(t.Context(), c, r)
		if reply.Problem != bot.NoProblem || b.log.Len() > began {
			t.Errorf("%s %q: problem %d\n%s%s", c.Name, args, reply.Problem, reply, b.log.Bytes()[began:])
			b.log.Truncate(began)
		}
		shown := reply.String()
		if reply.Board != nil && reply.Board.Otherwise != nil {
			shown += reply.Board.Otherwise.String()
		}
		if reply.Form != nil {
			if form := (bot.Button{Command: reply.Form.Command, Args: reply.Form.Args}); len(form.Query()) > bot.MaxButton {
				t.Errorf("%s %q: a form has the arguments %q", c.Name, args, reply.Form.Args)
			}
			for _, field := range reply.Form.Fields {
				if shown += " " + field.Value; len([]rune(field.Value)) > field.Max {
					t.Errorf("%s %q: a form has %q, at most %d", c.Name, args, field.Value, field.Max)
				}
			}
		}
		for _, secret := range secrets {
			if strings.Contains(strings.ToUpper(shown), strings.ToUpper(secret)) {
				t.Errorf("%s %q shows %s:\n%s", c.Name, args, secret, shown)
			}
		}
	}
	for _, c := range b.Bot.Table.Commands {
		names := slices.Clone(c.HiddenArgs)
		for _, o := range c.Options {
			names = append(names, o.Name)
		}
		pick := func(name string) string {
			if i := slices.IndexFunc(c.Options, func(o bot.Option) bool { return o.Name == name }); i >= 0 && c.Options[i].Choices != nil {
				return c.Options[i].Choices[random.IntN(len(c.Options[i].Choices))]
			}
			return values[random.IntN(len(values))]
		}
		press(c, map[string]string{})
		for _, name := range names {
			for _, value := range values {
				args := map[string]string{}
				for _, other := range names {
					if random.IntN(2) == 0 {
						args[other] = pick(other)
					}
				}
				args[name] = value
				press(c, args)
			}
		}
		if t.Failed() {
			return
		}
	}
	for number := range 12 { // days are seven apart
		press(b.Find(bot.NameDaily), map[string]string{"show": "week", "number": fmt.Sprint(-number)})
	}
}

// TestForgedBoard: a button with an ended match of another channel does not show it here, where others may not read that channel.
func TestForgedBoard(t *testing.T) {
	b := newBot(t, nil)
	closed := game.Location{Guild: server.Guild, Channel: "closed"}
	b.Ask(closed, "ana", wordgame.Commands.Start)
	id := b.match(t, closed, "ana", wordgame.Kind, game.Together).ID
	b.Ask(closed, "ana", wordgame.Commands.Stop)
	b.Ask(server, "ana", wordgame.Commands.Start)
	r := bot.Request{
		ID: "forged", Location: server, Player: "ana", FromComponent: true, LiveBoard: true, Command: wordgame.Commands.Hint,
		Args: map[string]string{"mode": face.ModeName(game.Together), face.ArgMatch: string(id)}, MayRead: func(context.Context, game.ChannelID) bool { return true },
	}
	if reply := b.Bot.Handle(t.Context(), b.Find(r.Command), r); reply.Board != nil || reply.Audience != bot.Asker {
		t.Errorf("it shows\n%s", reply)
	}
}
