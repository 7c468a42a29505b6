package record

import (
	"errors"
	"testing"

	"fivefold/bot/preferences"
	"fivefold/game"
)

func TestServer(t *testing.T) {
	for stored, want := range map[string]preferences.Server{
		`{"format":1}`:           {},
		`{"format":1,"hints":0}`: {Hints: game.HintLimit{Limited: true}},
		`{"format":1,"hints":3}`: {Hints: game.HintLimit{Limited: true, Most: 3}},
	} {
		if got, err := EncodeServer(want); string(got) != stored || err != nil {
			t.Errorf("%+v is stored as %s, %v, want %s", want, got, err, stored)
		}
		if got, err := DecodeServer([]byte(stored)); got != want || err != nil {
			t.Errorf("%s is %+v, %v, want %+v", stored, got, err, want)
		}
	}
	for stored, want := range map[string]error{`{"format":1,"hints":-1}`: game.ErrDamaged, `[]`: game.ErrDamaged, `{"format":2}`: game.ErrNewer} {
		if got, err := DecodeServer([]byte(stored)); !errors.Is(err, want) {
			t.Errorf("%s is %+v, %v, want %v", stored, got, err, want)
		}
	}
}
