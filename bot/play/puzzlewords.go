package play

import (
	"context"
	"errors"
	"fivefold/bot"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
)

func (b *Handlers) solveTop() bot.Command {
	return bot.Command{
		Name:     bot.NameTop,
		Help:     "The best words for the next guess, with figures",
		Audience: bot.Asker,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			help, err := b.Helper.Show(ctx, r.Origin())
			if err != nil || len(help.Puzzle.Advice) == 0 {
				return puzzleReply(help, blank), err
			}
			return topReply(help), nil
		},
	}
}

// topReply lists the words proposed, each with a button that chooses it.
func topReply(help game.Help) bot.Reply {
	p := help.Puzzle
	last := strings.ToLower(p.Advice[len(p.Advice)-1].Word.String()) // as an example
	lines := []bot.Line{
		bot.Text(bot.Bold("The best words to try"), fmt.Sprintf(" of guess %d. Choose one with ", len(p.Turns)+1), bot.Slash(bot.NameNext+" "+last), "."),
		bot.Mono("       groups  expected  worst  chance  guesses"),
	}
	rows := [][]bot.Button{}
	for i, a := range p.Advice {
		figure := "-"
		if a.Guesses > 0 {
			figure = fmt.Sprintf("%.2f", a.Guesses)
		}
		itself := "-"
		switch {
		case a.Chance >= slight:
			itself = fmt.Sprintf("%.1f%%", 100*a.Chance)
		case a.Chance > 0:
			itself = "<0.1%"
		}
		lines = append(lines, bot.Mono(fmt.Sprintf("%v  %6d  %8.1f  %5d  %6s  %7s", a.Word, a.Groups, a.Expected, a.Worst, itself, figure)))
		if i%5 == 0 {
			rows = append(rows, nil)
		}
		row := &rows[len(rows)-1]
		*row = append(*row, bot.Button{
			Label: a.Word.String(), Command: bot.NameNext,
			Args: map[string]string{"guess": strings.ToLower(a.Word.String()), argAt: strconv.FormatUint(help.Version, 10)},
		})
	}
	lines = append(lines, bot.Text("Groups: how many different tiles it can get. Expected and worst: words that stay. ",
		"Chance: that it is the word. Guesses: expected from here, where worked out."))
	rows = append(rows, []bot.Button{{Label: "Back", Look: bot.Main, Command: bot.NameNext}})
	return bot.Reply{Lines: lines, Buttons: rows, InPlace: true}
}

// mostWords is how many words a reply lists: what Discord has room for.
const mostWords = 100

func (b *Handlers) solveWords() bot.Command {
	return bot.Command{
		Name:     bot.NameWords,
		Help:     "The words that fit, most likely first",
		Audience: bot.Asker,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			help, err := b.Helper.Show(ctx, r.Origin())
			n := len(help.Possible)
			if err != nil || n == 0 {
				return puzzleReply(help, blank), err
			}
			shown := help.Possible[:min(n, mostWords)]
			text := chances(shown)
			if n > len(shown) {
				text += fmt.Sprintf(", and %d more", n-len(shown))
			}
			text += "."
			if shown[len(shown)-1].Chance < slight {
				text += " Those without a figure have a chance of less than 0.1% each."
			}
			fit := bot.Plural(n, "word") + " fit"
			if n == 1 {
				fit = "1 word fits"
			}
			return bot.Reply{Lines: []bot.Line{
				bot.Text(bot.Bold(fit), ", most likely first: "+text),
			}, Buttons: [][]bot.Button{{{Label: "Back", Look: bot.Main, Command: bot.NameNext}}}, InPlace: true}, nil
		},
	}
}

// completeGuess proposes guesses for a player's puzzle: the best ones first, then
// what fits, then what is in the list.
func (b *Handlers) completeGuess(ctx context.Context, r bot.Request, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if _, tiles := b.readNext(typed, ""); tiles != "" {
		return b.completeTiles(ctx, r.Player, tiles)
	}
	if _, err := wordle.ParseWord(typed); typed != "" && (errors.Is(err, wordle.ErrLetter) || len(typed) > wordle.Length) {
		return b.completeWord(ctx, r, typed)
	}
	notes, err := b.Helper.Notes(ctx, r.Player)
	if err != nil {
		b.Log.Warn("words for a puzzle cannot be proposed", "error", err)
		return b.completeWord(ctx, r, typed)
	}
	var choices []bot.Choice
	seen := map[wordle.Word]bool{}
	guessed := func(w wordle.Word) bool {
		return slices.ContainsFunc(notes.Puzzle.Turns, func(t wordle.Turn) bool { return t.Guess == w })
	}
	propose := func(w wordle.Word, comment string) {
		value := strings.ToLower(w.String())
		if len(choices) < bot.MaxChoices && !seen[w] && strings.HasPrefix(value, typed) {
			seen[w] = true
			choices = append(choices, bot.Choice{Name: w.String() + " — " + comment, Value: value})
		}
	}
	for _, a := range notes.Puzzle.Advice {
		comment := "a best word, cannot be the answer"
		if a.Chance > 0 {
			comment = "a best word, the answer with a chance of " + chance(a.Chance)
		}
		propose(a.Word, comment)
	}
	for _, p := range b.Helper.Weighted.Possible(notes.Puzzle.Turns) {
		propose(p.Word, "fits, chance "+chance(p.Chance))
	}
	if typed != "" {
		for _, w := range b.Games.Lists.WithPrefix(typed) {
			if !guessed(w) {
				propose(w, "in the list, does not fit")
			}
		}
		for i, t := range notes.Puzzle.Turns {
			propose(t.Guess, fmt.Sprintf("line %d already", i+1))
		}
	}
	if len(choices) == 0 {
		return b.completeWord(ctx, r, typed)
	}
	return choices
}

// completeTiles tells who types tiles where a guess stands what they are for.
func (b *Handlers) completeTiles(ctx context.Context, player game.PlayerID, typed string) []bot.Choice {
	f, err := wordle.ParseFeedback(typed)
	if err != nil {
		return nil
	}
	name := letters5(f) + " — tiles"
	if notes, err := b.Helper.Notes(ctx, player); err != nil {
		b.Log.Warn("the word that tiles are for cannot be told", "error", err)
	} else if w := notes.Puzzle.Next(); w != 0 {
		name += " of " + w.String()
	}
	return []bot.Choice{{Name: name, Value: letters5(f)}}
}
