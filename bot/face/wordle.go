package face

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// Wordle is the face of the word game with these lists.
func Wordle(lists *wordle.Lists) Face {
	f := Face{
		Kind:  wordgame.Kind,
		Noun:  "word",
		About: "The five-letter word game",
		Commands: Commands{
			Start: bot.NameStart, Guess: bot.NameGuess, Hint: bot.NameHint, Board: bot.NameBoard, Stop: bot.NameStop, Stats: bot.NameStats, Rules: bot.NameHelp,
		},
		StartHelp: "Start a game, with everybody here or on your own",
		GuessHelp: "Guess the hidden word",
		HintHelp:  "A hint; a win is then no win in your statistics, and the end of the game shows who took which",
		BoardHelp: "Show the board again",
		StopHelp:  "Stop a game you started or moderate, and show the word",
		StatsHelp: "The leaderboard here, or a player's card",
		RulesHelp: "How to play, and every command",
		Guess: []bot.Option{{
			Name: "word", Help: "Five letters", Required: true, Prompt: "Type a word of five letters",
			Complete: func(_ context.Context, _ bot.Request, typed string) []bot.Choice { return CompleteWord(lists, typed) },
		}},
		ReadGuess: func(args map[string]string) (func(game.State) (game.State, error), error) {
			w, err := wordle.ParseWord(args["word"])
			if err != nil {
				return nil, bot.Refuse(err, bot.Text(NotAWord(args["word"], err), " ", bot.NoAttempt))
			}
			guess := wordgame.Move(lists, w)
			return func(s game.State) (game.State, error) {
				next, err := guess(s)
				if errors.Is(err, wordgame.ErrUnknownWord) {
					err = bot.Refuse(err, notInList(w))
				}
				return next, err
			}, nil
		},
		Tried: func(s game.State, args map[string]string) (int, bot.Line, bool) {
			w, err := wordle.ParseWord(args["word"])
			if err != nil {
				return 0, bot.Line{}, false
			}
			for i, t := range s.(wordgame.State).Turns() {
				if t.Guess == w {
					return i + 1, LetterTiles(t), true
				}
			}
			return 0, bot.Line{}, false
		},
		Feedback: func(s game.State) []marks.Feedback { return feedbackOf(s.(wordgame.State).Turns()) },
		Form: &bot.Form{
			Title:   "Guess the word",
			Command: bot.NameGuess,
			Fields:  []bot.Field{{Name: "word", Label: "Five letters", Help: "crane", Required: true, Max: 30}},
		},
		Example:       "crane",
		HintKinds:     []game.HintKind{game.HintSuggestion, game.HintLetter, game.HintPosition},
		HintKindsHelp: "suggestion: the best word to try; letter: one of the word; position: one letter in its place",
		HasHard:       true,
		Counts: func(m game.Match) []int {
			var counts []int
			for n := 1; m.Status() != game.Playing && n <= m.Used(); n++ {
				counts = append(counts, n)
			}
			return counts
		},
		Hint: wordHint,
		Guessed: func(s game.State) string {
			turns := s.(wordgame.State).Turns()
			return turns[len(turns)-1].Guess.String()
		},
		Answer:        func(answer string) string { return answer },
		SkillMeans:    "Skill: guesses still needed on average, against the best guess.",
		SolverGuesses: solverWords,
		Explain:       explainWord,
		HowToPlay:     wordRules,
	}
	f.Intro = func(m game.Match, difficulty string) bot.Line {
		return bot.Text(bot.Bold(f.intro(m, difficulty)), " Find the five-letter word: ", bot.Slash(f.Commands.Guess, "word", ""), ".")
	}
	f.Show = f.showWords
	f.Step = f.stepWords
	f.Judgements = f.judgeWords
	return f
}

// showWords draws a match: the guesses, then what is known of the letters, or how it
// ended.
func (f Face) showWords(v View) bot.Reply {
	s := v.State.(wordgame.State)
	turns := s.Turns()
	var lines []bot.Line
	if title := ownTitle(v); title != "" {
		lines = append(lines, bot.Text(bot.Bold(title)))
	}
	for _, t := range turns {
		lines = append(lines, LetterTiles(t))
	}
	lines = append(lines, f.live(v)...)
	reply := bot.Reply{Audience: Audience(v.Match), InPlace: true, Buttons: f.buttons(v)}
	if v.Status() != game.Playing {
		reply.Lines = append(lines, f.wordEnding(v, turns)...)
		return reply
	}
	lines = append(lines, letters(turns)...)
	left := bot.Text(bot.Bold(bot.Plural(s.Left(), "attempt") + " left."))
	if s.Hard() {
		left = left.With(" Hard mode: every clue must be used.")
	}
	reply.Lines = slices.Concat(lines, []bot.Line{left}, hintsLeft(v.Match), onlyYou(v.Match))
	return reply
}

// wordEnding says how a match ended, and what to do next.
func (f Face) wordEnding(v View, turns []wordle.Turn) []bot.Line {
	lines := []bot.Line{f.Outcome(v.Match)}
	var counts []string
	for n := range turns {
		counts = append(counts, fmt.Sprint(v.Left[n+1]))
	}
	if len(counts) > 0 {
		lines = append(lines, bot.Text("Words left after each guess: ", strings.Join(counts, ", "), "."))
	}
	return append(lines, f.ending(v)...)
}

func feedbackOf[G any](turns []marks.Turn[G]) []marks.Feedback {
	var all []marks.Feedback
	for _, t := range turns {
		all = append(all, t.Feedback)
	}
	return all
}

