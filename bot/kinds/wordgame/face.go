package wordgame

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/clue"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// Face is the face of the word game with these lists.
func Face(lists *wordle.Lists) face.Face {
	return face.Typed[wordle.State, wordle.Word]{
		Words: texts(lists),
		Read:  Read,
		Turns: wordle.State.Turns,
		Tiles: LetterTiles,
		Same:  func(a, b wordle.Word) bool { return a == b },
		Write: wordle.Word.String,
		Board: board,
		Aside: keyboard,
		Step:  step,
	}.Face()
}

// Commands are the names of its commands.
var Commands = face.Commands{
	Start: "wordle start", Guess: "guess", Hint: "hint", Board: "wordle board", Stop: "wordle stop", Stats: "stats", Rules: bot.NameHelp,
	Race: "wordle race", Challenge: "wordle challenge",
}

func texts(lists *wordle.Lists) face.Words {
	return face.Words{
		Kind:         Kind,
		Noun:         "word",
		About:        "The five-letter word game",
		Commands:     Commands,
		StartHelp:    "Start a game, with everybody here or solo",
		GuessHelp:    "Guess the hidden word",
		HintHelp:     "A hint; the end of the game shows who took which, and in a daily puzzle it counts as one guess more",
		BoardHelp:    "Show the board again",
		StopHelp:     "Stop a game you started or moderate, and show the word",
		StatsHelp:    "The leaderboard here, or a player's card",
		RulesHelp:    "How to play, and every command",
		StartOptions: []bot.Option{{Name: "hard", Help: "Hard mode: later guesses must use every clue", Kind: bot.FlagOption}},
		Guess:        bot.Option{Name: "word", Help: "Five letters", Required: true, Prompt: "Type a word of five letters"},
		FormTitle:    "Guess the word", FormLabel: "Five letters", MostTyped: 30,
		Example: "crane",
		Sample:  "crane",
		Typing: face.Typing{
			Goal: "hidden five-letter word", Begin: "Type a word to begin, such as crane.", What: "a word", Help: "To guess, type a word.",
			Fits:  typedWord.MatchString,
			Tiles: func(typed string) ([]string, bool) { return strings.Split(strings.ToUpper(typed), ""), true },
		},
		Complete:      func(current func() game.State, typed string) []bot.Choice { return CompleteWord(lists, typed, current) },
		HintKinds:     []game.HintKind{game.HintSuggestion, game.HintLetter, game.HintPosition},
		HintKindsHelp: "suggestion: the best word to try; letter: one of the word; position: one letter in its place",
		Task: func(string) bot.Line {
			return bot.Text("Find the five-letter word: ", bot.Slash(Commands.Guess, "word", ""), ".")
		},
		ShowsLeft: func(s game.Status) bool { return s != game.Playing },
		Hint:      hint,
		Answer:    func(answer string) string { return answer },
		Search: &bot.Option{
			Name: "word", Help: "Only games with this hidden word", Prompt: "Type a word of five letters",
			Complete: func(_ context.Context, _ bot.Request, typed string) []bot.Choice {
				return CompleteWord(lists, typed, NoGame)
			},
		},
		Challenge: challenge,
		Unlisted: func(typed string) bool {
			w, err := readGuess(lists, 0, typed)
			return err == nil && !lists.CanGuess(w)
		},
		PlayOn: playOn(lists),
		ReadAnswer: func(typed string) (string, error) {
			w, err := wordle.ParseWord(typed)
			if err != nil {
				return "", bot.Refuse(err, bot.Text(bot.Quote(typed), " cannot be the word of a game: that is five letters from A to Z."))
			}
			return w.String(), nil
		},
		SkillMeans: "Skill: guesses still needed on average, against the best guess.",
		Explain:    explain,
		HowToPlay:  howToPlay,
	}
}

// readGuess reads a guess in a game: a word of the list or, where the hidden word is in none, any that does not hurt. The
// error is a refusal.
func readGuess(lists *wordle.Lists, hidden wordle.Word, typed string) (wordle.Word, error) {
	w, err := Read(typed)
	if err != nil || lists.CanGuess(w) || w == hidden || !lists.CanGuess(hidden) && clue.Check(w.String(), "") == nil {
		return w, err
	}
	return 0, bot.Refuse(ErrUnknownWord, bot.Text(bot.Bold(w.String()), " is not in my word list. ", bot.NoAttempt))
}

