package bot

import (
	"context"
)

var reviewClear = Command{
	Name: nameClear,
	Help: "Make yourself anonymous in every finished game, and delete your statistics",
	Options: []Option{
		{Name: "sure", Help: "Do it, and do not ask first", Kind: Flag},
	},
	Private: true,
	Run: func(ctx context.Context, b *Bot, r Request) (Reply, error) {
		switch {
		case r.Args["sure"] == "true":
			if err := b.Games.ClearHistory(ctx, r.origin()); err != nil {
				return Reply{}, err
			}
			return Reply{InPlace: r.Pressed, Lines: []Line{
				say(bold("Your history is cleared."), " No finished game names you any more, and you have no statistics."),
			}}, nil
		case r.Args["sure"] == "false" && r.Pressed:
			return Reply{InPlace: true, Lines: []Line{say("Your history is as it was.")}}, nil
		}
		return Reply{InPlace: r.Pressed, Lines: []Line{
			say(bold("This makes you “somebody” in every finished game and deletes your statistics, in every server and in direct messages. It cannot be undone.")),
			say("Games that nobody else played in are then in no list any more. A game that is still being played stays as it is, and so does what ", mention(nameRecord), " shows."),
			say("Clear your history with ", mention(nameClear+" sure"), "."),
		}, Buttons: [][]Button{{
			{Label: "Clear my history", Look: Danger, Command: nameClear, Args: map[string]string{"sure": "true"}},
			{Label: "Keep it", Command: nameClear, Args: map[string]string{"sure": "false"}},
		}}}, nil
	},
}
