package play

import (
	"context"
	"errors"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"

	"fivefold/game"
	"fivefold/game/wordle"
)

// wordTable is where the word game is played.
func wordTable(r bot.Request) game.Table { return game.ChannelTable(game.Wordle, r.Place.Channel) }

func (b *Handlers) wordleStart() bot.Command {
	return bot.Command{
		Name: bot.NameStart,
		Help: "Start a game in this channel; everybody here may guess",
		Options: []bot.Option{
			{Name: "hard", Help: "Hard mode: green letters must stay, all coloured ones must be used again", Kind: bot.FlagOption},
		},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := b.Games.Start(ctx, r.Origin(), game.StartOptions{Hard: r.Args["hard"] == "true"})
			if err != nil {
				return bot.Reply{}, err
			}
			lines := []bot.Line{bot.Text(bot.Bold("A new game."), " Find the five-letter word: ", bot.Slash(bot.NameGuess+" word"), ".")}
			return bot.Reply{Lines: append(lines, b.board(m)...)}, nil
		},
	}
}

func (b *Handlers) wordleBoard() bot.Command {
	return bot.Command{
		Name: bot.NameBoard,
		Help: "Show this channel's board again",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := b.Games.Board(ctx, wordTable(r))
			if err != nil {
				return bot.Reply{}, err
			}
			return bot.Reply{Lines: b.board(m)}, nil
		},
	}
}

func (b *Handlers) wordleStop() bot.Command {
	return bot.Command{
		Name: bot.NameStop,
		Help: "Stop this channel's game and show the word; for its starter and those who manage messages",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := b.Games.Stop(ctx, r.Origin(), wordTable(r), r.MayManage)
			if errors.Is(err, game.ErrNotAllowed) {
				return bot.Reply{}, refuseStop(err, m)
			}
			if err != nil {
				return bot.Reply{}, err
			}
			return bot.Reply{Lines: b.board(m)}, nil
		},
	}
}

// refuseStop tells who can stop a match.
func refuseStop(err error, m game.Match) error {
	return bot.Refuse(err, bot.Text("Only ", m.Starter,
		", who started this game, and those who may manage messages in this channel can stop it."))
}

func (b *Handlers) wordleHelp() bot.Command {
	return bot.Command{
		Name:     bot.NameHelp,
		Help:     "How to play, and every command",
		Audience: bot.Asker,
		Run:      b.runHelp,
	}
}

func (b *Handlers) runHelp(context.Context, bot.Request) (bot.Reply, error) {
	example := wordle.MustParse("crane")
	lines := []bot.Line{
		bot.Text(bot.Bold("Find the hidden five-letter word in six attempts."), " Everybody in the channel may guess. Each guess is told how close it was:"),
		face.LetterTiles(wordle.Turn{Guess: example, Feedback: wordle.Score(example, wordle.MustParse("carve"))}),
		bot.Text("Green (here C and E): the letter is in its place. Yellow (R and A): the word has it elsewhere. Black (N): the word has no more of it."),
		bot.Text("In hard mode green letters must stay, and every coloured letter must be used again."),
		bot.Text(bot.Bold("Commands")),
	}
	for _, c := range b.table.Commands {
		switch first, _, _ := strings.Cut(c.Name, " "); {
		case c.Name == bot.NameSolveHelp, c.Name == bot.NamePokleRules, first != "solve" && first != "pokle": // those two list the others
			lines = append(lines, usage(c))
		}
	}
	return bot.Reply{Lines: lines}, nil
}

// usage tells how a command is written and what it does.
func usage(c bot.Command) bot.Line {
	return bot.Text(bot.Slash(c.Usage()), " — "+c.Help+".")
}
