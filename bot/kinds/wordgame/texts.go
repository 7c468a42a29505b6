package wordgame

import (
	"errors"
	"fmt"
	"strings"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/wordle"
)

// Read reads a guess as it is typed, or returns a refusal.
func Read(typed string) (wordle.Word, error) {
	w, err := wordle.ParseWord(typed)
	switch {
	case errors.Is(err, wordle.ErrLetter):
		err = bot.Refuse(err, bot.Text("One word of five letters, A to Z, please."))
	case err != nil:
		err = bot.Refuse(err, bot.Text(bot.Quote(typed), fmt.Sprintf(" has %s. A guess has exactly five.", bot.Plural(len(strings.TrimSpace(typed)), "letter"))))
	}
	return w, err
}

func notInList(w wordle.Word) bot.Line {
	return bot.Text(bot.Bold(w.String()), " is not in my word list. ", bot.NoAttempt)
}

// HardClue says which clue a guess in hard mode does not use.
func HardClue(e *wordle.HardModeError) string {
	switch {
	case e.Green:
		return fmt.Sprintf("Keep %c at %d: it is green.", e.Letter, e.Position)
	case e.Times == 1:
		return fmt.Sprintf("Use %c again: it was yellow at %d.", e.Letter, e.Position)
	}
	times := "twice"
	if e.Times > 2 {
		times = fmt.Sprintf("%d times", e.Times)
	}
	return fmt.Sprintf("Use %c at least %s: it was yellow at %d.", e.Letter, times, e.Position)
}

// CompleteWord returns the words in the list that begin with what was typed, or says
// in a single choice why there are none.
func CompleteWord(lists *wordle.Lists, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if typed == "" {
		return nil
	}
	comment := func(text string) []bot.Choice {
		value := []rune(typed)
		value = value[:min(len(value), 50)] // Discord takes no more than 100 characters with the comment
		return []bot.Choice{{Name: strings.ToUpper(string(value)) + " — " + text, Value: string(value)}}
	}
	_, err := wordle.ParseWord(typed)
	switch {
	case errors.Is(err, wordle.ErrLetter):
		return comment("only letters A–Z")
	case len(typed) > wordle.Length:
		return comment(fmt.Sprintf("%d letters, a guess has five", len(typed)))
	}
	words := lists.WithPrefix(typed)
	switch {
	case len(words) > 0:
		return bot.Each(words[:min(len(words), bot.MaxChoices)], func(w wordle.Word) bot.Choice {
			return bot.Choice{Name: w.String() + " — in the list", Value: strings.ToLower(w.String())}
		})
	case err != nil:
		return comment("no word in the list begins like that")
	}
	return comment("not in the list")
}

func explain(err error) (bot.Line, bool) {
	if hard, ok := errors.AsType[*wordle.HardModeError](err); ok {
		return bot.Text(HardClue(hard)), true
	}
	if errors.Is(err, game.ErrNothingFits) {
		return bot.Text("No word I know fits this board any more, so I have nothing to suggest. Letters and positions still work: ",
			bot.Slash(Commands.Hint, "kind", "letter"), "."), true
	}
	return bot.Line{}, false
}
