package play

import (
	"context"
	"errors"
	"fivefold/bot"
	"fmt"
	"strconv"
	"strings"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver"
)

func (b *Handlers) solveNext() bot.Command {
	return bot.Command{
		Name:     bot.NameNext,
		Hidden:   []string{argMarks, argAt},
		Help:     "Your next guess and its tiles; tiles alone are for the word proposed; nothing shows where you are",
		Audience: bot.Asker,
		Options: []bot.Option{
			{Name: "guess", Help: "The word you guess, where it is not the one proposed", Complete: b.completeGuess},
			{Name: "tiles", Help: "What it was told: b black or grey, y yellow, g green, such as bbygb; squares work too"},
		},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if marks := r.Args[argMarks]; marks != "" {
				return b.press(ctx, r, marks)
			}
			guess, tiles := b.readNext(r.Args["guess"], r.Args["tiles"])
			if guess == "" && tiles == "" {
				help, err := b.Helper.Show(ctx, r.Origin())
				return puzzleReply(help, blank), err
			}
			var t wordle.Turn
			var err error
			if guess != "" {
				if t.Guess, err = wordle.ParseWord(guess); err != nil {
					return bot.Reply{}, bot.Refuse(err, bot.Text(notAWord(guess, err)))
				}
				if tiles == "" {
					return b.update(ctx, r, func(p game.Puzzle) (game.Puzzle, error) { return p.Choose(t.Guess) })
				}
			}
			if t.Feedback, err = wordle.ParseFeedback(tiles); err != nil {
				return bot.Reply{}, bot.Refuse(err, notTiles(tiles, err))
			}
			return b.update(ctx, r, func(p game.Puzzle) (game.Puzzle, error) {
				if t.Guess == 0 {
					t.Guess = p.Next() // for good: another request may come between, after which another word is next
				}
				return p.Add(t)
			})
		},
	}
}

func (b *Handlers) solveUndo() bot.Command {
	return bot.Command{
		Name:     bot.NameUndo,
		Hidden:   []string{argAt},
		Help:     "Take the last line back",
		Audience: bot.Asker,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			return b.update(ctx, r, game.Puzzle.Undo)
		},
	}
}

func (b *Handlers) solveChange() bot.Command {
	return bot.Command{
		Name:     bot.NameChange,
		Hidden:   []string{argAt},
		Help:     "Correct the tiles of a line",
		Audience: bot.Asker,
		Options: []bot.Option{
			{Name: "line", Help: "Which one, from 1", Required: true, Choices: []string{"1", "2", "3", "4", "5", "6"}},
			{Name: "tiles", Help: "What its word was told, such as bbygb", Required: true},
		},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			line, err := strconv.Atoi(r.Args["line"])
			if err != nil {
				return bot.Reply{}, err // the table lets numbers through only
			}
			f, err := wordle.ParseFeedback(r.Args["tiles"])
			if err != nil {
				return bot.Reply{}, bot.Refuse(err, notTiles(r.Args["tiles"], err))
			}
			return b.update(ctx, r, func(p game.Puzzle) (game.Puzzle, error) { return p.Change(line, f) })
		},
	}
}

func (b *Handlers) solveHard() bot.Command {
	return bot.Command{
		Name:     bot.NameHard,
		Help:     "Propose only words that hard mode allows; off proposes all again",
		Audience: bot.Asker,
		Options:  []bot.Option{{Name: "off", Help: "Leave hard mode", Kind: bot.FlagOption}},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			return b.update(ctx, r, func(p game.Puzzle) (game.Puzzle, error) {
				return p.WithHard(r.Args["off"] != "true"), nil
			})
		},
	}
}