func challenge(word string) (game.State, error) {
	w, err := Read(word)
	return wordle.NewState(w, false), err
}

func board(v face.View, s wordle.State) (board, below []bot.Line) {
	if v.Status() == game.Playing {
		left := bot.Text(bot.Bold(bot.Plural(s.Left(), "attempt") + " left."))
		if s.Hard() {
			left = left.With(" Hard mode: every clue must be used.")
		}
		return bot.Each(s.Turns(), LetterTiles), append(letters(s.Turns()), left)
	}
	var counts []string
	for n := range s.Turns() {
		counts = append(counts, fmt.Sprint(v.LeftAfter(n+1)))
	}
	below = meaning(s, v.Status() == game.Lost)
	if len(counts) > 0 {
		below = append(below, bot.Text("Words left after each guess: ", strings.Join(counts, ", "), "."))
	}
	return bot.Each(s.Turns(), LetterTiles), below
}

// meaning says what the hidden word means, if that is known; in a spoiler where the word is in one.
func meaning(s wordle.State, spoiler bool) []bot.Line {
	text := bot.Span{Text: s.Hidden().Meaning()}
	if text.Text == "" {
		return nil
	}
	if spoiler {
		text = bot.Spoiler(text.Text)
	}
	return []bot.Line{bot.Text("Meaning: ", text)}
}

// mostFurther is how many guesses can be made in a lost game: a button has room for one less.
const mostFurther = 10

// playOn makes guesses in a lost game, without the rules of hard mode: see [face.Words].
func playOn(lists *wordle.Lists) func(game.State, []string) ([]bot.Line, bool, error) {
	return func(lost game.State, guesses []string) ([]bot.Line, bool, error) {
		s := lost.(wordle.State)
		turns := slices.Clone(s.Turns())
		lines := []bot.Line{bot.Text(bot.Bold("Playing on"), ", outside the count:")}
		for _, typed := range guesses {
			w, err := readGuess(lists, s.Hidden(), typed)
			if err != nil {
				return nil, false, err
			}
			turns = append(turns, wordle.Turn{Guess: w, Feedback: wordle.Score(w, s.Hidden())})
			lines = append(lines, LetterTiles(turns[len(turns)-1]))
		}
		switch {
		case turns[len(turns)-1].Guess == s.Hidden():
			lines = append(lines, bot.Text(bot.Bold(fmt.Sprintf("Found in %d.", len(turns)))))
		case len(guesses) >= mostFurther:
			lines = append(lines, bot.Text("That is enough: the word was ", bot.Bold(s.Answer()), "."))
		default:
			return append(lines, letters(turns)...), false, nil
		}
		return append(lines, meaning(s, false)...), true, nil
	}
}

func step(v face.View, then wordle.State) []bot.Line {
	used := then.Used()
	lines, left := bot.Each(then.Turns(), LetterTiles), bot.Plural(v.LeftAfter(used), "word")
	if used == 0 {
		lines = append(lines, bot.Text("The board is empty; "+left+" left."))
	} else {
		lines = append(lines, bot.Text(v.Moves[used-1].Player, " guessed ", bot.Bold(then.Turns()[used-1].Guess.String()), "; "+left+" left."))
	}
	if used == v.Used() {
		return lines
	}
	return append(lines, letters(then.Turns())...)
}

// letters says what is known of each letter that is not ruled out: what the tiles
// show, for players who do not see them.
func letters(turns []wordle.Turn) (lines []bot.Line) {
	var green [wordle.Length]byte
	not := map[byte]string{} // the places where each letter that was tried is not, in any order
	for _, t := range turns {
		for i := range green {
			letter, place := t.Guess.Letter(i), strconv.Itoa(i+1)
			if t.Feedback.Mark(i) == wordle.Green {
				green[i], place = letter, ""
			}
			not[letter] = strings.ReplaceAll(not[letter], place, "") + place
		}
	}
	var placed, yellow, untried []string
	for i, letter := range green {
		if letter != 0 {
			placed = append(placed, fmt.Sprintf("%c (%d)", letter, i+1))
		}
	}
	for letter := byte('A'); letter <= 'Z'; letter++ {
		places, tried := not[letter]
		if !tried {
			untried = append(untried, string(letter))
		} else if copies(turns)[letter] > strings.Count(string(green[:]), string(letter)) { // there is one more, elsewhere
			elsewhere := strings.Split(places, "")
			slices.Sort(elsewhere)
			yellow = append(yellow, fmt.Sprintf("%c (not %s)", letter, strings.Join(elsewhere, ",")))
		}
	}
	if placed != nil {
		lines = append(lines, bot.Text("In place: ", strings.Join(placed, ", ")))
	}
	if yellow != nil {
		lines = append(lines, bot.Text("In the word: ", strings.Join(yellow, ", ")))
	}
	if untried != nil {
		lines = append(lines, bot.Text("Not tried: ", strings.Join(untried, " ")))
	}
	return lines
}

