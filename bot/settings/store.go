// Package settings answers /settings: what a server's managers choose for it, and who changed what and when. fields.go has all
// choices, here.go what they mean for a request, store.go keeps them, and zones.go knows time zones.
package settings

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/storage/record"
)

// Settings is what a server has chosen. The zero value is a server that has chosen nothing. It is stored as JSON.
type Settings struct {
	Channels    []game.ChannelID `json:",omitempty"` // where games may be started, also in threads of these; none: everywhere
	Mode        game.Mode        `json:",omitempty"` // of a start without a mode
	Hard        string           `json:",omitempty"` // of a start without one: "off", "hard" or "ultra"; empty is off
	Hints       string           `json:",omitempty"` // the most in a game, as players type it; empty for any number
	Idle        int              `json:",omitempty"` // hours until an idle game ends; 0 for the standard
	Stoppers    game.RoleID      `json:",omitempty"` // who may stop others' games besides the starter; empty for those who manage messages
	Words       []string         `json:",omitempty"` // never used here, in upper case and alphabetical order
	PostChannel game.ChannelID   `json:",omitempty"` // of the day's post; empty for none
	PostHour    int              `json:",omitempty"`
	PostZone    string           `json:",omitempty"` // empty for UTC
	PostSince   time.Time        `json:",omitzero"`  // when PostChannel was chosen while there was none; kept by [Store.Change]
	PostRole    game.RoleID      `json:",omitempty"` // mentioned by the day's post
	PostThread  bool             `json:",omitempty"` // a thread of its own each day
	NoAwards    bool             `json:",omitempty"`
	Season      int              `json:",omitempty"` // dailies in a season: 0 for none, 9 or 18
}

// Decode reads a server's settings as [Records] keeps them; nil stands for none.
func Decode(data []byte) (Settings, error) { return read[Settings](data, nil) }

// Change is one change of a server's settings.
type Change struct {
	Number  int           // from 1, in the order of the changes
	By      game.PlayerID // empty for a player who has deleted their data
	Name    string        `json:",omitempty"` // of the player, in the server
	At      time.Time
	Request game.RequestID
	Undoes  int      `json:",omitempty"` // the number of the change that it undoes
	Before  Settings // the settings after it are those before the next change
}

// MostChanges is how many changes are remembered.
const MostChanges = 50

// Records keeps settings as bytes; nil stands for none. It is safe for concurrent use, and an acknowledged change outlives a loss
// of power.
type Records interface {
	ServerChoice(ctx context.Context, guild game.GuildID) ([]byte, error)
	ServerChanges(ctx context.Context, guild game.GuildID) ([]byte, error)
	// ServerChoices calls each with the choice of every server.
	ServerChoices(ctx context.Context, each func(guild game.GuildID, choice []byte)) error
	// ChangeServer replaces both records of a server by what change makes of them. It may call change several times. If change
	// returns an error, they stay.
	ChangeServer(ctx context.Context, guild game.GuildID, by game.PlayerID, change func(choice, changes []byte) (newChoice, newChanges []byte, err error)) error
}

// Store keeps settings in records. The error for an unreadable record wraps [game.ErrDamaged]; the next change replaces it.
type Store struct {
	Records
	Now func() time.Time
}

// Load returns a server's settings; the zero ones outside servers.
func (s Store) Load(ctx context.Context, guild game.GuildID) (Settings, error) {
	if guild == "" {
		return Settings{}, nil
	}
	return read[Settings](s.ServerChoice(ctx, guild))
}

// All calls each with the settings of every server that has chosen something.
func (s Store) All(ctx context.Context, each func(game.GuildID, Settings)) error {
	return s.ServerChoices(ctx, func(guild game.GuildID, data []byte) {
		if now, err := Decode(data); err == nil {
			each(guild, now)
		}
	})
}

// read reads a record; nil is the zero value.
func read[T any](data []byte, err error) (v T, _ error) {
	if err != nil || data == nil {
		return v, err
	}
	return record.Decode[T](data)
}

// errSame ends a change that changes nothing.
var errSame = errors.New("nothing to change")

// Change changes the settings of the server where a request was made, and remembers that with its maker: it undoes the change with
// the number undoes, unless that is 0, and has f make the new settings of those before. It returns the new settings. If f returns an
// error, they stay. A repeated request, and one that changes nothing, store nothing.
func (s Store) Change(ctx context.Context, by bot.Request, undoes int, f func(was Settings, now *Settings) error) (now Settings, err error) {
	guild := by.Location.Guild
	err = s.ChangeServer(by.Origin().ForCommit(ctx), guild, by.Player, func(choice, changes []byte) ([]byte, []byte, error) {
		was, err := Decode(choice)
		past, badPast := read[[]Change](changes, nil)
		if errors.Is(err, game.ErrNewer) || errors.Is(badPast, game.ErrNewer) {
			return nil, nil, game.ErrNewer
		}
		if now = was; slices.ContainsFunc(past, func(c Change) bool { return c.Request == by.ID }) {
			return nil, nil, errSame
		}
		if undoes > 0 {
			if err := undo(&now, past, undoes); err != nil {
				return nil, nil, err
			}
		}
		if err := f(was, &now); err != nil {
			return nil, nil, err
		}
		c := Change{Number: 1, By: by.Player, Name: by.PrintableName(), At: s.Now().UTC().Truncate(time.Second), Request: by.ID, Undoes: undoes, Before: was}
		if n := len(past); n > 0 {
			c.Number = past[n-1].Number + 1
		}
		if was.PostChannel == "" && now.PostChannel != "" {
			now.PostSince = c.At
		}
		if reflect.DeepEqual(was, now) && err == nil {
			return nil, nil, errSame
		}
		past = append(past, c)
		choice, err = record.Encode(now)
		changes, badPast = record.Encode(past[max(0, len(past)-MostChanges):])
		return choice, changes, errors.Join(err, badPast)
	})
	if errors.Is(err, errSame) {
		err = nil
	}
	return now, err
}

// errUndone: the change was undone, or what it changed was changed again since.
var errUndone = errors.New("changed again since")

// undo sets the fields of a past change back.
func undo(now *Settings, past []Change, number int) error {
	i := slices.IndexFunc(past, func(c Change) bool { return c.Number == number })
	if i < 0 {
		return errUndone
	}
	before, after := sides(past, i, *now)
	for _, f := range fields {
		switch was := f.get(&before); {
		case slices.Equal(was, f.get(&after)): // not a field of this change
		case !slices.Equal(f.get(now), f.get(&after)):
			return errUndone
		default:
			f.set(now, was)
		}
	}
	return nil
}

// sides returns the settings before and after a past change.
func sides(past []Change, i int, now Settings) (before, after Settings) {
	if i+1 < len(past) {
		now = past[i+1].Before
	}
	return past[i].Before, now
}
