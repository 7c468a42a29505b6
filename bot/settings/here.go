package settings

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/marks"
)

// Allows refuses a request to start what everyone sees in a channel without games. Games that only their player sees are allowed
// everywhere.
func (s Settings) Allows(r bot.Request) error {
	if len(s.Channels) == 0 || slices.Contains(s.Channels, r.Location.Channel) || slices.Contains(s.Channels, r.Context.Parent) {
		return nil
	}
	return bot.Refuse(game.ErrNotAllowed, bot.List(bot.Text("Games are played in "), s.Channels, "and").With(" here."))
}

// ReadHard returns the hard mode of a game that a request starts: the player's choice or, without one, the server's.
func (s Settings) ReadHard(r bot.Request) marks.Hardness {
	return marks.ReadHardness(cmp.Or(r.Args["hard"], s.Hard))
}

// HintLimit returns the limit of hints for a game that a request starts. Players can only lower the server's.
func (s Settings) HintLimit(r bot.Request) game.HintLimit {
	return face.ReadHints(r.Args["hints"]).Within(face.ReadHints(s.Hints))
}

// MayStop reports whether the asker may stop games of others, and says who may. Without a role for that, or if it was deleted, they
// are those who manage messages.
func (s Settings) MayStop(ctx context.Context, r bot.Request) (may bool, who bot.Line, err error) {
	if s.Stoppers != "" {
		there, err := r.Server.HasRole(ctx, s.Stoppers)
		if there || err != nil {
			return slices.Contains(r.Roles, s.Stoppers), bot.Text("someone with the role ", s.Stoppers), err
		}
	}
	return r.MayManage, bot.Text(r.Surface.Manager()), nil
}

// Idle returns for how long games may be idle in the servers that have chosen it.
func (s Store) Idle(ctx context.Context) (map[game.GuildID]time.Duration, error) {
	chosen := map[game.GuildID]time.Duration{}
	err := s.All(ctx, func(guild game.GuildID, now Settings) {
		if now.Idle > 0 {
			chosen[guild] = time.Duration(now.Idle) * time.Hour
		}
	})
	return chosen, err
}

// NeverUsed returns the words that a server never uses.
func (s Store) NeverUsed(ctx context.Context, guild game.GuildID) ([]string, error) {
	now, err := s.Load(ctx, guild)
	return now.Words, err
}
