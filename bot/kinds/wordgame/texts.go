package wordgame

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// Read reads a guess as it is typed. The error is a refusal.
func Read(typed string) (wordle.Word, error) {
	w, err := wordle.ParseWord(typed)
	switch {
	case errors.Is(err, wordle.ErrLetter):
		err = bot.Refuse(err, bot.Text("A guess is one word of five letters, A to Z."))
	case err != nil:
		err = bot.Refuse(err, bot.Text(bot.Quote(typed), fmt.Sprintf(" has %s. A guess has five.", bot.Plural(len(strings.TrimSpace(typed)), "letter"))))
	}
	return w, err
}

// HardClue names the clue that a guess in hard or ultra-hard mode doesn't use.
func HardClue(e *wordle.HardModeError) string {
	switch {
	case e.There:
		return fmt.Sprintf("Ultra-hard: %c was %s at %d, so it can't be there again.", e.Letter, e.Mark.Colour(), e.Position)
	case e.Mark == wordle.Black && e.Times == 0:
		return fmt.Sprintf("Ultra-hard: %c was grey, so it has to stay out.", e.Letter)
	case e.Mark == wordle.Black:
		return fmt.Sprintf("Ultra-hard: use %c only %s: one more was grey.", e.Letter, often(e.Times))
	case e.Mark == wordle.Green:
		return fmt.Sprintf("Keep %c at %d: it's green.", e.Letter, e.Position)
	case e.Times == 1:
		return fmt.Sprintf("Use %c again: it was yellow at %d.", e.Letter, e.Position)
	}
	return fmt.Sprintf("Use %c at least %s: it was yellow at %d.", e.Letter, often(e.Times), e.Position)
}

// often is a number of times, from 1 to 5.
func often(times int) string {
	return [...]string{1: "once", 2: "twice", 3: "three times", 4: "four times", 5: "five times"}[times]
}

// CompleteWord returns the listed words that begin with the typed text, the best known first, or a single choice that
// explains why there are none. Words that the current game refuses come last, with the reason. Current returns nil
// without a game.
func CompleteWord(lists *wordle.Lists, typed string, current func() game.State) []bot.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if typed == "" {
		return nil
	}
	comment := func(text string) []bot.Choice {
		value := []rune(typed)
		value = value[:min(len(value), 50)] // a choice has at most 100 characters with the comment, by Discord's limit
		return []bot.Choice{{Name: strings.ToUpper(string(value)) + " — " + text, Value: string(value)}}
	}
	_, err := wordle.ParseWord(typed)
	switch {
	case errors.Is(err, wordle.ErrLetter):
		return comment("only letters A–Z")
	case len(typed) > wordle.Length:
		return comment(fmt.Sprintf("%d letters, a guess has five", len(typed)))
	}
	var choices, refused []bot.Choice
	refusal := refuses(current())
	for _, w := range lists.WithPrefix(typed) {
		choice := bot.Choice{Name: w.String(), Value: strings.ToLower(w.String())}
		if why := refusal(w); why != "" {
			choice.Name += " — " + why
			refused = append(refused, choice)
		} else {
			choices = append(choices, choice)
		}
	}
	choices = append(choices, refused...)
	switch {
	case len(choices) > 0:
		return choices[:min(len(choices), bot.MaxChoices)]
	case err != nil:
		return comment("no word in the list begins like that")
	}
	return comment("not in the list")
}

// NoGame stands for no game in [CompleteWord].
func NoGame() game.State { return nil }

// refuses returns a function that says why the game refuses a word, or "". The game may be nil.
func refuses(current game.State) func(wordle.Word) string {
	s, playing := current.(interface {
		Turns() []wordle.Turn
		Hard() marks.Hardness
	})
	if !playing {
		return func(wordle.Word) string { return "" }
	}
	turns := s.Turns()
	return func(w wordle.Word) string {
		if i := slices.IndexFunc(turns, func(t wordle.Turn) bool { return t.Guess == w }); i >= 0 {
			return fmt.Sprintf("guess %d already", i+1)
		}
		if hard, ok := errors.AsType[*wordle.HardModeError](wordle.CheckClues(s.Hard(), turns, w)); ok {
			return strings.TrimSuffix(HardClue(hard), ".")
		}
		return ""
	}
}

func (g *Game) ExplainRules(err error) error {
	if hard, ok := errors.AsType[*wordle.HardModeError](err); ok {
		return bot.Refuse(err, bot.Text(HardClue(hard)))
	}
	return bot.RefuseAs(g.Words.ExplainRules(err), map[error]bot.Line{
		game.ErrNothingFits: bot.Text("No word I know fits this board, so I can't suggest one. I can still give you a letter: ",
			bot.Slash(Commands.Hint, "kind", "letter"), "."),
	})
}

// ExplainRules is as in [face.Display].
func (Words) ExplainRules(err error) error {
	if unlisted, ok := errors.AsType[*UnlistedError](err); ok {
		return bot.Refuse(err, bot.Text(bot.Bold(unlisted.Word.String()), " isn't in my word list. ", bot.NoAttempt))
	}
	return err
}
