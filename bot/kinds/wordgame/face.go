package wordgame

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

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

func (*Game) Guesses(s game.State) []face.Guess {
	return face.Guesses(s.(wordle.State).Turns(), wordle.Word.String, LetterTiles)
}

func (*Game) Judge(_ game.State, r game.Review) face.Judgements {
	return face.Judge(r.(optimal.Review), wordle.Word.String, LetterTiles)
}

func (*Game) Draw(v face.View) face.Drawing {
	s := v.State.(wordle.State)
	var drawn face.Drawing
	for i, t := range s.Turns() {
		drawn.Board = append(drawn.Board, v.Signed(i, LetterTiles(t)))
	}
	if v.Status() != game.Playing {
		drawn.Meaning = s.Hidden().Meaning()
		return drawn
	}
	for range s.AttemptsLeft() {
		drawn.Rest = append(drawn.Rest, bot.Line{Tiles: make([]bot.Tile, wordle.Length)})
	}
	drawn.Rest = append(drawn.Rest, Keyboard(s.Turns()))
	return drawn
}

// mostFurther is the most guesses in a lost game. A button has room for the nine before the last.
const mostFurther = 10

// PlayOn makes guesses in a lost game, without the rules of hard mode.
func (g *Game) PlayOn(lost game.State, typed []string) ([]bot.Line, bool, error) {
	s := lost.(wordle.State)
	turns := slices.Clone(s.Turns())
	lines := []bot.Line{bot.Text("Just for fun:")}
	for _, word := range typed {
		w, err := Read(word)
		if err == nil {
			err = g.Allows(w, s.Hidden())
		}
		if err != nil {
			return nil, false, err
		}
		turns = append(turns, wordle.Turn{Guess: w, Feedback: wordle.Score(w, s.Hidden())})
		lines = append(lines, LetterTiles(turns[len(turns)-1]))
	}
	meaning := s.Hidden().Meaning()
	if meaning != "" {
		meaning = ": " + meaning
	}
	switch {
	case turns[len(turns)-1].Guess == s.Hidden():
		return append(lines, bot.Text(bot.Bold(fmt.Sprintf("Found it in %d", len(turns))), meaning)), true, nil
	case len(typed) >= mostFurther:
		return append(lines, bot.Text("Ten more, and it still got away: ", bot.Bold(s.Answer()), meaning)), true, nil
	}
	return append(lines, letters(turns)...), false, nil
}

// Keyboard shows what the guesses say of each letter.
func Keyboard(turns []wordle.Turn) *bot.Keyboard {
	best, tried := map[byte]marks.Mark{}, map[byte]bool{}
	for _, t := range turns {
		for i := range wordle.Length {
			letter := t.Guess.Letter(i)
			tried[letter] = true
			best[letter] = max(best[letter], t.Feedback.Mark(i))
		}
	}
	k := bot.Keyboard{Words: letters(turns)}
	times := copies(turns)
	for _, row := range []string{"QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"} {
		k.Rows = append(k.Rows, bot.Each([]byte(row), func(letter byte) bot.Key {
			return bot.Key{Text: string(letter), Tried: tried[letter], Mark: best[letter], Times: times[letter]}
		}))
	}
	return &k
}

// letters lists the letters by what the tiles show of them, for players who can't see tiles. It is nil before a guess.
func letters(turns []wordle.Turn) (lines []bot.Line) {
	green, yellow, untried := told(turns)
	var placed []string
	for i, letter := range green {
		if letter != 0 {
			placed = append(placed, fmt.Sprintf("%c (%d)", letter, i+1))
		}
	}
	for _, list := range []struct{ name, letters string }{
		{"In place: ", strings.Join(placed, ", ")}, {"In the word: ", strings.Join(yellow, ", ")}, {"Not tried: ", strings.Join(untried, " ")},
	} {
		if list.letters != "" && len(turns) > 0 {
			lines = append(lines, bot.Text(list.name+list.letters))
		}
	}
	return lines
}