func (b *Handlers) solveStrategy() bot.Command {
	return bot.Command{
		Name:     bot.NameStrategy,
		Help:     "Choose how words are proposed, from now on",
		Audience: bot.Asker,
		Options: []bot.Option{{
			Name: "name", Required: true, Choices: solver.StrategyNames(),
			Help: "optimal: the fewest guesses; the others look one guess ahead only",
		}},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			return b.update(ctx, r, func(p game.Puzzle) (game.Puzzle, error) { return p.WithStrategy(r.Args["name"]), nil })
		},
	}
}

func (b *Handlers) solveNew() bot.Command {
	return bot.Command{
		Name:     bot.NameNew,
		Hidden:   []string{argAt},
		Help:     "Begin a new puzzle; one that is not over counts for nothing",
		Audience: bot.Asker,
		Options:  []bot.Option{{Name: "hard", Help: "The puzzle is in hard mode", Kind: bot.FlagOption}},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			version, ok := seen(r)
			if !ok {
				return bot.Outdated(), nil
			}
			help, err := b.Helper.Begin(ctx, r.Origin(), version, r.Args["hard"] == "true")
			return updated(help, err)
		},
	}
}

func (b *Handlers) solveRecord() bot.Command {
	return bot.Command{
		Name:     bot.NameRecord,
		Help:     "How many puzzles you have solved with help, and in how many guesses",
		Audience: bot.Asker,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			notes, err := b.Helper.Notes(ctx, r.Player)
			if err != nil {
				return bot.Reply{}, err
			}
			lines := []bot.Line{recordLine(notes.Record)}
			if notes.Record.Won() > 0 {
				lines = append(lines, chart(notes.Record.Distribution)...)
			}
			return bot.Reply{Lines: lines}, nil
		},
	}
}

func (b *Handlers) solveHelp() bot.Command {
	return bot.Command{
		Name:     bot.NameSolving,
		Help:     "How to get help with a word puzzle that you play elsewhere",
		Audience: bot.Asker,
		Run: func(context.Context, bot.Request) (bot.Reply, error) {
			lines := []bot.Line{
				bot.Text(bot.Bold("Help with a word puzzle that you play elsewhere."),
					" I propose a word, you guess it there and tell me its tiles, and so on. Only you see it."),
				bot.Text("Tiles are five letters, one for each letter of the guess: b for black or grey, y for yellow, g for green. ",
					"Squares such as ⬛🟨🟩 and ⬜🟦🟧 work too, and so do 0, 1 and 2. ",
					"Where there are buttons, each press takes a tile from black to yellow, to green and back; then ", bot.Bold("Enter"), "."),
			}
			for _, c := range b.table.Commands {
				if strings.HasPrefix(c.Name, "solve ") {
					lines = append(lines, usage(c))
				}
			}
			return bot.Reply{Lines: lines}, nil
		},
	}
}

// argAt is the argument of buttons that says which version of the player's notes
// they were shown with. A command that is typed has none.
const argAt = "at"

// seen returns the version that a button was shown with, or 0 for a typed command.
// It is false for what no button of ours says.
func seen(r bot.Request) (version uint64, ok bool) {
	at, pressed := r.Args[argAt]
	if !pressed {
		return 0, true
	}
	version, err := strconv.ParseUint(at, 10, 64)
	return version, err == nil && version > 0
}

// update changes the player's puzzle and shows it.
func (b *Handlers) update(ctx context.Context, r bot.Request, rule func(game.Puzzle) (game.Puzzle, error)) (bot.Reply, error) {
	version, ok := seen(r)
	if !ok {
		return bot.Outdated(), nil
	}
	help, err := b.Helper.Update(ctx, r.Origin(), version, rule)
	return updated(help, err)
}

// updated shows a puzzle after a change, or why there was none.
func updated(help game.Help, err error) (bot.Reply, error) {
	if errors.Is(err, game.ErrOutdated) {
		return outdatedPuzzle(help), nil
	}
	if err != nil {
		return bot.Reply{}, explainPuzzle(help.Puzzle, err)
	}
	return puzzleReply(help, blank), nil
}

