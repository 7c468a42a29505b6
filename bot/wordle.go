package bot

import (
	"context"
	"errors"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
)

// wordTable is where the word game is played.
func wordTable(r Request) game.Table { return game.ChannelTable(game.Wordle, r.Place.Channel) }

func (b *Handlers) wordleStart() Command {
	return Command{
		Name: NameStart,
		Help: "Start a game in this channel; everybody here may guess",
		Options: []Option{
			{Name: "hard", Help: "Hard mode: green letters must stay, all coloured ones must be used again", Kind: FlagOption},
		},
		Run: func(ctx context.Context, r Request) (Reply, error) {
			m, err := b.Games.Start(ctx, r.Origin(), game.StartOptions{Hard: r.Args["hard"] == "true"})
			if err != nil {
				return Reply{}, err
			}
			lines := []Line{Text(Bold("A new game."), " Find the five-letter word: ", Slash(NameGuess+" word"), ".")}
			return Reply{Lines: append(lines, b.board(m)...)}, nil
		},
	}
}

func (b *Handlers) wordleBoard() Command {
	return Command{
		Name: NameBoard,
		Help: "Show this channel's board again",
		Run: func(ctx context.Context, r Request) (Reply, error) {
			m, err := b.Games.Board(ctx, wordTable(r))
			if err != nil {
				return Reply{}, err
			}
			return Reply{Lines: b.board(m)}, nil
		},
	}
}

func (b *Handlers) wordleStop() Command {
	return Command{
		Name: NameStop,
		Help: "Stop this channel's game and show the word; for its starter and those who manage messages",
		Run: func(ctx context.Context, r Request) (Reply, error) {
			m, err := b.Games.Stop(ctx, r.Origin(), wordTable(r), r.MayManage)
			if errors.Is(err, game.ErrNotAllowed) {
				return Reply{}, refuseStop(err, m)
			}
			if err != nil {
				return Reply{}, err
			}
			return Reply{Lines: b.board(m)}, nil
		},
	}
}

// refuseStop tells who can stop a match.
func refuseStop(err error, m game.Match) error {
	return Refuse(err, Text("Only ", m.Starter,
		", who started this game, and those who may manage messages in this channel can stop it."))
}

func (b *Handlers) wordleHelp() Command {
	return Command{
		Name:     NameHelp,
		Help:     "How to play, and every command",
		Audience: Asker,
		Run:      b.runHelp,
	}
}

func (b *Handlers) runHelp(context.Context, Request) (Reply, error) {
	example := wordle.MustParse("crane")
	lines := []Line{
		Text(Bold("Find the hidden five-letter word in six attempts."), " Everybody in the channel may guess. Each guess is told how close it was:"),
		tiles(wordle.Turn{Guess: example, Feedback: wordle.Score(example, wordle.MustParse("carve"))}),
		Text("Green (here C and E): the letter is in its place. Yellow (R and A): the word has it elsewhere. Black (N): the word has no more of it."),
		Text("In hard mode green letters must stay, and every coloured letter must be used again."),
		Text(Bold("Commands")),
	}
	for _, c := range b.table.Commands {
		switch first, _, _ := strings.Cut(c.Name, " "); {
		case c.Name == NameSolving, c.Name == NamePokleRules, first != "solve" && first != "pokle": // those two list the others
			lines = append(lines, usage(c))
		}
	}
	return Reply{Lines: lines}, nil
}

// usage tells how a command is written and what it does.
func usage(c Command) Line {
	return Text(Slash(c.Usage()), " — "+c.Help+".")
}
