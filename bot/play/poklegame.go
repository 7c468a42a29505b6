package play

import (
	"context"
	"fmt"
	"strings"

	"fivefold/bot"

	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// pokleReply draws a match of the poker game, as lines and as a picture, under some
// lines of the caller's.
func (b *Handlers) pokleReply(ctx context.Context, m game.Match, first ...bot.Line) (bot.Reply, error) {
	table, err := b.pokleTableOf(ctx, m)
	if err != nil {
		return bot.Reply{}, err
	}
	lines := first
	for _, line := range face.TableLines(table) {
		line.Pictured = true
		lines = append(lines, line)
	}
	if m.Status() == game.Playing {
		if m.Mode.Own() {
			lines = append(lines, bot.Text("Only you see this game."))
		}
	} else {
		lines = append(lines, b.pokleEnding(ctx, m)...)
	}
	return bot.Reply{
		Audience: audienceOf(m), InPlace: true, Lines: lines, Buttons: pokleButtons(m),
		Picture: &bot.Picture{
			Name: "table.png",
			Alt:  picture.Alt(table),
			Draw: func(ctx context.Context) ([]byte, error) { return picture.Draw(ctx, table) },
		},
	}, nil
}

// pokleTableOf is what a match shows.
func (b *Handlers) pokleTableOf(ctx context.Context, m game.Match) (picture.Table, error) {
	t := picture.Table{
		Title: pokleTitle(m), Deal: m.Pokle.Deal(), Guesses: m.Pokle.Guesses(), Attempts: pokle.Attempts, Left: -1,
	}
	if m.Status() != game.Playing {
		hidden := m.Pokle.Hidden()
		t.Hidden = &hidden
		return t, nil
	}
	left, err := b.Games.Boards.Left(ctx, m.Position())
	t.Left = len(left.Boards)
	return t, err
}

func pokleTitle(m game.Match) string {
	switch m.Mode {
	case game.Daily:
		return fmt.Sprintf("Daily puzzle %d", m.Day)
	case game.Solo:
		return "Your own game"
	}
	return ""
}

// newGame names a game that has just begun, with how hard it is.
func (b *Handlers) newGame(ctx context.Context, m game.Match) string {
	name := "A new game of Pokle"
	if m.Mode == game.Daily {
		name = fmt.Sprintf("Pokle, daily puzzle %d", m.Day)
	}
	d, _, err := b.Games.Boards.Rate(ctx, boards.Puzzle{Deal: m.Pokle.Deal(), Hidden: m.Pokle.Hidden()})
	if err != nil {
		b.Log.Warn("a deal cannot be rated", "match", m, "error", err)
		return name + "."
	}
	return fmt.Sprintf("%s, %v.", name, d)
}

// pokleEnding tells how a match of the poker game ended, and what to do next.
func (b *Handlers) pokleEnding(ctx context.Context, m game.Match) []bot.Line {
	lines := []bot.Line{outcome(m)}
	lines = append(lines, face.ShowdownLines(m.Pokle.Deal(), m.Pokle.Hidden())...)
	if len(m.Hints) > 0 {
		lines = append(lines, hintsTaken(m.Hints))
	}
	if m.Day != 0 && m.Status() != game.Stopped {
		lines = append(lines, shareLines(m)...)
	}
	again := []any{"Play again with ", bot.Slash(bot.NamePokleStart), "."}
	if m.Used() > 0 {
		again = append([]any{"How good was each guess? ", bot.Slash(bot.NameReview), " tells. "}, again...)
	}
	return append(lines, bot.Text(again...))
}

// shareLines are how a daily puzzle went without its cards, to be copied.
func shareLines(m game.Match) []bot.Line {
	tries := "X"
	if m.Status() == game.Won {
		tries = fmt.Sprint(m.Used())
	}
	lines := []bot.Line{bot.Text(fmt.Sprintf("Without cards, to share: Fivefold Pokle %d, %s/%d", m.Day, tries, pokle.Attempts))}
	for _, g := range m.Pokle.Guesses() {
		lines = append(lines, bot.Text(squares(g.Feedback)))
	}
	return lines
}

// squares are marks as they are shared.
func squares(f marks.Feedback) string {
	var all strings.Builder
	for i := range marks.Length {
		all.WriteString([...]string{marks.Black: "⬛", marks.Yellow: "🟨", marks.Green: "🟩"}[f.Mark(i)])
	}
	return all.String()
}

// pokleButtons are those under a match.
func pokleButtons(m game.Match) [][]bot.Button {
	if m.Status() != game.Playing {
		return nil
	}
	mode := modeTogether
	if m.Mode.Own() {
		mode = string(m.Mode)
	}
	args := map[string]string{"mode": mode}
	return [][]bot.Button{{
		{Label: "Guess", Look: bot.Main, Command: bot.NamePokleGuess, Args: args},
		{Label: "Hint", Command: bot.NamePokleHint, Args: args},
		{Label: "Show the table", Command: bot.NamePokleBoard, Args: args},
	}}
}

// pokleStep shows a finished match as it was after the first guesses.
func (b *Handlers) pokleStep(ctx context.Context, m game.Match, step int) []bot.Line {
	now := m.Pokle.Rewind(step)
	position := m.Position()
	position.Steps = position.Steps[:step]
	table := picture.Table{Deal: now.Deal(), Guesses: now.Guesses(), Attempts: pokle.Attempts, Left: -1}
	left, err := b.Games.Boards.Left(ctx, position)
	if err != nil {
		b.Log.Warn("the boards of a finished match cannot be listed", "match", m, "error", err)
	} else {
		table.Left = len(left.Boards)
	}
	lines := face.TableLines(table)
	if step > 0 {
		lines = append(lines, bot.Text(m.Moves[step-1].Player, " guessed ", bot.Bold(now.Guesses()[step-1].Board.String()), "."))
	}
	if step == m.Used() {
		lines = append(lines, outcome(m))
	}
	return lines
}

// mayLook returns a Refusal where the player is still to play what is shown.
func (b *Handlers) mayLook(ctx context.Context, r bot.Request, m game.Match) error {
	if !b.Games.Secret(m.Result()) {
		return nil
	}
	own, err := b.Games.Board(ctx, game.Table{Kind: game.Pokle, Player: r.Player, Day: m.Day})
	if err == nil && own.Status() != game.Playing {
		return nil
	}
	return bot.Refuse(game.ErrPlaying, bot.Text("That is today's puzzle, and you have not finished it. Play it first: ", bot.Slash(bot.NamePokleStart+" daily"), "."))
}

// audienceOf is who sees a match that is played.
func audienceOf(m game.Match) bot.Audience {
	if m.Mode.Own() {
		return bot.Asker
	}
	return bot.Everyone
}