// hint shows a hint in a line. Whatever says anything about the word is in a spoiler: how
// many words are left, and that a letter is there twice, too.
func hint(h game.Hint) bot.Line {
	switch content := h.Content.(type) {
	case LetterHint:
		letter := string(content.Letter)
		if content.Times > 1 {
			letter += fmt.Sprintf(", %d times", content.Times)
		}
		return bot.Text("A letter of the word: ", bot.Spoiler(letter), ".")
	case PositionHint:
		return bot.Text(fmt.Sprintf("Position %d is ", content.Position), bot.Spoiler(string(content.Letter)), ".")
	}
	s := h.Content.(solver.Suggestion)
	return bot.Text("Try ", bot.Spoiler(s.Word.String()), ". ", bot.Spoiler(reason(s)))
}

func reason(s solver.Suggestion) string {
	if s.Remaining == 1 {
		return "It is the only word left."
	}
	reason := "It looks best, but that is not proven"
	average := bot.Figure(float64(s.Total) / float64(s.Remaining))
	switch {
	case s.Proven && s.Total == 0:
		reason = "No word is sure to win any more"
	case s.Proven:
		reason = "Best word, proven: " + average + " more guesses on average"
	case s.Total > 0:
		reason = "About " + average + " more guesses on average; not proven to be the best"
	}
	reason += fmt.Sprintf(" (%d words left).", s.Remaining)
	if !s.Possible {
		reason += " It cannot be the answer itself."
	}
	return reason
}

func howToPlay() []bot.Line {
	example := wordle.MustParse("crane")
	return []bot.Line{
		bot.Text(bot.Bold("Find the hidden five-letter word in six attempts."), " Everybody here may guess. After each guess you see how close it was:"),
		LetterTiles(wordle.Turn{Guess: example, Feedback: wordle.Score(example, wordle.MustParse("carve"))}),
		bot.Text("Green (here C and E): the letter is in its place. Yellow (R and A): the word has it elsewhere. Black (N): the word has no more of it."),
		bot.Text("In hard mode green letters must stay, and every coloured letter must be used again."),
		bot.Text("In a challenge whose word is in no list, any five letters are a guess."),
	}
}

// LetterTiles is the row of one guess of the word game.
func LetterTiles(t wordle.Turn) bot.Line {
	var line bot.Line
	for i := range wordle.Length {
		line.Tiles = append(line.Tiles, bot.Tile{Text: string(t.Guess.Letter(i)), Mark: t.Feedback.Mark(i)})
	}
	return line
}

var typedWord = regexp.MustCompile(`^\pL{0,5}$`)

func keyboard(s wordle.State) face.Aside {
	best, tried := map[byte]marks.Mark{}, map[byte]bool{}
	for _, t := range s.Turns() {
		for i := range wordle.Length {
			letter := t.Guess.Letter(i)
			tried[letter] = true
			best[letter] = max(best[letter], t.Feedback.Mark(i))
		}
	}
	var all face.Aside
	for i, letters := range []string{"QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"} {
		row := []face.Part{{Text: strings.Repeat(" ", []int{0, 1, 4}[i])}}
		for _, letter := range []byte(letters) {
			part := face.Part{Text: string(letter), Marked: true, Mark: best[letter]}
			if !tried[letter] {
				part = face.Part{Text: " " + string(letter) + " "}
			}
			row = append(row, part)
		}
		all.Rows = append(all.Rows, row)
	}
	return all
}
