// Package league is about results of the newspaper's puzzle, which players bring along from elsewhere.
package league

import (
	"context"
	"errors"

	"fivefold/game"
)

// The kinds under which tables of the newspaper's puzzle are kept beside those of our games: what the newspaper's own app has
// said, and what players have pasted.
const (
	Official game.Kind = "newspaper"
	Claimed  game.Kind = "claimed"
)

// Result is a player's result in one of the newspaper's puzzles.
type Result struct {
	// Player is empty for a name in a summary that belongs to nobody yet.
	Player game.PlayerID `json:",omitzero"`
	// Name is the player's global display name, if it is known. Without a player it is the name in the summary, of up to 128 bytes.
	Name     string `json:",omitzero"`
	Number   int    // of the puzzle, from 0 on
	Won      bool   `json:",omitzero"`
	Guesses  int    `json:",omitzero"` // 1 to 6 if it was won, else without a meaning
	Hard     bool   `json:",omitzero"`
	Official bool   `json:",omitzero"`
}

// Imported says what an import has changed, with each result as it is stored now.
type Imported struct {
	New      []Result
	Known    []Result // that were there already; a different official result, or another claim, stays
	Replaced []Result // official ones, which took the place of claimed ones
	Waiting  []Result // of names that belong to nobody yet: they count once the name does
}

// Alias is a name in the summaries of a server that a player says is theirs.
type Alias struct {
	Name      string
	Player    game.PlayerID `json:",omitzero"`
	Called    string        `json:",omitzero"` // the player's global display name
	Confirmed bool          `json:",omitzero"`
}

// ErrNoClaim is an error of a [Store].
var ErrNoClaim = errors.New("the player has not claimed that name")

// Store keeps imported results and whose names are in summaries. Each method makes one change, which a repeated call does not
// make again. Every change requires a guild in its origin, except an import of results with players. It is safe for concurrent
// use.
type Store interface {
	// Import stores results. It goes by player and puzzle: the first result stays, but an official one replaces a claimed one.
	// Results without a player go to the player whose confirmed alias the name is, or wait. Results are imported all or, with the
	// error of [Result.Check], none.
	Import(ctx context.Context, by game.Origin, results []Result) (Imported, error)

	// Aliases returns the aliases in a guild, by name.
	Aliases(ctx context.Context, guild game.GuildID) ([]Alias, error)

	// Claim says that a name is the asker's. If it is another player's alias, confirmed or not, it stays and is returned.
	Claim(ctx context.Context, by game.Origin, name string) (Alias, error)

	// Confirm confirms that a name is a player's, and stores the results that waited for it. The caller has checked that the
	// asker may. The error is [ErrNoClaim] if the player does not claim that name.
	Confirm(ctx context.Context, by game.Origin, name string, player game.PlayerID) (Imported, error)

	// TakeBack removes the alias of a name. Results that came by it wait again. The caller has checked that the asker may. The
	// error is [ErrNoClaim] if the name is not the player's.
	TakeBack(ctx context.Context, by game.Origin, name string, player game.PlayerID) error
}
