package play

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/solver"
)

func (b *Handlers) reviewGame() bot.Command {
	return bot.Command{
		Name: bot.NameReview,
		Help: "How good and how lucky each guess of a finished game was",
		Options: []bot.Option{
			{Name: "number", Help: "Which game, by its number in the list; without one, this channel's latest"},
		},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			var number uint64
			if typed := r.Args["number"]; typed != "" {
				var err error
				if number, err = parseNumber(typed); err != nil {
					return bot.Reply{}, err
				}
			}
			reviewed, err := b.Games.Review(ctx, r.Place, number)
			switch {
			case errors.Is(err, solver.ErrNothingFits):
				return bot.Reply{}, bot.Refuse(err, bot.Text("I cannot judge that game: no word I know today fits its board. ",
					bot.Slash(bot.NameReplay), " still shows it."))
			case err != nil:
				return bot.Reply{}, err
			}
			if err := b.mayLook(ctx, r, reviewed.Match); err != nil {
				return bot.Reply{}, err
			}
			reply := bot.Reply{Lines: reviewLines(reviewed)}
			if b.Games.Secret(reviewed.Match.Result()) {
				reply.Audience = bot.Asker
			}
			return reply, nil
		},
	}
}

// parseNumber reads the number of a game.
func parseNumber(typed string) (uint64, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(typed), "#"), 10, 64)
	if err == nil && n == 0 {
		err = strconv.ErrRange
	}
	if err != nil {
		return 0, bot.Refuse(err, bot.Text(bot.Quote(typed), " is not the number of a game. ", bot.Slash(bot.NameList), " shows the numbers."))
	}
	return n, nil
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// title names a game: "Game 12, 2026-11-21, hard mode".
func title(f game.Finished) bot.Span {
	text := fmt.Sprintf("Game %d, %s", f.Number, day(f.Match.Ended()))
	switch {
	case f.Match.Day != 0:
		text += fmt.Sprintf(", Pokle, daily puzzle %d", f.Match.Day)
	case f.Match.Kind() == game.Pokle:
		text += ", Pokle"
	case f.Match.Wordle.Hard():
		text += ", hard mode"
	}
	return bot.Bold(text)
}

func reviewLines(r game.Reviewed) []bot.Line {
	lines := []bot.Line{bot.Text(title(r.Finished)), outcome(r.Match)}
	shared := len(r.Shares) > 1
	for i, g := range judgements(r.Review) {
		lines = append(lines, g.tiles)
		if shared {
			lines = append(lines, bot.Text(r.Match.Moves[i].Player, ": "+g.text))
		} else {
			lines = append(lines, bot.Text(g.text))
		}
	}
	if len(r.Shares) > 0 {
		lines = append(lines, averages(r.Review)...)
	}
	if shared {
		for i, s := range r.Shares {
			lines = append(lines, shareLine(s, i == 0))
		}
	}
	lines = append(lines, solverLine(r.Review)...)
	return append(lines, bot.Text("Step by step: ", bot.Slash(fmt.Sprintf("%s %d", bot.NameReplay, r.Number)), "."))
}

// ReviewLines tells about a game that was played elsewhere.
func ReviewLines(r game.Review) []bot.Line {
	var lines []bot.Line
	for _, g := range judgements(r) {
		lines = append(lines, g.tiles, bot.Text(g.text))
	}
	lines = append(lines, averages(r)...)
	return append(lines, solverLine(r)...)
}

// averages sums the guesses up.
func averages(r game.Review) []bot.Line {
	return []bot.Line{
		bot.Text(bot.Bold("In all: " + figures(r.Skill(), r.Luck(), r.Proven()) + ".")),
		bot.Text("Both go from 0 to 99. Skill: how near a guess came to the best one; luck: how good its tiles were, of those it could get."),
	}
}

// solverLine tells what the solver would have played, if that is known.
func solverLine(r game.Review) []bot.Line {
	var line []string
	for _, t := range r.Wordle.Line {
		line = append(line, t.Guess.String())
	}
	for _, s := range r.Pokle.Line {
		line = append(line, s.Guess.String())
	}
	if len(line) == 0 {
		return nil
	}
	return []bot.Line{bot.Text("The solver would have played ", strings.Join(line, ", "), ".")}
}

// judgement is a guess and what there is to say of it.
type judgement struct {
	tiles bot.Line
	text  string // "143 words → 7, 9.6 expected. Skill 93, luck 61. Best: CRONY (8.2)."
}

// judgements are those of all guesses of a review.
func judgements(r game.Review) []judgement {
	var all []judgement
	for _, g := range r.Wordle.Guesses {
		best := ""
		if g.Best != g.Guess {
			best = fmt.Sprintf("%v (%.1f)", g.Best, g.BestExpected)
		}
		all = append(all, judgement{face.LetterTiles(g.Turn), judge("word", g.Before, g.After, g.Feedback, g.Expected, figures(g.Skill, g.Luck, g.Proven), best, g.Proven)})
	}
	for _, g := range r.Pokle.Guesses {
		best := ""
		if g.Best.Canonical() != g.Guess.Canonical() {
			best = fmt.Sprintf("%v (%.1f)", g.Best, g.BestExpected)
		}
		all = append(all, judgement{
			face.CardTiles(pokle.Guessed{Board: g.Guess, Feedback: g.Feedback}),
			judge("board", g.Before, g.After, g.Feedback, g.Expected, figures(g.Skill, g.Luck, g.Proven), best, g.Proven),
		})
	}
	return all
}

// judge tells about a guess of words or boards. Best is empty where none was better.
func judge(noun string, before, after int, f marks.Feedback, expected float64, figures, best string, proven bool) string {
	left := fmt.Sprint(after)
	if f == marks.AllGreen {
		left = "found"
	}
	switch {
	case best != "":
		best = "Best: " + best + "."
	case proven:
		best = "The best there was."
	default:
		best = "The best I know."
	}
	return fmt.Sprintf("%s → %s, %.1f expected. %s. %s", bot.Plural(before, noun), left, expected, capital(figures), best)
}

// figures are a skill and a luck in words: "skill 93, luck 61". A skill that is
// not proven is "about" so much.
func figures(skill, luck float64, proven bool) string {
	about := ""
	if !proven {
		about = "about "
	}
	return fmt.Sprintf("skill %s%.0f, luck %.0f", about, skill, luck)
}

// shareLine tells what a player did to a shared game.
func shareLine(s game.Share, most bool) bot.Line {
	cut := fmt.Sprintf(" made %s of the cut", bot.Percent(s.Part))
	if most && s.Cut > 0 {
		cut = fmt.Sprintf(" cut the most, %s", bot.Percent(s.Part))
	}
	return bot.Text(s.Player, fmt.Sprintf("%s, in %s: %s.", cut, bot.Plural(s.Guesses, "attempt"), figures(s.Skill, s.Luck, s.Proven)))
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