// stepWords shows a finished match as it was after the first guesses.
func (f Face) stepWords(v View, step int) []bot.Line {
	turns := v.State.(wordgame.State).Turns()[:step]
	var lines []bot.Line
	for _, t := range turns {
		lines = append(lines, LetterTiles(t))
	}
	left := bot.Plural(v.Left[step], "word")
	if step == 0 {
		lines = append(lines, bot.Text("The board is empty; "+left+" left."))
	} else {
		lines = append(lines, bot.Text(v.Moves[step-1].Player, " guessed ", bot.Bold(turns[step-1].Guess.String()), "; "+left+" left."))
	}
	if step == v.Used() {
		return append(lines, f.Outcome(v.Match))
	}
	return append(lines, letters(turns)...)
}

// letters says what is known of each letter that is not ruled out: what the tiles
// show, for players who do not see them.
func letters(turns []wordle.Turn) []bot.Line {
	tried := map[byte]bool{}
	copies := map[byte]int{}                      // that the word is known to have
	marked := map[byte]map[wordle.Mark][]string{} // where a letter got which mark, from 1
	for _, t := range turns {
		coloured := map[byte]int{}
		for i := range wordle.Length {
			letter, mark := t.Guess.Letter(i), t.Feedback.Mark(i)
			tried[letter] = true
			if mark != wordle.Black {
				coloured[letter]++
				copies[letter] = max(copies[letter], coloured[letter])
			}
			if marked[letter] == nil {
				marked[letter] = map[wordle.Mark][]string{}
			}
			if place := fmt.Sprint(i + 1); !slices.Contains(marked[letter][mark], place) {
				marked[letter][mark] = append(marked[letter][mark], place)
			}
		}
	}
	var placed [wordle.Length]string
	var yellow, untried []string
	for letter := byte('A'); letter <= 'Z'; letter++ {
		if !tried[letter] {
			untried = append(untried, string(letter))
			continue
		}
		green := marked[letter][wordle.Green]
		for _, place := range green {
			placed[place[0]-'1'] = fmt.Sprintf("%c (%s)", letter, place)
		}
		if copies[letter] > len(green) { // there is one more, elsewhere
			elsewhere := append(marked[letter][wordle.Yellow], marked[letter][wordle.Black]...)
			slices.Sort(elsewhere)
			yellow = append(yellow, fmt.Sprintf("%c (not %s)", letter, strings.Join(slices.Compact(elsewhere), ",")))
		}
	}
	var lines []bot.Line
	if green := slices.DeleteFunc(placed[:], func(s string) bool { return s == "" }); len(green) > 0 {
		lines = append(lines, bot.Text("In place: ", strings.Join(green, ", ")))
	}
	if len(yellow) > 0 {
		lines = append(lines, bot.Text("In the word: ", strings.Join(yellow, ", ")))
	}
	if len(untried) > 0 {
		lines = append(lines, bot.Text("Not tried: ", strings.Join(untried, " ")))
	}
	return lines
}

// wordHint shows a hint in a line. Whatever says anything about the word is in a spoiler: how
// many words are left, and that a letter is there twice, too.
func wordHint(h game.Hint) []bot.Line {
	switch content := h.Content.(type) {
	case wordgame.LetterHint:
		letter := string(content.Letter)
		if content.Times > 1 {
			letter += fmt.Sprintf(", %d times", content.Times)
		}
		return []bot.Line{bot.Text("A letter of the word: ", bot.Spoiler(letter), ".")}
	case wordgame.PositionHint:
		return []bot.Line{bot.Text(fmt.Sprintf("Position %d is ", content.Position), bot.Spoiler(string(content.Letter)), ".")}
	case solver.Suggestion:
		return []bot.Line{bot.Text("Try ", bot.Spoiler(content.Word.String()), ". ", bot.Spoiler(wordReason(content)))}
	}
	return nil
}

// wordReason says why a word is suggested, without the word.
func wordReason(s solver.Suggestion) string {
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

func (f Face) judgeWords(r game.Review) []Judgement {
	var all []Judgement
	for _, g := range r.(wordgame.Review).Guesses {
		best := ""
		if g.Best != g.Guess {
			best = g.Best.String()
		}
		all = append(all, Judgement{LetterTiles(g.Turn), f.judge(judged{
			g.Before, g.After, g.Feedback == marks.AllGreen, g.Expected,
			game.Grade{Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven}, best, false, g.Missed, g.BestMissed,
		})})
	}
	return all
}

func solverWords(r game.Review) []string {
	var all []string
	for _, t := range r.(wordgame.Review).Line {
		all = append(all, t.Guess.String())
	}
	return all
}

func explainWord(err error) (bot.Line, bool) {
	var hard *wordle.HardModeError
	switch {
	case errors.As(err, &hard):
		return bot.Text("Hard mode: "+HardClue(hard)+" ", bot.NoAttempt), true
	case errors.Is(err, game.ErrNothingFits):
		return bot.Text("No word I know fits this board any more, so I have nothing to suggest. Letters and positions still work: ",
			bot.Slash(bot.NameHint, "kind", "letter"), "."), true
	}
	return bot.Line{}, false
}

func wordRules() []bot.Line {
	example := wordle.MustParse("crane")
	return []bot.Line{
		bot.Text(bot.Bold("Find the hidden five-letter word in six attempts."), " Everybody here may guess. After each guess you see how close it was:"),
		LetterTiles(wordle.Turn{Guess: example, Feedback: wordle.Score(example, wordle.MustParse("carve"))}),
		bot.Text("Green (here C and E): the letter is in its place. Yellow (R and A): the word has it elsewhere. Black (N): the word has no more of it."),
		bot.Text("In hard mode green letters must stay, and every coloured letter must be used again."),
	}
}
