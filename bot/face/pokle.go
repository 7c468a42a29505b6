package face

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// Pokle is the face of the poker game. Complete proposes cards for a guess that is
// being typed.
func Pokle(complete func(ctx context.Context, r bot.Request, typed string) []bot.Choice) Face {
	f := Face{
		Kind:  pokergame.Kind,
		Title: "Pokle",
		Noun:  "board",
		About: "The poker game: find the five cards on the table",
		Commands: Commands{
			Start: bot.NamePokleStart, Guess: bot.NamePokleGuess, Hint: bot.NamePokleHint, Board: bot.NamePokleBoard, Stop: bot.NamePokleStop,
			Stats: bot.NamePokleStats, Rules: bot.NamePokleRules,
		},
		StartHelp: "Start a game of Pokle: find the five cards on the table",
		GuessHelp: "Guess the five cards on the table",
		HintHelp:  "The best board, and why; a win is then no win in your statistics, and the end shows who took hints",
		BoardHelp: "Show the table again: hands, places, guesses",
		StopHelp:  "Stop a game you started or moderate, and show the board",
		StatsHelp: "Pokle's leaderboard here, or a player's card",
		RulesHelp: "How to play Pokle, and its commands",
		Guess: []bot.Option{{
			Name: "cards", Help: "Five cards: the flop in any order, turn, river, such as 2c 3d 10h 4s ks", Complete: complete,
			Prompt: "Type five cards, first the three of the flop, such as 2c 3d 10h 4s ks",
		}},
		ReadGuess: func(args map[string]string) (func(game.State) (game.State, error), error) {
			b, err := pokle.ParseBoard(args["cards"])
			if err != nil {
				return nil, bot.Refuse(err, NotBoard(args["cards"], err).With(" "+bot.NoAttempt))
			}
			return pokergame.Move(b), nil
		},
		Tried: func(s game.State, args map[string]string) (int, bot.Line, bool) {
			b, err := pokle.ParseBoard(args["cards"])
			if err != nil {
				return 0, bot.Line{}, false
			}
			for i, g := range s.(pokergame.State).Guesses() {
				if g.Guess.Compare(b) == 0 {
					return i + 1, CardTiles(g), true
				}
			}
			return 0, bot.Line{}, false
		},
		Feedback: func(s game.State) []marks.Feedback { return feedbackOf(s.(pokergame.State).Guesses()) },
		Note:     equalBoard,
		Form: &bot.Form{
			Title:   "Guess the five cards",
			Command: bot.NamePokleGuess,
			Fields: []bot.Field{{
				Name: "cards", Label: "Flop in any order, turn, river", Help: "2c 3d 10h 4s ks", Required: true, Max: 100,
			}},
		},
		Example:   "2c 3d 10h 4s ks",
		HintKinds: []game.HintKind{game.HintSuggestion},
		HasText:   true,
		Counts: func(m game.Match) []int {
			if m.Status() != game.Playing {
				return nil
			}
			return []int{m.Used()}
		},
		Hint: boardHint,
		Guessed: func(s game.State) string {
			guesses := s.(pokergame.State).Guesses()
			return guesses[len(guesses)-1].Guess.String()
		},
		Answer: func(answer string) string {
			b, err := pokle.ParseBoard(answer)
			if err != nil {
				return answer
			}
			return b.String()
		},
		SkillMeans: "Skill: guesses still needed on average, against the best board; " +
			fmt.Sprintf("among more than %d boards, the information in the feedback.", boards.ByBitsAbove),
		SolverGuesses: solverBoards,
		Explain:       explainBoard,
		HowToPlay:     boardRules,
	}
	f.Intro = func(m game.Match, difficulty string) bot.Line {
		return bot.Text(bot.Bold(f.intro(m, difficulty)), " Which five cards are on the table? Guess them, the flop first: ",
			bot.Slash(f.Commands.Guess, f.Guess[0].Name, f.ExampleIn(m)), ". How to play: ", bot.Slash(f.Commands.Rules), ".")
	}
	f.Show = f.showBoard
	f.Step = f.stepBoard
	f.Judgements = f.judgeBoards
	return f
}

// showBoard draws a match, as lines and as a picture.
func (f Face) showBoard(v View) bot.Reply {
	s := v.State.(pokergame.State)
	table := picture.PokerTable{
		Title: ownTitle(v), Deal: s.Deal(), Guesses: s.Guesses(), Attempts: pokle.Attempts, Left: left(v, v.Used()),
	}
	if v.Status() != game.Playing {
		hidden := s.Hidden()
		table.Hidden, table.Outcome = &hidden, outcomeWords(v.Match)
	}
	if !v.Mode.Personal() {
		for _, m := range v.Moves {
			table.Players = append(table.Players, cmp.Or(v.Names.Of(m.Player), m.Name))
		}
	}
	var lines []bot.Line
	guess := 0
	for _, line := range PokerTableLines(table) {
		line.Pictured = true
		if len(line.Tiles) > 0 {
			if !v.Mode.Personal() {
				line = line.With(" ", v.Moves[guess].Player)
			}
			guess++
		}
		lines = append(lines, line)
	}
	lines = append(lines, guessers(v, table.Players)...)
	lines = append(lines, f.live(v)...)
	lines = append(append(lines, hintsLeft(v.Match)...), onlyYou(v.Match)...)
	if v.Status() != game.Playing {
		lines = append(lines, f.Outcome(v.Match))
		lines = append(lines, ShowdownLines(s.Deal(), s.Hidden())...)
		lines = append(lines, f.ending(v)...)
	}
	return bot.Reply{
		Audience: Audience(v.Match), InPlace: true, Lines: lines, Buttons: f.buttons(v),
		Picture: &bot.Picture{
			Name: "table.png",
			Alt:  picture.Alt(table),
			Draw: func(ctx context.Context, c bot.Colours) ([]byte, error) {
				table := table
				table.Contrast = c == bot.ContrastColours
				return picture.Draw(ctx, table)
			},
		},
	}
}

