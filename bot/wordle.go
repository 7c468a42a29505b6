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

var wordleStart = Command{
	Name: nameStart,
	Help: "Start a game in this channel; everybody here may guess",
	Options: []Option{
		{Name: "hard", Help: "Hard mode: green letters must stay, all coloured ones must be used again", Kind: Flag},
	},
	Run: func(ctx context.Context, b *Bot, r Request) (Reply, error) {
		m, err := b.Games.Start(ctx, r.origin(), game.StartOptions{Hard: r.Args["hard"] == "true"})
		if err != nil {
			return Reply{}, err
		}
		lines := []Line{say(bold("A new game."), " Find the five-letter word: ", mention(nameGuess+" word"), ".")}
		return Reply{Lines: append(lines, b.board(m)...)}, nil
	},
}

var wordleBoard = Command{
	Name: nameBoard,
	Help: "Show this channel's board again",
	Run: func(ctx context.Context, b *Bot, r Request) (Reply, error) {
		m, err := b.Games.Board(ctx, wordTable(r))
		if err != nil {
			return Reply{}, err
		}
		return Reply{Lines: b.board(m)}, nil
	},
}

var wordleStop = Command{
	Name: nameStop,
	Help: "Stop this channel's game and show the word; for its starter and those who manage messages",
	Run: func(ctx context.Context, b *Bot, r Request) (Reply, error) {
		m, err := b.Games.Stop(ctx, r.origin(), wordTable(r), r.MayManage)
		if errors.Is(err, game.ErrNotAllowed) {
			return Reply{}, refuseStop(err, m)
		}
		if err != nil {
			return Reply{}, err
		}
		return Reply{Lines: b.board(m)}, nil
	},
}

// refuseStop tells who can stop a match.
func refuseStop(err error, m game.Match) error {
	return refuse(err, say("Only ", m.Starter,
		", who started this game, and those who may manage messages in this channel can stop it."))
}

var wordleHelp = Command{
	Name:    nameHelp,
	Help:    "How to play, and every command",
	Private: true,
	Run:     runHelp,
}

func runHelp(context.Context, *Bot, Request) (Reply, error) {
	example := wordle.MustParse("crane")
	lines := []Line{
		say(bold("Find the hidden five-letter word in six attempts."), " Everybody in the channel may guess. Each guess is told how close it was:"),
		tiles(wordle.Turn{Guess: example, Feedback: wordle.Score(example, wordle.MustParse("carve"))}),
		say("Green (here C and E): the letter is in its place. Yellow (R and A): the word has it elsewhere. Black (N): the word has no more of it."),
		say("In hard mode green letters must stay, and every coloured letter must be used again."),
		say(bold("Commands")),
	}
	for _, c := range commands {
		switch first, _, _ := strings.Cut(c.Name, " "); {
		case c.Name == nameSolving, c.Name == namePokleRules, first != "solve" && first != "pokle": // those two list the others
			lines = append(lines, usage(c))
		}
	}
	return Reply{Lines: lines}, nil
}

// usage tells how a command is written and what it does.
func usage(c Command) Line {
	return say(mention(c.Usage()), " — "+c.Help+".")
}
