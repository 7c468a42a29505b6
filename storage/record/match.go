package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/game"
)

const matchFormat = 1

// matchRecord is the stored form of a match. J is the type of what the kind's codec reads
// and writes: any when writing, json.RawMessage when reading.
type matchRecord[J any] struct {
	Format  int             `json:"format"`
	ID      game.MatchID    `json:"id"`
	Guild   game.GuildID    `json:"guild,omitempty"`
	Channel game.ChannelID  `json:"channel"`
	Version uint64          `json:"version"`
	Starter game.PlayerID   `json:"starter"`
	Started int64           `json:"started"` // milliseconds of Unix time, like all times here
	Kind    game.Kind       `json:"kind"`
	Mode    game.Mode       `json:"mode,omitempty"`
	Puzzle  game.PuzzleID   `json:"puzzle,omitempty"`
	Start   J               `json:"start"` // the game without a guess
	Moves   []moveRecord[J] `json:"moves,omitempty"`
	Hints   []hintRecord[J] `json:"hints,omitempty"`
	Ends    int64           `json:"ends,omitempty"`
	Given   *givenRecord    `json:"challenge,omitempty"`
	Stop    *stopRecord     `json:"stop,omitempty"`
	Shared  game.ChannelID  `json:"shared,omitempty"`
	Guilds  []game.GuildID  `json:"guilds,omitempty"`

	HintLimit *int  `json:"hint_limit,omitempty"` // nil for any number
	Cuts      []int `json:"cuts,omitempty"`
}

type moveRecord[J any] struct {
	Guess   J             `json:"guess"`
	Player  game.PlayerID `json:"player"`
	At      int64         `json:"at"`
	Version uint64        `json:"version"`
	Name    string        `json:"name,omitempty"`
}

type hintRecord[J any] struct {
	Kind    game.HintKind `json:"kind"`
	Player  game.PlayerID `json:"player"`
	At      int64         `json:"at"`
	Version uint64        `json:"version"`
	After   int           `json:"after"`
	Content J             `json:"content"`
}

type givenRecord struct {
	Clue   string      `json:"clue"`
	Report game.Report `json:"report,omitempty"`
}

type stopRecord struct {
	Player  game.PlayerID `json:"player"`
	At      int64         `json:"at"`
	Version uint64        `json:"version"`
	Idle    bool          `json:"idle,omitempty"`
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
	r := matchRecord[any]{
		Format:  matchFormat,
		ID:      m.ID,
		Guild:   m.Location.Guild,
		Channel: m.Location.Channel,
		Version: m.Version,
		Starter: m.Starter,
		Started: m.Started.UnixMilli(),
		Kind:    m.Kind,
		Mode:    m.Mode,
		Puzzle:  m.Puzzle,
		Start:   start,
		Shared:  m.Shared,
		Guilds:  m.Guilds,

		Cuts: m.Cuts,
	}
	if m.Challenge != nil {
		r.Given = &givenRecord{m.Challenge.Clue, m.Challenge.Report}
	}
	if !m.Ends.IsZero() {
		r.Ends = m.Ends.UnixMilli()
	}
	if m.HintLimit.Limited {
		r.HintLimit = &m.HintLimit.Most
	}
	guesses := codec.guesses(m.State)
	for i, move := range m.Moves {
		if m.Status() != game.Playing {
			move.Name = ""
		}
		r.Moves = append(r.Moves, moveRecord[any]{guesses[i], move.Player, move.At.UnixMilli(), move.Version, move.Name})
	}
	for _, h := range m.Hints {
		content, err := codec.hint(h.Content)
		if err != nil {
			return nil, err
		}
		r.Hints = append(r.Hints, hintRecord[any]{h.Kind, h.Player, h.At.UnixMilli(), h.Version, h.After, content})
	}
	if m.Stop != nil {
		r.Stop = &stopRecord{m.Stop.Player, m.Stop.At.UnixMilli(), m.Stop.Version, m.Stop.Idle}
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
	if r.ID == "" || r.Channel == "" || r.Version == 0 {
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
	m := game.Match{
		ID:       r.ID,
		Location: game.Location{Guild: r.Guild, Channel: r.Channel},
		Version:  r.Version,
		Starter:  r.Starter,
		Started:  moment(r.Started),
		Kind:     r.Kind,
		Mode:     r.Mode,
		Puzzle:   r.Puzzle,
		Shared:   r.Shared,
		Guilds:   r.Guilds,
	}
	if m.State, err = codec.readStart(r.Start); err != nil {
		return game.Match{}, err
	}
	if len(r.Moves) > 0 {
		m.Moves = make([]game.Move, 0, len(r.Moves))
	}
	for i, move := range r.Moves {
		if m.State, err = codec.readGuess(m.State, move.Guess); err != nil {
			return game.Match{}, fmt.Errorf("move %d: %w", i+1, game.ErrDamaged)
		}
		m.Moves = append(m.Moves, game.Move{Player: move.Player, Name: move.Name, At: moment(move.At), Version: move.Version})
	}
	for i, h := range r.Hints {
		content, err := codec.readHint(h.Kind, h.Content)
		if err != nil {
			return game.Match{}, fmt.Errorf("hint %d: %w", i+1, err)
		}
		m.Hints = append(m.Hints, game.Hint{
			Kind: h.Kind, Player: h.Player, At: moment(h.At), Version: h.Version, After: h.After, Content: content,
		})
	}
	if r.Given != nil {
		m.Challenge = &game.Challenge{Clue: r.Given.Clue, Report: r.Given.Report}
	}
	if r.Ends != 0 {
		m.Ends = moment(r.Ends)
	}
	if r.Stop != nil {
		m.Stop = &game.Stop{Player: r.Stop.Player, At: moment(r.Stop.At), Version: r.Stop.Version, Idle: r.Stop.Idle}
	}
	if r.HintLimit != nil {
		m.HintLimit = game.HintLimit{Limited: true, Most: *r.HintLimit}
	}
	if len(r.Cuts) > 0 {
		m.Cuts = r.Cuts
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
