package face

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"fivefold/bot"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
)

// PlayerBoard is a player's board among others.
type PlayerBoard struct {
	Player game.PlayerID
	Used   int // how many guesses were made
	picture.Board
}

// Board returns a player's board in a game.
func (f Face) Board(p game.PlayerID, s game.State, result string) PlayerBoard {
	return PlayerBoard{p, s.Used(), picture.Board{
		Attempts: s.Used() + s.AttemptsLeft(), Rows: bot.Each(f.Rows(s), feedback), Found: f.Found(s), Result: result,
	}}
}

// Boards shows boards side by side without a letter of any guess: in one picture, or in words with a line for each. A
// line after the picture has the players whose names the picture can't write.
func Boards(names game.Names, all []PlayerBoard) []bot.Block {
	var drawn picture.Boards
	var lines, brief []bot.Line
	guesses := 0
	for _, b := range all {
		board := b.Board
		board.Name = names[b.Player]
		if b.Player == "" {
			board.Name = "somebody"
		}
		line := bot.Text(b.Player)
		if medal, ok := picture.Medals[b.Place]; ok {
			line = bot.Text(bot.Emoji(medal.Emoji+" "), line)
		}
		drawn, guesses = append(drawn, board), guesses+b.Used
		lines, brief = append(lines, line.With(board.Words(true)+".")), append(brief, line.With(board.Words(false)))
	}
	if drawn == nil {
		return nil
	}
	if more := len(lines) - picture.MostBoards + 1; more > 1 {
		last := bot.Text(fmt.Sprintf("And %d more.", more))
		lines, brief = append(lines[:picture.MostBoards-1], last), append(brief[:picture.MostBoards-1], last)
	}
	// The alt text has the marks if there is room. It's different after each guess, since a message keeps a picture whose
	// text stays the same.
	inAll := bot.Text(fmt.Sprintf("Guesses in all: %d", guesses))
	alt := bot.Words(names, append(slices.Clip(lines), inAll)...)
	if utf8.RuneCountInString(alt) > bot.MaxAlt {
		alt = bot.Words(names, append(brief, inAll)...)
	}
	blocks := []bot.Block{&bot.Picture{Name: "boards.png", Alt: alt, Instead: lines, Draw: drawn.Draw}}
	unwritten := bot.Each(drawn.Unwritten(), func(i int) bot.Line { return bot.Text(picture.PlayerName(i)+" is ", all[i].Player) })
	if unwritten != nil {
		blocks = append(blocks, bot.List(bot.Line{}, unwritten, "").With("."))
	}
	return blocks
}

func feedback(row bot.Line) (f marks.Feedback) {
	for i, tile := range row.Tiles {
		f = f.With(i, tile.Mark)
	}
	return f
}

// Shared shows a player's ended match to everyone, without its answer, with a button to play too.
func (f Face) Shared(m game.Match, by game.PlayerID) bot.Reply {
	what, end := "a "+f.Noun, ""
	if f.Title != "" {
		what = "a game of " + f.Title
	}
	if number, daily := m.Puzzle.Daily(); daily {
		what = fmt.Sprintf("%s %d", cmp.Or(f.Title, "daily"), number)
	}
	if m.Mode == game.Practice {
		end = ", for practice"
	}
	won := m.Status() == game.Won
	reply := bot.Reply{Tone: bot.Sad, Heading: bot.Text(by, " didn't get "+what+end), Names: m.Names}
	if won {
		reply.Tone, reply.Heading = bot.Happy, bot.Text(by, fmt.Sprintf(" solved %s in %d%s", what, m.Used(), end))
	}
	play := f.AgainButton(m)
	play.Label, play.Style = "Play", bot.ButtonPrimary
	return reply.Add(Boards(m.Names, []PlayerBoard{f.Board(by, m.State, Score(won, m.Used(), m.Limit(), len(m.Hints)))})...).Row(play)
}
