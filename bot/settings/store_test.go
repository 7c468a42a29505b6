package settings

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

// keeper makes changes one after another, each by a request of its own.
type keeper struct {
	Store
	*testing.T
	requests int
}

func newKeeper(t *testing.T) *keeper {
	s := storage.New(&orderedtest.Memory{}, kinds.Codecs(), storage.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &keeper{Store: Store{Records: s, Now: func() time.Time { return time.Unix(1_790_000_000, 0) }}, T: t}
}

func (k *keeper) by(player game.PlayerID) bot.Request {
	k.requests++
	return bot.Request{ID: game.RequestID(rune('a' + k.requests)), Player: player, Name: "Mia", Location: game.Location{Guild: "g"}}
}

func (k *keeper) must(want Settings) {
	k.Helper()
	if got, err := k.Load(k.Context(), "g"); !reflect.DeepEqual(got, want) || err != nil {
		k.Errorf("the settings are %+v, %v, want %+v", got, err, want)
	}
}

func (k *keeper) set(f func(*Settings)) bot.Request {
	k.Helper()
	r := k.by("mia")
	if _, err := k.Change(k.Context(), r, 0, func(_ Settings, s *Settings) error { f(s); return nil }); err != nil {
		k.Fatal(err)
	}
	return r
}

func (k *keeper) undo(by bot.Request, number int) error {
	_, err := k.Change(k.Context(), by, number, func(Settings, *Settings) error { return nil })
	return err
}

func (k *keeper) changes() []Change {
	k.Helper()
	all, err := read[[]Change](k.ServerChanges(k.Context(), "g"))
	if err != nil {
		k.Fatal(err)
	}
	return all
}

// TestUndo: a change is remembered with its maker, and undone field by field, as long as nobody has changed the same field since.
func TestUndo(t *testing.T) {
	k := newKeeper(t)
	first := k.set(func(s *Settings) { s.Channels, s.Hints = []game.ChannelID{"c", "d"}, "2" })
	k.set(func(s *Settings) { s.Words = []string{"CRANE"} })
	k.must(Settings{Channels: []game.ChannelID{"c", "d"}, Hints: "2", Words: []string{"CRANE"}})

	undo := k.by("ben")
	for range 2 { // the second delivery of a request changes nothing
		if err := k.undo(undo, 1); err != nil {
			t.Fatal(err)
		}
		k.must(Settings{Hints: "on", Words: []string{"CRANE"}})
	}
	if _, err := k.Change(t.Context(), first, 0, func(_ Settings, s *Settings) error { s.Season = 9; return nil }); err != nil {
		t.Error(err)
	}
	for _, number := range []int{1, 7} {
		if err := k.undo(k.by("ben"), number); !errors.Is(err, errUndone) {
			t.Errorf("undoing change %d: %v", number, err)
		}
	}
	if err := k.undo(k.by("ben"), 3); err != nil {
		t.Error(err)
	}
	k.must(Settings{Channels: []game.ChannelID{"c", "d"}, Hints: "2", Words: []string{"CRANE"}})

	all := k.changes()
	if len(all) != 4 {
		t.Fatalf("%d changes", len(all))
	}
	for i, want := range []Change{{By: "mia"}, {By: "mia"}, {By: "ben", Undoes: 1}, {By: "ben", Undoes: 3}} {
		if c := all[i]; c.Number != i+1 || c.By != want.By || c.Undoes != want.Undoes || c.Name != "Mia" || c.At.Unix() != 1_790_000_000 {
			t.Errorf("change %d is %+v", i, c)
		}
	}
}

// TestNothingChanges: a refused change, and one to what is there already, are not remembered.
func TestNothingChanges(t *testing.T) {
	k := newKeeper(t)
	k.set(func(s *Settings) { s.Season = 9 })
	k.set(func(s *Settings) { s.Season = 9 })
	no := errors.New("no")
	_, err := k.Change(t.Context(), k.by("mia"), 0, func(_ Settings, s *Settings) error { s.Season = 18; return no })
	if k.must(Settings{Season: 9}); len(k.changes()) != 1 || !errors.Is(err, no) {
		t.Errorf("%d changes, %v", len(k.changes()), err)
	}
}

// TestLatest: only the latest changes are remembered.
func TestLatest(t *testing.T) {
	k := newKeeper(t)
	for n := range MostChanges + 3 {
		k.set(func(s *Settings) { s.Idle = n + 1 })
	}
	if all := k.changes(); len(all) != MostChanges || all[0].Number != 4 || all[len(all)-1].Number != MostChanges+3 {
		t.Errorf("%d changes from %d", len(all), all[0].Number)
	}
}

// TestFields: each field has another argument and another place in the settings, and is read as it is set. All together are all
// fields of the settings but the time that is kept with the channel of the post.
func TestFields(t *testing.T) {
	args, all := map[string]bool{}, Settings{PostSince: time.Unix(1, 0)}
	for _, f := range fields {
		values := []string{"12"}
		if f.choices != nil && f.of == bot.ChoiceMenu {
			values[0] = f.choices[len(f.choices)-1].Value
		}
		var one Settings
		before := f.get(&one)
		if f.set(&one, values); args[f.arg] || !reflect.DeepEqual(f.get(&one), values) || len(before) > 0 == (f.none != "") {
			t.Errorf("%s is %q, then %q, want %q", f.arg, before, f.get(&one), values)
		}
		args[f.arg] = true
		f.set(&all, values)
		if label := []rune(f.label); len(label) > 40 {
			t.Errorf("%s: a long label", f.arg)
		}
	}
	for v, i := reflect.ValueOf(all), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("no field sets %s", v.Type().Field(i).Name)
		}
	}
}

// TestUnreadable: damaged records are replaced by the next change, and newer ones stay.
func TestUnreadable(t *testing.T) {
	for text, want := range map[string]error{`{`: nil, `{"Format":2}`: game.ErrNewer} {
		for n := range 2 {
			k, data := newKeeper(t), [2][]byte{}
			data[n] = []byte(text)
			if err := k.ChangeServer(t.Context(), "g", "mia", func(_, _ []byte) ([]byte, []byte, error) { return data[0], data[1], nil }); err != nil {
				t.Fatal(err)
			}
			if _, err := k.Change(t.Context(), k.by("mia"), 0, func(_ Settings, s *Settings) error { s.Season = 9; return nil }); !errors.Is(err, want) {
				t.Errorf("%s: %v", text, err)
			}
			if want == nil {
				k.must(Settings{Season: 9})
			}
		}
	}
}
