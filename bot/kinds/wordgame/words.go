package wordgame

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/clue"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/wordle"
)

// Words is what all kinds whose guesses are words share: which words there are, and how players type them. Their states have a
// method Turns, as that of [wordle.State].
type Words struct {
	face.Plain
	lists *wordle.Lists
}

// NewWords returns the words of the lists. No lists are enough to read matches from a store.
func NewWords(lists *wordle.Lists) Words { return Words{lists: cmp.Or(lists, new(wordle.Lists))} }

// UnlistedError refuses a word of five letters that is not in the list.
type UnlistedError struct{ Word wordle.Word }

func (e *UnlistedError) Error() string { return "not in the list of guesses" }

// Allows refuses a guess that is not in the list, with an *[UnlistedError]. If a hidden word is unlisted too, only offensive guesses
// are refused.
func (t Words) Allows(w wordle.Word, hidden ...wordle.Word) error {
	if t.lists.CanGuess(w) || slices.ContainsFunc(hidden, func(h wordle.Word) bool {
		return h == w || !t.lists.CanGuess(h) && clue.Check(w.String(), "") == nil
	}) {
		return nil
	}
	return &UnlistedError{w}
}

// NoRepeat returns half the number of answers: a hidden word returns only after as many others.
func (t Words) NoRepeat() int { return len(t.lists.Answers()) / 2 }

// Pick returns a word to hide. If possible it is none of those besides, none that a new game must never have, and none that it must
// avoid.
func (t Words) Pick(n game.NewGame, besides ...wordle.Word) wordle.Word {
	words := t.lists.Answers()
	for _, without := range [][]wordle.Word{besides, WordsOf(n.Never), WordsOf(n.Avoid)} { // an operator's list can be short
		without = slices.SortedFunc(slices.Values(without), wordle.Word.Compare)
		some := slices.DeleteFunc(slices.Clone(words), func(w wordle.Word) bool {
			_, found := slices.BinarySearchFunc(without, w, wordle.Word.Compare)
			return found
		})
		if len(some) > 0 {
			words = some
		}
	}
	return words[n.Pick(len(words))]
}

// WordsOf returns the words in texts. It leaves out what is no word.
func WordsOf(texts []string) (words []wordle.Word) {
	for _, text := range strings.Fields(strings.Join(texts, " ")) {
		if w, err := wordle.ParseWord(text); err == nil {
			words = append(words, w)
		}
	}
	return words
}

func (t Words) Read(typed string) (listed bool, err error) {
	w, err := Read(typed)
	return t.lists.CanGuess(w) || t.Allows(w, 0) != nil, err // offensive words count as listed: they are refused without a question
}

func (Words) Attempt(s game.State, typed string) int {
	w, err := wordle.ParseWord(typed)
	turns := s.(interface{ Turns() []wordle.Turn }).Turns()
	return 1 + slices.IndexFunc(turns, func(t wordle.Turn) bool { return err == nil && t.Guess == w })
}

func (Words) Tiles(typed string) face.TypedTiles {
	return face.TypedTiles{Texts: strings.Split(strings.ToUpper(typed), ""), Whole: true, Fits: typedWord.MatchString(typed)}
}

var typedWord = regexp.MustCompile(`^\pL{0,5}$`)

func (t Words) Complete(current func() game.State, typed string) []bot.Choice {
	return CompleteWord(t.lists, typed, current)
}

func (Words) Example(game.State) string { return "crane" }

// ExplainRules is as in [face.Display].
func (Words) ExplainRules(err error) error {
	if unlisted, ok := errors.AsType[*UnlistedError](err); ok {
		return bot.Refuse(err, bot.Text(bot.Bold(unlisted.Word.String()), " isn't in my word list. ", bot.NoAttempt))
	}
	return err
}
