package play

import (
	"context"
	"errors"
	"fmt"

	"fivefold/bot"
	"fivefold/bot/face"

	"fivefold/game"
	"fivefold/game/pokle"
)

// The modes as they are typed. Where a mode is left out, start means together and
// the others the game that is being played here.
const (
	modeTogether = "together"
	modeSolo     = string(game.Solo)
	modeDaily    = string(game.Daily)
	modeCurrent  = "current"
)

func (b *Handlers) pokleStart() bot.Command {
	return bot.Command{
		Name: bot.NamePokleStart,
		Help: "Start a game of Pokle: find the five cards on the table",
		Options: []bot.Option{{
			Name:    "mode",
			Help:    "together: all in this channel; solo: you alone; daily: today's puzzle, the same for all, alone",
			Choices: []string{modeTogether, modeSolo, modeDaily},
		}},
		Audience: bot.Undecided,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			mode := game.Together
			if typed := r.Args["mode"]; typed != "" && typed != modeTogether {
				mode = game.Mode(typed)
			}
			m, err := b.Games.StartPokle(ctx, r.Origin(), mode)
			switch {
			case errors.Is(err, game.ErrRunning) && mode.Own(), errors.Is(err, game.ErrPlayed):
				return b.alreadyYours(ctx, m, err)
			case err != nil:
				return bot.Reply{}, err
			}
			return b.pokleReply(ctx, m, bot.Text(bot.Bold(b.newGame(ctx, m)), " Which five cards are on the table? ", bot.Slash(bot.NamePokleGuess+" 2c 3d 10h 4s ks"),
				" guesses, flop first; ", bot.Slash(bot.NamePokleRules), " tells how."))
		},
	}
}

// alreadyYours shows a player's own match in place of the new one that was asked for.
func (b *Handlers) alreadyYours(ctx context.Context, m game.Match, err error) (bot.Reply, error) {
	first := bot.Text(bot.Bold("You are playing this game already."), " Here it is:")
	if errors.Is(err, game.ErrPlayed) {
		first = bot.Text(bot.Bold("You have played today's puzzle."), " The next one comes at midnight UTC. Meanwhile: ", bot.Slash(bot.NamePokleStart+" solo"), ".")
	}
	return b.pokleReply(ctx, m, first)
}

// modeOption says which of several games is meant.
var modeOption = bot.Option{
	Name:    "mode",
	Help:    "Which game, where you play more than one here; without it, the one that you play",
	Choices: []string{modeCurrent, modeTogether, modeSolo, modeDaily},
}

// pokleTable returns the table that a request is about.
func (b *Handlers) pokleTable(ctx context.Context, r bot.Request) (game.Table, error) {
	var mode *game.Mode
	switch typed := r.Args["mode"]; typed {
	case "", modeCurrent:
	case modeTogether:
		mode = new(game.Mode)
	default:
		own := game.Mode(typed)
		mode = &own
	}
	return b.Games.PokleTable(ctx, r.Origin(), mode)
}

// atPokleTable does something at the table that a request is about.
func (b *Handlers) atPokleTable(ctx context.Context, r bot.Request, do func(game.Table) (game.Match, error)) (game.Match, error) {
	table, err := b.pokleTable(ctx, r)
	if err != nil {
		return game.Match{}, err
	}
	return do(table)
}

func (b *Handlers) pokleGuess() bot.Command {
	return bot.Command{
		Name: bot.NamePokleGuess,
		Help: "Guess the five cards on the table",
		Options: []bot.Option{
			{Name: "cards", Help: "Five cards: the flop in any order, turn, river, such as 2c 3d 10h 4s ks", Complete: b.completeCards},
			modeOption,
		},
		Audience: bot.Undecided,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			typed := r.Args["cards"]
			if typed == "" {
				return bot.Reply{Audience: bot.Asker, Form: guessForm(r), Lines: []bot.Line{
					bot.Text("Please add the five cards, the flop first: ", bot.Slash(bot.NamePokleGuess+" 2c 3d 10h 4s ks"), "."),
				}}, nil
			}
			board, err := pokle.ParseBoard(typed)
			if err != nil {
				told := face.NotBoard(typed, err)
				told = told.With(" " + bot.NoAttempt)
				return bot.Reply{}, bot.Refuse(err, told)
			}
			m, err := b.atPokleTable(ctx, r, func(t game.Table) (game.Match, error) { return b.Games.GuessPokle(ctx, r.Origin(), t, board) })
			if err != nil {
				return bot.Reply{}, err
			}
			return b.pokleReply(ctx, m)
		},
	}
}