// guessers is a line with the players who made the guesses, for a picture that lacks a name:
// a message can always mention them.
func guessers(v View, names []string) []bot.Line {
	if !slices.Contains(names, "") {
		return nil
	}
	line := bot.Text("Guesses by ")
	for i, m := range v.Moves {
		if i > 0 {
			line = line.With(", ")
		}
		line = line.With(m.Player)
	}
	return []bot.Line{line.With(".")}
}

// left is how many boards were possible after so many guesses, -1 where the view does
// not have it.
func left(v View, used int) int {
	if n, ok := v.Left[used]; ok {
		return n
	}
	return -1
}

// stepBoard shows a finished match as it was after the first guesses.
func (f Face) stepBoard(v View, step int) []bot.Line {
	now := v.State.Rewind(step).(pokergame.State)
	lines := PokerTableLines(picture.PokerTable{Deal: now.Deal(), Guesses: now.Guesses(), Attempts: pokle.Attempts, Left: left(v, step)})
	if step > 0 {
		lines = append(lines, bot.Text(v.Moves[step-1].Player, " guessed ", bot.Bold(now.Guesses()[step-1].Guess.String()), "."))
	}
	if step == v.Used() {
		lines = append(lines, f.Outcome(v.Match))
	}
	return lines
}

func boardHint(h game.Hint) []bot.Line {
	s, ok := h.Content.(boards.Suggestion)
	if !ok {
		return nil
	}
	return []bot.Line{bot.Text("Try ", bot.Spoiler(s.Board.String()), ". ", bot.Spoiler(BoardReason(s, pokle.Attempts-h.After)))}
}

func (f Face) judgeBoards(r game.Review) []Judgement {
	var all []Judgement
	for _, g := range r.(pokergame.Review).Guesses {
		best := ""
		if g.Best.Canonical() != g.Guess.Canonical() {
			best = g.Best.String()
		}
		all = append(all, Judgement{
			CardTiles(g.Step),
			f.judge(judged{
				g.Before, g.After, g.Feedback == marks.AllGreen, g.Expected,
				game.Grade{Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven}, best, g.ByBits(), 0, 0,
			}),
		})
	}
	return all
}

func solverBoards(r game.Review) []string {
	var all []string
	for _, s := range r.(pokergame.Review).Line {
		all = append(all, s.Guess.String())
	}
	return all
}

func explainBoard(err error) (bot.Line, bool) {
	var held *pokle.HeldError
	switch {
	case errors.As(err, &held):
		return bot.Text(fmt.Sprintf("Player %d holds the %v, so it cannot be on the table. ", held.Player, held.Card), bot.NoAttempt), true
	case errors.Is(err, game.ErrNothingFits):
		return bot.Text("Under the current rules no board fits this game, so I can't suggest one."), true
	}
	return bot.Line{}, false
}

// equalBoard says why a board won that is not quite the hidden one.
func equalBoard(m game.Match) string {
	s := m.State.(pokergame.State)
	guesses := s.Guesses()
	last := guesses[len(guesses)-1].Guess
	if last.Compare(s.Hidden()) == 0 {
		return ""
	}
	return fmt.Sprintf(" %v wins too: the same flop, the same ranks on turn and river, and the same places for everybody.", last)
}

func boardRules() []bot.Line {
	guess, hidden := mustBoard("4c 4h qh ac jc"), mustBoard("4h 6c 9c ad jc")
	return []bot.Line{
		bot.Text(bot.Bold("Find the five cards on the table in six attempts."), " Three players hold two cards each, which you can see. The board is hidden: flop (three cards), turn and river. You also see who is 1st, 2nd and 3rd on each street, by the rules of Texas Hold'em. Equal hands share a place."),
		bot.Text("All eleven cards differ, and every card of the board counts: on some street it is part of somebody's hand, be it a pair, a straight, or just the highest card where there is nothing better. Kickers do not count, nor do the cards of a plain flush."),
		bot.Text("After each guess you see how close it was:"),
		CardTiles(pokle.Step{Guess: guess, Feedback: pokle.Score(guess, hidden)}),
		bot.Text("Green: the card is there (on the flop, in any of the three places). Yellow: the rank or the suit is right. Grey: neither. Flop, turn and river are compared separately. A board with the same flop whose turn and river have the right ranks wins too, if it leads to the same places."),
	}
}

// mustBoard reads a board in the source.
func mustBoard(text string) pokle.Board {
	b, err := pokle.ParseBoard(text)
	if err != nil {
		panic(err)
	}
	return b
}