// Known is what the guesses tell of a word, in one line: "_ R _ _ E · has A (not 2)".
func Known(turns []wordle.Turn) string {
	green, yellow, _ := told(turns)
	places := strings.Join(bot.Each(green[:], func(letter byte) string { return string(cmp.Or(letter, '_')) }), " ")
	if yellow != nil {
		places += " · has " + strings.Join(yellow, ", ")
	}
	return places
}

// Brief is [Known] in few letters: "_R__E +A". A letter that is twice elsewhere is there once.
func Brief(turns []wordle.Turn) string {
	green, yellow, _ := told(turns)
	text := strings.Join(bot.Each(green[:], func(letter byte) string { return string(cmp.Or(letter, '_')) }), "")
	if yellow != nil {
		text += " +" + strings.Join(bot.Each(yellow, func(letter string) string { return letter[:1] }), "")
	}
	return text
}

// Untried lists the letters in no guess: "A B D".
func Untried(turns []wordle.Turn) string {
	_, _, untried := told(turns)
	return strings.Join(untried, " ")
}

// told returns what the guesses tell: the letters in place, others in the word with the places where they are not, and the letters
// in no guess.
func told(turns []wordle.Turn) (green [wordle.Length]byte, yellow, untried []string) {
	not := map[byte]string{} // by tried letter: the places where it is not, in any order
	for _, t := range turns {
		for i := range green {
			letter, place := t.Guess.Letter(i), strconv.Itoa(i+1)
			if t.Feedback.Mark(i) == wordle.Green {
				green[i], place = letter, ""
			}
			not[letter] = strings.ReplaceAll(not[letter], place, "") + place
		}
	}
	for letter := byte('A'); letter <= 'Z'; letter++ {
		places, tried := not[letter]
		if !tried {
			untried = append(untried, string(letter))
		} else if n := copies(turns)[letter]; n > strings.Count(string(green[:]), string(letter)) { // one more copy is elsewhere
			elsewhere := strings.Split(places, "")
			slices.Sort(elsewhere)
			yellow = append(yellow, fmt.Sprintf("%s (not %s)", Times(string(letter), n), strings.Join(elsewhere, ",")))
		}
	}
	return green, yellow, untried
}

// Times says how often there is a letter, if it is more than once.
func Times(letter string, n int) string {
	return letter + [...]string{"", "", " twice", " three times"}[min(n, 3)]
}

// HintLine puts everything about the word in spoilers, even the number of words left and of copies of a letter.
func (*Game) HintLine(h game.Hint) bot.Line {
	switch content := h.Content.(type) {
	case LetterHint:
		return bot.Text("A letter of the word: ", bot.Spoiler(Times(content.Letter, content.Times)))
	case PositionHint:
		return bot.Text(fmt.Sprintf("Letter %d is ", content.Position), bot.Spoiler(content.Letter))
	}
	s := h.Content.(optimal.Suggestion)
	return bot.Text("Try ", bot.Spoiler(s.Word.String()), ". ", bot.Spoiler(reason(s)))
}

func reason(s optimal.Suggestion) string {
	if s.Remaining == 1 {
		return "It's the only word left."
	}
	reason := "A good guess"
	switch {
	case s.Proven && s.Total == 0:
		reason = "No guess is sure to win now"
	case s.Proven:
		reason = "The best guess there is"
	}
	reason += fmt.Sprintf(", with %d words left.", s.Remaining)
	if !s.Possible {
		reason += " It can't be the word itself."
	}
	return reason
}

// LetterTiles is the row of one guess.
func LetterTiles(t wordle.Turn) bot.Line {
	var line bot.Line
	for i := range wordle.Length {
		line.Tiles = append(line.Tiles, bot.Tile{Text: string(t.Guess.Letter(i)), Mark: t.Feedback.Mark(i)})
	}
	return line
}

func (*Game) Aside(state game.State) []bot.Block {
	s, _ := state.(wordle.State)
	return []bot.Block{Keyboard(s.Turns())}
}
