package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
)

// matchRecord is the stored form of a match. It begins with the kind, whose codec reads State. Its own fields, such as Moves,
// hide those of the match with the same name.
type matchRecord struct {
	Kind   game.Kind
	Format int
	fields
	Requests []game.RequestID // the requests that led to versions 1, 2, …
	State    Form
	Moves    []game.Move  `json:",omitzero"`
	Hints    []hintRecord `json:",omitzero"`
}

// fields is a match without methods: game.Match.MarshalText would write only a summary.
type fields game.Match

type hintRecord struct {
	game.Hint
	Content json.RawMessage
}

// EncodeMatch returns the stored form of a match, and of the requests that led to its versions 1, 2, …. It decodes the form
// again and fails if the result differs: a match that is stored unreadable is lost.
func (all Codecs) EncodeMatch(m game.Match, requests []game.RequestID) ([]byte, error) {
	codec, err := all.Of(m.Kind)
	if err != nil {
		return nil, err
	}
	data, err := encodeMatch(codec, m, requests)
	if err != nil {
		return nil, err
	}
	read, from, err := decodeMatch(codec, data)
	if err == nil && (!reflect.DeepEqual(read, m) || !slices.Equal(from, requests)) {
		err = fmt.Errorf("match %s would not be read back as it is", m.ID)
	}
	return data, err
}

// ExportMatch returns the stored form of a match, without requests, for a player to read. If its answer is secret, the answer is
// left out: every kind's [Form] has it in the field hidden.
func (all Codecs) ExportMatch(m game.Match, secret bool) (json.RawMessage, error) {
	codec, err := all.Of(m.Kind)
	if err != nil {
		return nil, err
	}
	data, err := encodeMatch(codec, m, nil)
	if err != nil || !secret {
		return data, err
	}
	var fields, state map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(data, &fields), json.Unmarshal(fields["State"], &state)); err != nil || state["hidden"] == nil {
		return nil, fmt.Errorf("match %s: its answer is not where it is looked for", m.ID)
	}
	delete(state, "hidden")
	if fields["State"], err = json.Marshal(state); err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}

// DecodeMatch reads a match that [Codecs.EncodeMatch] wrote. The error wraps [game.ErrNewer] or [game.ErrDamaged] and never
// contains the record.
func (all Codecs) DecodeMatch(data []byte) (game.Match, []game.RequestID, error) {
	i := slices.IndexFunc(all, func(c Codec) bool { return bytes.HasPrefix(data, []byte(`{"Kind":"`+string(c.Kind())+`"`)) })
	if i < 0 {
		return game.Match{}, nil, fmt.Errorf("match: its kind: %w", game.ErrDamaged)
	}
	return decodeMatch(all[i], data)
}

func encodeMatch(c Codec, m game.Match, requests []game.RequestID) ([]byte, error) {
	r := matchRecord{Kind: m.Kind, Format: format, fields: fields(m), Requests: requests, State: c.Form(m.State), Moves: m.Moves}
	for _, h := range m.Hints {
		data, err := json.Marshal(h.Content)
		if err != nil {
			return nil, err
		}
		r.Hints = append(r.Hints, hintRecord{h, data})
	}
	return json.Marshal(r)
}

func decodeMatch(c Codec, data []byte) (game.Match, []game.RequestID, error) {
	r := matchRecord{State: c.Form(nil)}
	if err := decode(data, &r, &r.Format); err != nil {
		return game.Match{}, nil, fmt.Errorf("match: %w", err)
	}
	m := game.Match(r.fields)
	m.Kind, m.Moves = r.Kind, r.Moves
	state, err := game.State(nil), game.ErrDamaged
	if r.State != nil { // JSON's null
		state, err = r.State.State()
	}
	m.State = state
	for _, h := range r.Hints {
		content, failed := c.ReadHint(h.Kind, h.Content)
		err = cmp.Or(err, failed)
		h.Hint.Content = content
		m.Hints = append(m.Hints, h.Hint)
	}
	_, daily := m.Puzzle.Daily()
	switch {
	case err != nil, m.Kind != c.Kind(), len(m.Moves) != state.Used(), m.ID == "", m.Location.Channel == "", m.Version == 0, m.Version != uint64(len(r.Requests)),
		!slices.Contains(game.Modes, m.Mode), (m.Mode == game.Daily || m.Mode == game.Practice) != daily, m.HintLimit.Most < 0:
		return game.Match{}, nil, fmt.Errorf("match %s: %w", m.ID, game.ErrDamaged)
	}
	return m, r.Requests, nil
}

// EncodePuzzle returns the stored form of a puzzle that matches share: its game without a guess. Equal puzzles have equal
// forms.
func (all Codecs) EncodePuzzle(k game.Kind, s game.State) ([]byte, error) {
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	return json.Marshal(codec.Form(s.Fresh(marks.Off)))
}

// DecodePuzzle reads a puzzle that [Codecs.EncodePuzzle] wrote. The error wraps [game.ErrDamaged].
func (all Codecs) DecodePuzzle(k game.Kind, data []byte) (game.State, error) {
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	form := codec.Form(nil)
	err = Unmarshal(data, form)
	s, failed := form.State()
	if cmp.Or(err, failed) != nil {
		return nil, fmt.Errorf("puzzle: %w", game.ErrDamaged)
	}
	return s, nil
}
