package finished

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fivefold/game"
)

// errFull ends an export whose file is full.
var errFull = errors.New("the file is full")

// Export returns all records that name the player as a JSON file of up to most bytes, with others as "player 2" and so on. It
// leaves out the answers of puzzles that the player may still play, or that others are playing. If not everything fits, rest is
// what to pass as before to get the next part, else 0; matches that ended after until are in the file.
func (m *Matches) Export(ctx context.Context, player game.PlayerID, before uint64, most int) (file []byte, rest uint64, until time.Time, err error) {
	others := map[game.PlayerID]game.PlayerID{"": "", player: player}
	as := func(p game.PlayerID) game.PlayerID {
		if _, known := others[p]; !known {
			others[p] = game.PlayerID(fmt.Sprint("player ", len(others)))
		}
		return others[p]
	}
	secret := func(ctx context.Context, r game.Result) (bool, error) {
		err := m.secretIn(ctx, player, r)
		if _, is := errors.AsType[*game.SecretError](err); is {
			return true, nil
		}
		return err != nil, err
	}
	var b bytes.Buffer
	about, _ := json.Marshal(struct { // it can be encoded
		Player game.PlayerID
		Made   time.Time
		About  string
	}{player, m.Games.Clock(), "Everything that Fivefold stores with your id. Other players have numbers."})
	b.Write(about[:len(about)-1])
	b.WriteString(",\"Records\":[")
	const end = "\n]}\n"
	first := b.Len()
	err = m.Store.Export(ctx, Export{Player: player, Before: before, As: as, Hides: secret, Each: func(place uint64, ended time.Time, all []Record) error {
		kept := b.Len()
		for _, r := range all {
			data, err := json.Marshal(r)
			if err != nil {
				return err
			}
			if b.Len() > first {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			b.Write(data)
		}
		if b.Len()+len(end) > most && kept > first { // what is not of matches is small
			b.Truncate(kept)
			rest, until = place+1, ended
			return errFull
		}
		return nil
	}})
	if err != nil && !errors.Is(err, errFull) {
		return nil, 0, until, err
	}
	b.WriteString(end)
	return b.Bytes(), rest, until, nil
}
