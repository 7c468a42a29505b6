package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"

	"fivefold/game"
)

func (b *Handlers) stats() bot.Command {
	return bot.Command{
		Name: bot.NameStats,
		Help: "The leaderboard of this server, or one player's card",
		Options: []bot.Option{
			{Name: "player", Help: "Whose card to show", Kind: bot.PlayerOption},
		},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) { return b.showStats(ctx, r, game.Wordle) },
	}
}

func (b *Handlers) pokleStats() bot.Command {
	return bot.Command{
		Name:    bot.NamePokleStats,
		Help:    "The leaderboard of the poker game in this server, or one player's card",
		Options: b.stats().Options,
		Run:     func(ctx context.Context, r bot.Request) (bot.Reply, error) { return b.showStats(ctx, r, game.Pokle) },
	}
}

// showStats shows a game's leaderboard or a player's card.
func (b *Handlers) showStats(ctx context.Context, r bot.Request, kind game.Kind) (bot.Reply, error) {
	player := r.Args["player"]
	named := player != ""
	scope := game.Scope{Kind: kind, Guild: r.Place.Guild}
	if scope.Guild == "" {
		if named && player != string(r.Player) {
			return bot.Reply{}, bot.Refuse(errPrivate, bot.Text("In direct messages I show nobody's statistics but your own."))
		}
		return b.card(ctx, scope, r.Player)
	}
	if named {
		return b.card(ctx, scope, game.PlayerID(player))
	}
	return b.leaderboard(ctx, scope, r.Player)
}

// startOf is the command that starts a game.
func startOf(k game.Kind) string {
	if k == game.Pokle {
		return bot.NamePokleStart
	}
	return bot.NameStart
}

// titled is a title that says which game it is about, unless that is the word game.
func titled(k game.Kind, title string) string {
	if k == game.Pokle {
		return "Pokle: " + strings.ToLower(title)
	}
	return title
}

var errPrivate = errors.New("another player's totals in direct messages")

// leaderboardRows is how many players a leaderboard shows besides who asked.
const leaderboardRows = 10

func (b *Handlers) leaderboard(ctx context.Context, scope game.Scope, player game.PlayerID) (bot.Reply, error) {
	board, err := b.Games.Store.Leaderboard(ctx, scope, player, leaderboardRows)
	if err != nil {
		return bot.Reply{}, err
	}
	if board.Players == 0 {
		return bot.Reply{Lines: []bot.Line{bot.Text("Nobody has finished a game here yet. Start one with ", bot.Slash(startOf(scope.Kind)), ".")}}, nil
	}
	lines := []bot.Line{bot.Text(bot.Bold(titled(scope.Kind, "Leaderboard")), " of "+bot.Plural(board.Players, "player"))}
	for _, row := range board.Top {
		lines = append(lines, rowLine(row))
	}
	switch {
	case board.Own.Place == 0:
		lines = append(lines, bot.Text("You have not finished a game here yet."))
	case !slices.Contains(board.Top, board.Own):
		lines = append(lines, bot.Text("…"), rowLine(board.Own))
	}
	return bot.Reply{Lines: lines}, nil
}

func rowLine(row game.Row) bot.Line {
	line := bot.Text(fmt.Sprintf("%d. ", row.Place), row.Player,
		fmt.Sprintf(" — won %d of %d (%s)", row.Won, row.Played, bot.Percent(row.Share())))
	if row.Won > 0 {
		line = line.With(fmt.Sprintf(", %.2f attempts on average", row.Average()))
	}
	return line
}

// card shows a player's totals.
func (b *Handlers) card(ctx context.Context, scope game.Scope, player game.PlayerID) (bot.Reply, error) {
	t, err := b.Games.Store.Totals(ctx, scope, player)
	if err != nil {
		return bot.Reply{}, err
	}
	where := " here"
	if scope.Guild == "" {
		where = ""
	}
	if t.Played == 0 {
		return bot.Reply{Lines: []bot.Line{bot.Text(player, " has not finished a game"+where+" yet. Hints taken: ", fmt.Sprint(t.Hints), ".")}}, nil
	}
	lines := []bot.Line{
		bot.Text(bot.Bold(titled(scope.Kind, "Statistics")), " of ", player),
		bot.Text(fmt.Sprintf("Played %d, won %d (%s).", t.Played, t.Won, bot.Percent(t.Share()))),
		bot.Text(fmt.Sprintf("Streak %d, best streak %d. Hints taken: %d.", t.Streak, t.BestStreak, t.Hints)),
	}
	pool := "" // everywhere
	if scope.Guild != "" {
		pool = game.Place{Guild: scope.Guild}.Pool()
	}
	form, err := b.Games.Form(ctx, scope.Kind, pool, player)
	if err != nil {
		return bot.Reply{}, err
	}
	if form.Matches > 0 {
		lines = append(lines, bot.Text(fmt.Sprintf("Skill %.0f, luck %.0f on average over %s.", form.Skill, form.Luck, bot.Plural(form.Matches, "game"))))
	}
	if t.Won > 0 {
		lines = append(lines, bot.Text(fmt.Sprintf("%.2f attempts on average:", t.Average())))
		lines = append(lines, face.Chart(t.Distribution)...)
	}
	return bot.Reply{Lines: lines}, nil
}
