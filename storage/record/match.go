package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/game"
)

const matchFormat = 1

// matchRecord is the stored form of a match. What it has itself takes the place of the match's own fields: times are in
// milliseconds of Unix time, and guesses are with their moves. J is the type of what the kind's codec reads
// and writes: any when writing, json.RawMessage when reading.
type matchRecord[J any] struct {
	Format int
	fields
	Started int64
	Ends    int64           `json:",omitzero"`
	State   J               // without a guess
	Moves   []moveRecord[J] `json:",omitzero"`
	Hints   []hintRecord[J] `json:",omitzero"`
	Stop    *stopRecord     `json:",omitzero"`
}

// fields are those of a match, without its methods: as a text it is a summary.
type fields game.Match

type moveRecord[J any] struct {
	game.Move
	At    int64
	Guess J
}

type hintRecord[J any] struct {
	game.Hint
	At      int64
	Content J
}

type stopRecord struct {
	game.Stop
	At int64
}

// EncodeMatch returns the stored form of a match.
func (all Codecs) EncodeMatch(m game.Match) ([]byte, error) {
	codec, err := all.Of(m.Kind)
	if err != nil {
		return nil, err
	}
	start, err := codec.start(m.State)
	if err != nil {
		return nil, err
	}
	r := matchRecord[any]{Format: matchFormat, fields: fields(m), Started: m.Started.UnixMilli(), State: start}
	if !m.Ends.IsZero() {
		r.Ends = m.Ends.UnixMilli()
	}
	guesses := codec.guesses(m.State)
	for i, move := range m.Moves {
		if m.Status() != game.Playing {
			move.Name = ""
		}
		r.Moves = append(r.Moves, moveRecord[any]{move, move.At.UnixMilli(), guesses[i]})
	}
	for _, h := range m.Hints {
		content, err := codec.hint(h.Content)
		if err != nil {
			return nil, err
		}
		r.Hints = append(r.Hints, hintRecord[any]{h, h.At.UnixMilli(), content})
	}
	if m.Stop != nil {
		r.Stop = &stopRecord{*m.Stop, m.Stop.At.UnixMilli()}
	}
	return json.Marshal(r)
}

// DecodeMatch reads what [Codecs.EncodeMatch] writes. The error wraps
// [game.ErrNewer] or [game.ErrDamaged] and never contains the record.
func (all Codecs) DecodeMatch(data []byte) (game.Match, error) {
	var r matchRecord[json.RawMessage]
	if err := decode(data, matchFormat, &r, &r.Format); err != nil {
		return game.Match{}, fmt.Errorf("match: %w", err)
	}
	if r.ID == "" || r.Location.Channel == "" || r.Version == 0 {
		return game.Match{}, fmt.Errorf("match: a field is missing: %w", game.ErrDamaged)
	}
	m, err := all.match(r)
	if err != nil {
		return game.Match{}, fmt.Errorf("match %s: %w", r.ID, err)
	}
	return m, nil
}

func (all Codecs) match(r matchRecord[json.RawMessage]) (game.Match, error) {
	if _, daily := r.Puzzle.Daily(); !r.Mode.Known() || (r.Mode == game.Daily || r.Mode == game.Archive) != daily {
		return game.Match{}, fmt.Errorf("mode: %w", game.ErrDamaged)
	}
	codec, err := all.Of(r.Kind)
	if err != nil {
		return game.Match{}, err
	}
	m := game.Match(r.fields)
	m.Started = moment(r.Started)
	if m.State, err = codec.readStart(r.State); err != nil {
		return game.Match{}, err
	}
	m.Moves = make([]game.Move, len(r.Moves))
	for i, move := range r.Moves {
		if m.State, err = codec.readGuess(m.State, move.Guess); err != nil {
			return game.Match{}, fmt.Errorf("move %d: %w", i+1, game.ErrDamaged)
		}
		m.Moves[i] = move.Move
		m.Moves[i].At = moment(move.At)
	}
	for i, h := range r.Hints {
		content, err := codec.readHint(h.Kind, h.Content)
		if err != nil {
			return game.Match{}, fmt.Errorf("hint %d: %w", i+1, err)
		}
		h.Hint.At, h.Hint.Content = moment(h.At), content
		m.Hints = append(m.Hints, h.Hint)
	}
	if len(m.Moves) == 0 {
		m.Moves = nil
	}
	if r.Ends != 0 {
		m.Ends = moment(r.Ends)
	}
	if r.Stop != nil {
		m.Stop = &r.Stop.Stop
		m.Stop.At = moment(r.Stop.At)
	}
	if m.HintLimit.Most < 0 || m.Cuts != nil && len(m.Cuts) != len(m.Moves) || slices.ContainsFunc(m.Cuts, func(cut int) bool { return cut < 0 }) {
		return game.Match{}, fmt.Errorf("cuts or limit of hints: %w", game.ErrDamaged)
	}
	return m, nil
}

// EncodePuzzle returns the stored form of a puzzle that matches share: its game
// without a guess. Equal puzzles have equal forms.
func (all Codecs) EncodePuzzle(k game.Kind, s game.State) ([]byte, error) {
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	start, err := codec.start(s.Fresh(false))
	if err != nil {
		return nil, err
	}
	return json.Marshal(start)
}

// DecodePuzzle reads what [Codecs.EncodePuzzle] writes. The error wraps
// [game.ErrDamaged].
func (all Codecs) DecodePuzzle(k game.Kind, data []byte) (game.State, error) {
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	s, err := codec.readStart(data)
	if err != nil {
		return nil, fmt.Errorf("puzzle: %w", err)
	}
	return s, nil
}