// outdatedPuzzle shows the puzzle to who pressed a button of an older message.
func outdatedPuzzle(help game.Help) bot.Reply {
	reply := puzzleReply(help, blank)
	reply.Lines = append([]bot.Line{bot.Text("That button belonged to an earlier state, so it changed nothing. This is where you are:")}, reply.Lines...)
	return reply
}

// explainPuzzle puts into words why a puzzle cannot be changed so; other errors it
// leaves as they are.
func explainPuzzle(p game.Puzzle, err error) error {
	var (
		repeated *wordle.RepeatedError
		hard     *wordle.HardModeError
	)
	switch {
	case errors.As(err, &repeated):
		return bot.Refuse(err, bot.Text(fmt.Sprintf("You have that word already, in line %d. If its tiles are wrong: ", repeated.Attempt),
			bot.Slash(fmt.Sprintf("%s %d tiles", bot.NameChange, repeated.Attempt)), "."))
	case errors.As(err, &hard):
		return bot.Refuse(err, bot.Text("Hard mode: "+hardClue(hard)+" Choose another word, or leave hard mode with ", bot.Slash(bot.NameHard+" off"), "."))
	case errors.Is(err, game.ErrPuzzleOver):
		return bot.Refuse(err, bot.Text("This puzzle is over. Begin the next one with ", bot.Slash(bot.NameNew),
			", or take the last line back with ", bot.Slash(bot.NameUndo), "."))
	case errors.Is(err, game.ErrNoNext):
		return bot.Refuse(err, bot.Text("No word is proposed, so please tell me your guess too: ", bot.Slash(bot.NameNext+" crane bbygb"),
			". Or correct the tiles so far: ", bot.Slash(bot.NameChange+" line tiles"), "."))
	case errors.Is(err, game.ErrNoLine) && len(p.Turns) == 0:
		return bot.Refuse(err, bot.Text("There is no line yet. Tell me the tiles of your first guess: ", bot.Slash(bot.NameNext+" crane bbygb"), "."))
	case errors.Is(err, game.ErrNoLine):
		return bot.Refuse(err, bot.Text(fmt.Sprintf("There is no such line; the last one is %d. See them with ", len(p.Turns)), bot.Slash(bot.NameNext), "."))
	case errors.Is(err, game.ErrGreenLine):
		return bot.Refuse(err, bot.Text("All green is the end, but other lines follow that one. Take them back first: ", bot.Slash(bot.NameUndo), "."))
	}
	return err
}

// readNext tells tiles from guesses. Who has nothing but tiles to say may put them
// where the guess stands, also in several pieces; a word of the list is a guess
// all the same.
func (b *Handlers) readNext(guess, tiles string) (string, string) {
	guess, tiles = strings.TrimSpace(guess), strings.TrimSpace(tiles)
	if w, err := wordle.ParseWord(guess); err == nil && b.Games.Lists.CanGuess(w) {
		return guess, tiles
	}
	if all := guess + " " + tiles; guess != "" {
		if _, err := wordle.ParseFeedback(all); err == nil {
			return "", all
		}
	}
	return guess, tiles
}

// notTiles tells why a text is no row of tiles.
func notTiles(typed string, err error) bot.Line {
	return notMarks(typed, err, "tile", "letter of the guess: b for black or grey, y for yellow, g for green, such as ", "bbygb")
}

// notMarks tells why a text is not five marks, which the noun calls what the game
// calls them, and which there is one of for each of something.
func notMarks(typed string, err error, noun, each, example string) bot.Line {
	what := "has no " + noun + " in it"
	var fault *marks.Error
	if errors.As(err, &fault) {
		switch {
		case fault.Unknown > 0:
			what = fmt.Sprintf("has something else than a %s at position %d", noun, fault.Unknown)
		case fault.Marks > 0:
			what = "has " + bot.Plural(fault.Marks, noun)
		}
	}
	return bot.Text(bot.Quote(typed), " "+what+". There are five, one for each "+each, bot.Bold(example), ". Squares work too.")
}
