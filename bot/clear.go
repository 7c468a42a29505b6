package bot

import (
	"context"
)

func (b *Handlers) reviewClear() Command {
	return Command{
		Name: NameClear,
		Help: "Make yourself anonymous in every finished game, and delete your statistics",
		Options: []Option{
			{Name: "sure", Help: "Do it, and do not ask first", Kind: FlagOption},
		},
		Audience: Asker,
		Run: func(ctx context.Context, r Request) (Reply, error) {
			switch {
			case r.Args["sure"] == "true":
				if err := b.Games.ClearHistory(ctx, r.Origin()); err != nil {
					return Reply{}, err
				}
				return Reply{InPlace: r.Pressed, Lines: []Line{
					Text(Bold("Your history is cleared."), " No finished game names you any more, and you have no statistics."),
				}}, nil
			case r.Args["sure"] == "false" && r.Pressed:
				return Reply{InPlace: true, Lines: []Line{Text("Your history is as it was.")}}, nil
			}
			return Reply{InPlace: r.Pressed, Lines: []Line{
				Text(Bold("This makes you “somebody” in every finished game and deletes your statistics, in every server and in direct messages. It cannot be undone.")),
				Text("Games that nobody else played in are then in no list any more. A game that is still being played stays as it is, and so does what ", Slash(NameRecord), " shows."),
				Text("Clear your history with ", Slash(NameClear+" sure"), "."),
			}, Buttons: [][]Button{{
				{Label: "Clear my history", Look: Danger, Command: NameClear, Args: map[string]string{"sure": "true"}},
				{Label: "Keep it", Command: NameClear, Args: map[string]string{"sure": "false"}},
			}}}, nil
		},
	}
}
