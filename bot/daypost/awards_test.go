package daypost_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/commands"
	"fivefold/bot/commands/commandstest"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

// club plays word games in a server, and writes down what happened.
type club struct {
	t      *testing.T
	ask    bottest.Asker
	parts  commands.Dependencies
	now    time.Time
	lists  *wordle.Lists
	random *rand.Rand
	month  string // to be counted

	daily    []played
	together []played
}

type played struct {
	players []string // by guess
	guesses []wordle.Word
	answer  wordle.Word
	day     int
	won     bool
	hinted  bool
}

func newClub(t *testing.T) *club {
	c := &club{t: t, random: rand.New(rand.NewPCG(37, 4))}
	var err error
	if c.lists, err = wordle.Embedded(); err != nil {
		t.Fatal(err)
	}
	store := storage.New(&orderedtest.Memory{}, kinds.Codecs(), storage.Options{})
	c.parts = commandstest.Dependencies(t, store, slog.New(slog.DiscardHandler), func() string {
		return c.lists.Answers()[c.random.IntN(len(c.lists.Answers()))].String()
	})
	c.parts.Games.Now = func() time.Time {
		c.now = c.now.Add(time.Millisecond)
		return c.now
	}
	c.ask.Bot = &bot.Bot{Table: commands.New(c.parts).Table(), Log: slog.New(slog.DiscardHandler)}
	return c
}

// play plays a game to its end: each guess by one of the players, the last one right after so many wrong ones.
func (c *club) play(mode game.Mode, wrong int, players ...string) played {
	server, name := game.Location{Guild: "g", Channel: "c"}, map[game.Mode]string{game.Daily: "daily", game.Together: "together"}[mode]
	c.ask.Ask(server, players[0], wordgame.Commands.Start, "mode", name)
	m, err := c.parts.Games.Latest(c.t.Context(), game.Origin{Request: "look", Location: server, Player: game.PlayerID(players[0])}, matches.Target{Kind: wordgame.Kind, Mode: mode})
	if err != nil {
		c.t.Fatal(err)
	}
	p := played{answer: wordle.MustParse(strings.ToLower(m.State.Answer())), day: c.parts.Games.Today(), won: wrong < wordle.Attempts}
	if p.hinted = mode == game.Daily && c.random.IntN(3) == 0; p.hinted {
		c.ask.Ask(server, players[0], wordgame.Commands.Hint, "kind", "letter", "mode", name)
	}
	for len(p.guesses) < min(wrong+1, wordle.Attempts) {
		word := c.lists.Answers()[c.random.IntN(len(c.lists.Answers()))]
		if len(p.guesses) == wrong {
			word = p.answer
		} else if word == p.answer || slices.Contains(p.guesses, word) {
			continue
		}
		player := players[c.random.IntN(len(players))]
		c.ask.Ask(server, player, wordgame.Commands.Guess, "word", word.String(), "mode", name)
		p.guesses, p.players = append(p.guesses, word), append(p.players, player)
	}
	return p
}

// left counts plainly how many words fit the first guesses.
func (c *club) left(p played, guesses int) (n int) {
	for _, word := range c.lists.Answers() {
		if !slices.ContainsFunc(p.guesses[:guesses], func(g wordle.Word) bool { return wordle.Score(g, word) != wordle.Score(g, p.answer) }) {
			n++
		}
	}
	return n
}