// guessForm asks for the cards of a guess.
func guessForm(r bot.Request) *bot.Form {
	f := &bot.Form{
		Title:   "Guess the five cards",
		Command: bot.NamePokleGuess,
		Fields: []bot.Field{{
			Name: "cards", Label: "Flop in any order, turn, river", Help: "2c 3d 10h 4s ks", Required: true, Max: 100,
		}},
	}
	if mode := r.Args["mode"]; mode != "" {
		f.Args = map[string]string{"mode": mode}
	}
	return f
}

func (b *Handlers) pokleHint() bot.Command {
	return bot.Command{
		Name:     bot.NamePokleHint,
		Help:     "The board to guess next, and why; the game shows at its end who took hints",
		Options:  []bot.Option{modeOption},
		Audience: bot.Undecided,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := b.atPokleTable(ctx, r, func(t game.Table) (game.Match, error) { return b.Games.HintPokle(ctx, r.Origin(), t) })
			if err != nil {
				return bot.Reply{}, err
			}
			given := m.Hints[len(m.Hints)-1]
			return bot.Reply{Audience: audienceOf(m), Lines: []bot.Line{
				bot.Text("Try ", bot.Spoiler(given.Board.Board.String()), "."),
				bot.Text("Going by the places and the guesses, " + bot.Plural(given.Board.Remaining, "board") + " can be the hidden one. " +
					face.BoardReason(*given.Board, pokle.Attempts-given.After)),
			}}, nil
		},
	}
}

func (b *Handlers) pokleBoard() bot.Command {
	return bot.Command{
		Name:     bot.NamePokleBoard,
		Help:     "Show the table again: hands, medals, guesses",
		Options:  []bot.Option{modeOption, {Name: "text", Help: "As text and not as a picture", Kind: bot.FlagOption}},
		Audience: bot.Undecided,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := b.atPokleTable(ctx, r, func(t game.Table) (game.Match, error) { return b.Games.Board(ctx, t) })
			if err != nil {
				return bot.Reply{}, err
			}
			reply, err := b.pokleReply(ctx, m)
			if r.Args["text"] == "true" {
				reply.Picture = nil
			}
			return reply, err
		},
	}
}

func (b *Handlers) pokleStop() bot.Command {
	return bot.Command{
		Name:     bot.NamePokleStop,
		Help:     "Stop the game and show the board; for its starter and those who manage messages",
		Options:  []bot.Option{modeOption},
		Audience: bot.Undecided,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := b.atPokleTable(ctx, r, func(t game.Table) (game.Match, error) { return b.Games.Stop(ctx, r.Origin(), t, r.MayManage) })
			if errors.Is(err, game.ErrNotAllowed) {
				return bot.Reply{}, refuseStop(err, m)
			}
			if err != nil {
				return bot.Reply{}, err
			}
			return b.pokleReply(ctx, m)
		},
	}
}

// explainPokle explains what a command of the poker game was refused for, and
// reports false for what is explained as everywhere.
func explainPokle(err error) (bot.Reply, bool) {
	var (
		repeated *pokle.RepeatedError
		held     *pokle.HeldError
	)
	switch {
	case errors.Is(err, game.ErrNoMatch):
		return bot.Ephemeral(bot.Text("No game of Pokle has been started here yet. Start one with ", bot.Slash(bot.NamePokleStart), ".")), true
	case errors.Is(err, game.ErrEnded):
		return bot.Ephemeral(bot.Text("This game is over. Start the next one with ", bot.Slash(bot.NamePokleStart), ".")), true
	case errors.Is(err, game.ErrRunning):
		return bot.Ephemeral(bot.Text("A game of Pokle is being played here already. See it with ", bot.Slash(bot.NamePokleBoard+" together"),
			" and join in with ", bot.Slash(bot.NamePokleGuess), ". Or play alone: ", bot.Slash(bot.NamePokleStart+" solo"), ".")), true
	case errors.Is(err, game.ErrWhich):
		return bot.Ephemeral(bot.Text("You play more than one game of Pokle here. Please add which you mean: ", bot.Bold("together"), ", ", bot.Bold("solo"), " or ", bot.Bold("daily"),
			", such as ", bot.Slash(bot.NamePokleBoard+" solo"), ". ", bot.NoAttempt)), true
	case errors.As(err, &repeated):
		return bot.Ephemeral(bot.Text(fmt.Sprintf("That board was guessed already, as attempt %d. Try another one. ", repeated.Attempt), bot.NoAttempt)), true
	case errors.As(err, &held):
		return bot.Ephemeral(bot.Text(fmt.Sprintf("Player %d holds the %v, so it cannot be on the table. Try another board. ", held.Player, held.Card), bot.NoAttempt)), true
	}
	return bot.Reply{}, false
}
