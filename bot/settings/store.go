// Package settings keeps what a server's managers have chosen for it, and who changed what and when. It answers /settings.
package settings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"time"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/storage/record"
)

// Settings is what a server has chosen. The zero value is a server that has chosen nothing. It is stored as JSON: a change is
// told, and undone, field by field.
type Settings struct {
	Channels    []game.ChannelID `json:",omitempty"` // where games may be started, also in threads of these; none: everywhere
	Mode        game.Mode        `json:",omitempty"` // of a start without a mode
	Hard        string           `json:",omitempty"` // of a start without one: "off", "hard" or "ultra"; empty is off
	Hints       *int             `json:",omitempty"` // the most in a game; nil for any number
	Idle        int              `json:",omitempty"` // hours until an idle game ends; 0 for the standard
	Stoppers    game.RoleID      `json:",omitempty"` // who may stop others' games besides the starter; empty for those who manage messages
	Words       []string         `json:",omitempty"` // never used here, in upper case and alphabetical order
	PostChannel game.ChannelID   `json:",omitempty"` // of the day's post; empty for none
	PostHour    int              `json:",omitempty"`
	PostZone    string           `json:",omitempty"`
	PostSince   time.Time        `json:",omitzero"`  // when PostChannel was chosen while there was none; kept by [Store.Change]
	PostRole    game.RoleID      `json:",omitempty"` // mentioned by the day's post
	PostThread  bool             `json:",omitempty"` // a thread of its own each day
	NoAwards    bool             `json:",omitempty"`
	Season      int              `json:",omitempty"` // dailies in a season: 0 for none, 9 or 18
}

// Change is one change of a server's settings.
type Change struct {
	Number  int // from 1, in the order of the changes
	By      game.PlayerID
	Name    string `json:",omitempty"` // of the player who made it, in the server
	At      time.Time
	Request game.RequestID
	Fields  map[string]Field
	Undoes  int `json:",omitempty"` // the change that it undoes
}

// Field is a field of [Settings] before and after a change, as JSON; null for one that wasn't chosen.
type Field struct{ Before, After json.RawMessage }

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
	Now func() time.Time // nil for time.Now
}

// Load returns a server's settings.
func (s Store) Load(ctx context.Context, guild game.GuildID) (Settings, error) {
	data, err := s.ServerChoice(ctx, guild)
	if err != nil {
		return Settings{}, err
	}
	return Decode(data)
}

// Decode reads a server's settings as records keep them; nil stands for none.
func Decode(data []byte) (Settings, error) { return read[Settings](data, nil) }

// Changes returns the latest changes of a server's settings, the latest last.
func (s Store) Changes(ctx context.Context, guild game.GuildID) ([]Change, error) {
	return read[[]Change](s.ServerChanges(ctx, guild))
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

// Change applies f to the settings of the server where a request was made, and remembers the change with its maker. It returns the
// new settings. If f returns an error, they stay. A repeated request, and one that changes nothing, store nothing.
func (s Store) Change(ctx context.Context, by bot.Request, f func(*Settings) error) (Settings, error) {
	return s.change(ctx, by, 0, func(now *Settings, _ []Change) error { return f(now) })
}

// ErrUndone: the change was undone, or what it changed was changed again since.
var ErrUndone = errors.New("changed again since")

// Undo undoes a change, which is a change too. The error can be [ErrUndone] or one of check.
func (s Store) Undo(ctx context.Context, by bot.Request, number int, check func(was, now Settings) error) (Settings, error) {
	return s.change(ctx, by, number, func(now *Settings, past []Change) error {
		i := slices.IndexFunc(past, func(c Change) bool { return c.Number == number })
		if i < 0 {
			return ErrUndone
		}
		undone, err := past[i].undo(*now)
		if err == nil {
			err = check(*now, undone)
		}
		*now = undone
		return err
	})
}

// undo returns settings without the change.
func (c Change) undo(now Settings) (undone Settings, err error) {
	fields := fieldsOf(now)
	for name, field := range c.Fields {
		if !bytes.Equal(fields[name], field.After) {
			return now, ErrUndone
		}
		fields[name] = field.Before
	}
	data, err := json.Marshal(fields)
	return undone, errors.Join(err, json.Unmarshal(data, &undone))
}

func (s Store) change(ctx context.Context, by bot.Request, undoes int, f func(now *Settings, past []Change) error) (now Settings, err error) {
	clock := time.Now
	if s.Now != nil {
		clock = s.Now
	}
	guild := by.Location.Guild
	err = s.ChangeServer(by.Origin().ForCommit(ctx), guild, by.Player, func(choice, changes []byte) ([]byte, []byte, error) {
		was, err := read[Settings](choice, nil)
		past, badPast := read[[]Change](changes, nil)
		if errors.Is(err, game.ErrNewer) || errors.Is(badPast, game.ErrNewer) {
			return nil, nil, game.ErrNewer
		}
		now = was
		if slices.ContainsFunc(past, func(c Change) bool { return c.Request == by.ID }) {
			return choice, changes, errSame
		}
		now.Channels, now.Words = slices.Clone(was.Channels), slices.Clone(was.Words)
		if err := f(&now, past); err != nil {
			return nil, nil, err
		}
		c := Change{Number: 1, By: by.Player, Name: by.PrintableName(), At: clock().UTC().Truncate(time.Second), Request: by.ID, Undoes: undoes, Fields: map[string]Field{}}
		if now.PostSince = was.PostSince; was.PostChannel == "" && now.PostChannel != "" {
			now.PostSince = c.At
		}
		if n := len(past); n > 0 {
			c.Number = past[n-1].Number + 1
		}
		before, after := fieldsOf(was), fieldsOf(now)
		for name, value := range after {
			if !bytes.Equal(before[name], value) {
				c.Fields[name] = Field{before[name], value}
			}
		}
		if len(c.Fields) == 0 && err == nil {
			return choice, changes, errSame
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

// errSame ends a change that changes nothing.
var errSame = errors.New("nothing to change")

// fieldsOf returns every field of settings that is chosen as JSON: null for one that isn't chosen now.
func fieldsOf(s Settings) map[string]json.RawMessage {
	data, _ := json.Marshal(s) // it has nothing that JSON can't hold
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(data, &fields)
	for i := range reflect.TypeFor[Settings]().NumField() {
		if name := reflect.TypeFor[Settings]().Field(i).Name; fields[name] == nil {
			fields[name] = json.RawMessage("null")
		}
	}
	delete(fields, "PostSince")
	return fields
}