// want counts the awards plainly.
func (c *club) want() string {
	scores := map[string]map[string]float64{"average": {}, "streak": {}, "luck": {}, "shave": {}, "help": {}}
	best := func(of, player string, score float64) { scores[of][player] = max(scores[of][player], score) }
	counts := map[string][]float64{}
	byDay := map[string]map[int]bool{}
	for _, p := range c.daily {
		player := p.players[0]
		score := float64(len(p.guesses))
		if !p.won {
			score = 7
		}
		if p.hinted {
			score++
		}
		counts[player] = append(counts[player], score)
		if byDay[player] == nil {
			byDay[player] = map[int]bool{}
		}
		byDay[player][p.day] = p.won
	}
	for player, all := range counts {
		sum := 0.0
		for _, score := range all {
			sum += score
		}
		if len(all) >= 5 {
			best("average", player, 100-sum/float64(len(all)))
		}
		run := 0
		for day := range 400 {
			if run++; !byDay[player][day] {
				run = 0
			}
			if run > 1 {
				best("streak", player, float64(run))
			}
		}
	}
	won := slices.DeleteFunc(slices.Clone(c.daily), func(p played) bool { return !p.won || p.hinted })
	slices.SortStableFunc(won, func(a, b played) int {
		return cmp.Or(cmp.Compare(len(a.guesses), len(b.guesses)), cmp.Compare(a.day, b.day), cmp.Compare(a.players[0], b.players[0]))
	})
	last := slices.DeleteFunc(slices.Clone(won), func(p played) bool { return len(p.guesses) < 6 })
	for _, p := range slices.Concat(won[:min(20, len(won))], last[:min(20, len(last))]) {
		if n := c.left(p, len(p.guesses)-1); n > 1 {
			best("luck", p.players[0], float64(n))
			if len(p.guesses) == 6 {
				best("shave", p.players[0], float64(n))
			}
		}
	}
	helped := map[string]float64{}
	for _, p := range c.together[max(0, len(c.together)-50):] {
		bits, all := map[string]float64{}, 0.0
		for i, player := range p.players {
			cut := math.Log2(float64(c.left(p, i)) / float64(c.left(p, i+1)))
			bits[player], all = bits[player]+cut, all+cut
		}
		for player, cut := range bits {
			if player != p.players[len(p.players)-1] {
				helped[player] += cut / all
			}
		}
	}
	for player, games := range helped {
		best("help", player, games)
	}
	month, _ := time.Parse("2006-01", c.month)
	text := fmt.Sprintf("Awards of %s in the word game\n", month.Month())
	for _, of := range []string{"average", "streak", "luck", "shave", "help"} {
		top, names := 0.0, []string(nil)
		for player, score := range scores[of] {
			if score > top {
				top, names = score, nil
			}
			if score == top && top > 0 {
				names = append(names, player)
			}
		}
		slices.Sort(names)
		if names == nil {
			continue
		}
		text += map[string]string{"average": "👑 ", "streak": "🔥 ", "luck": "🍀 ", "shave": "😅 ", "help": "🧹 "}[of] + strings.Join(names, " and ")
		switch of {
		case "average":
			text += fmt.Sprintf(" had the lowest average: %.2f.\n", 100-top)
		case "streak":
			text += fmt.Sprintf(" solved %g dailies in a row.\n", top)
		case "luck":
			text += fmt.Sprintf(" had the luckiest guess: one word in %g.\n", top)
		case "shave":
			text += fmt.Sprintf(" had the closest shave: the last guess, %g words left.\n", top)
		case "help":
			text += fmt.Sprintf(" ruled out the most for others: %.1f games' worth.\n", top)
		}
	}
	return text
}

// TestAwards compares the awards of five months with a plain count of random games.
func TestAwards(t *testing.T) {
	c := newClub(t)
	h := commands.New(c.parts).DayPost
	if got, err := h.Awards(t.Context(), "g", "2026-01"); got != "" || err != nil {
		t.Errorf("with nobody: %q, %v", got, err)
	}
	players := []string{"ana", "ben", "cleo"}
	for first := game.DailyDate(1); first.Month() < time.June; first = first.AddDate(0, 1, 0) {
		c.month, c.daily, c.together = first.Format("2006-01"), nil, nil
		for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
			c.now = day.Add(12 * time.Hour)
			for i, player := range players {
				if c.random.IntN(10) > i+int(first.Month()) { // fewer, month by month
					c.daily = append(c.daily, c.play(game.Daily, 1+c.random.IntN(6), player))
				}
			}
			for range 3 {
				if p := c.play(game.Together, 2+c.random.IntN(5), players...); p.won && len(slices.Compact(slices.Sorted(slices.Values(p.players)))) > 1 {
					c.together = append(c.together, p)
				}
			}
		}
		if !slices.ContainsFunc(c.daily, func(p played) bool { return p.hinted }) || len(c.together) <= 50 {
			t.Errorf("nobody took a hint, or only %d games were won together", len(c.together))
		}
		c.now = c.now.AddDate(0, 0, 2) // of the next month
		c.play(game.Together, 5, players...)
		if got, err := h.Awards(t.Context(), "g", c.month); got != c.want() || err != nil || strings.Count(got, "\n") != 6 {
			t.Errorf("got %v\n%swant\n%s", err, got, c.want())
		}
	}
	if got, err := h.Awards(t.Context(), "other", c.month); got != "" || err != nil {
		t.Errorf("in another server: %q, %v", got, err)
	}
}
