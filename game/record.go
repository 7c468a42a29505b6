package game

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
)

// Stored records are JSON objects with a format number, the same in every
// store. Fields may be added to a format; a change of meaning needs a new
// number, and the old one must stay readable for ever: testdata keeps samples.
const (
	matchFormat  = 1
	resultFormat = 1
	totalsFormat = 1
)

type matchRecord struct {
	Format  int          `json:"format"`
	ID      MatchID      `json:"id"`
	Guild   GuildID      `json:"guild,omitempty"`
	Channel ChannelID    `json:"channel"`
	Version uint64       `json:"version"`
	Starter PlayerID     `json:"starter"`
	Started int64        `json:"started"` // milliseconds of Unix time, like all times here
	Mode    Mode         `json:"mode,omitempty"`
	Day     int          `json:"day,omitempty"`
	Hidden  wordle.Word  `json:"hidden,omitempty"` // of the word game
	Hard    bool         `json:"hard,omitempty"`
	Pokle   *pokleRecord `json:"pokle,omitempty"` // of the poker game, instead
	Moves   []moveRecord `json:"moves,omitempty"`
	Hints   []hintRecord `json:"hints,omitempty"`
	Stop    *stopRecord  `json:"stop,omitempty"`
}

type moveRecord struct {
	Guess   wordle.Word `json:"guess,omitempty"`
	Board   pokle.Board `json:"board,omitzero"` // of the poker game, instead
	Player  PlayerID    `json:"player"`
	At      int64       `json:"at"`
	Version uint64      `json:"version"`
}

type stopRecord struct {
	Player  PlayerID `json:"player"`
	At      int64    `json:"at"`
	Version uint64   `json:"version"`
}

type hintRecord struct {
	Kind       HintKind          `json:"kind"`
	Player     PlayerID          `json:"player"`
	At         int64             `json:"at"`
	Version    uint64            `json:"version"`
	After      int               `json:"after"`
	Letter     string            `json:"letter,omitempty"`
	Times      int               `json:"times,omitempty"`
	Position   int               `json:"position,omitempty"`
	Suggestion *suggestionRecord `json:"suggestion,omitempty"`
	Board      *suggestedRecord  `json:"board,omitempty"` // of the poker game, instead
}

type suggestionRecord struct {
	Word      wordle.Word `json:"word"`
	Possible  bool        `json:"possible,omitempty"`
	Remaining int         `json:"remaining"`
	Expected  float64     `json:"expected"`
	Entropy   float64     `json:"entropy,omitempty"`
	Groups    int         `json:"groups"`
	Worst     int         `json:"worst"`
	Total     int         `json:"total,omitempty"`
	Proven    bool        `json:"proven,omitempty"`
}

// valid reports whether the hint has what its kind needs.
func (h hintRecord) valid(k Kind) bool {
	if k == Pokle {
		return h.Kind == HintSuggestion && h.Board != nil && h.Board.Board != (pokle.Board{})
	}
	letter := len(h.Letter) == 1 && 'A' <= h.Letter[0] && h.Letter[0] <= 'Z'
	switch h.Kind {
	case HintSuggestion:
		return h.Suggestion != nil && h.Suggestion.Word != 0 && h.Letter == ""
	case HintLetter:
		return letter && h.Times > 0
	case HintPosition:
		return letter && 0 < h.Position && h.Position <= wordle.Length
	}
	return false
}

// EncodeMatch returns the stored form of a match.
func EncodeMatch(m Match) ([]byte, error) {
	r := matchRecord{
		Format:  matchFormat,
		ID:      m.ID,
		Guild:   m.Location.Guild,
		Channel: m.Location.Channel,
		Version: m.Version,
		Starter: m.Starter,
		Started: m.Started.UnixMilli(),
		Mode:    m.Mode,
		Day:     m.Day,
		Hidden:  m.Wordle.Hidden(),
		Hard:    m.Wordle.Hard(),
	}
	for _, move := range m.Moves {
		r.Moves = append(r.Moves, moveRecord{Player: move.Player, At: move.At.UnixMilli(), Version: move.Version})
	}
	if m.Kind() == Pokle {
		r.Pokle = newPokleRecord(m.Pokle)
		for i, g := range m.Pokle.Guesses() {
			r.Moves[i].Board = g.Board
		}
	} else {
		for i, t := range m.Wordle.Turns() {
			r.Moves[i].Guess = t.Guess
		}
	}
	for _, h := range m.Hints {
		hr := hintRecord{
			Kind: h.Kind, Player: h.Player, At: h.At.UnixMilli(), Version: h.Version, After: h.After,
			Times: h.Times, Position: h.Position, Suggestion: (*suggestionRecord)(h.Suggestion), Board: (*suggestedRecord)(h.Board),
		}
		if h.Letter != 0 {
			hr.Letter = string(h.Letter)
		}
		r.Hints = append(r.Hints, hr)
	}
	if m.Stop != nil {
		r.Stop = &stopRecord{m.Stop.Player, m.Stop.At.UnixMilli(), m.Stop.Version}
	}
	return json.Marshal(r)
}

// DecodeMatch reads what any release so far has stored. The error wraps
// [ErrNewer] or [ErrDamaged] and never contains the record.
func DecodeMatch(data []byte) (Match, error) {
	var r matchRecord
	err := decode(data, matchFormat, &r, &r.Format)
	if err != nil {
		return Match{}, fmt.Errorf("match: %w", err)
	}
	if r.ID == "" || r.Channel == "" || r.Version == 0 || (r.Hidden == 0) == (r.Pokle == nil) {
		return Match{}, fmt.Errorf("match: a field is missing: %w", ErrDamaged)
	}
	if !r.Mode.known() || (r.Mode == Daily) != (r.Day > 0) {
		return Match{}, fmt.Errorf("match %s: mode: %w", r.ID, ErrDamaged)
	}
	m := Match{
		ID:       r.ID,
		Location: Location{r.Guild, r.Channel},
		Version:  r.Version,
		Starter:  r.Starter,
		Started:  moment(r.Started),
		Mode:     r.Mode,
		Day:      r.Day,
	}
	if r.Pokle == nil {
		m.Wordle = wordle.NewState(r.Hidden, r.Hard)
	} else if m.Pokle, err = r.Pokle.state(); err != nil {
		return Match{}, fmt.Errorf("match %s: %w", r.ID, err)
	}
	for i, move := range r.Moves {
		if m.Kind() == Pokle {
			m.Pokle, err = m.Pokle.Guess(move.Board)
		} else if m.Wordle, err = m.Wordle.Guess(move.Guess); move.Guess == 0 {
			err = ErrDamaged
		}
		if err != nil {
			return Match{}, fmt.Errorf("match %s: move %d: %w", r.ID, i+1, ErrDamaged)
		}
		m.Moves = append(m.Moves, Move{move.Player, moment(move.At), move.Version})
	}
	for i, h := range r.Hints {
		if !h.valid(m.Kind()) {
			return Match{}, fmt.Errorf("match %s: hint %d: %w", r.ID, i+1, ErrDamaged)
		}
		hint := Hint{
			Kind: h.Kind, Player: h.Player, At: moment(h.At), Version: h.Version, After: h.After,
			Times: h.Times, Position: h.Position, Suggestion: (*solver.Suggestion)(h.Suggestion), Board: (*boards.Suggestion)(h.Board),
		}
		if h.Letter != "" {
			hint.Letter = h.Letter[0]
		}
		m.Hints = append(m.Hints, hint)
	}
	if r.Stop != nil {
		m.Stop = &Stop{r.Stop.Player, moment(r.Stop.At), r.Stop.Version}
	}
	return m, nil
}

type resultRecord struct {
	Format   int          `json:"format"`
	Match    MatchID      `json:"match"`
	Guild    GuildID      `json:"guild,omitempty"`
	Channel  ChannelID    `json:"channel"`
	Kind     Kind         `json:"kind,omitempty"` // empty for the word game
	Mode     Mode         `json:"mode,omitempty"`
	Day      int          `json:"day,omitempty"`
	Status   Status       `json:"status"`
	Hidden   wordle.Word  `json:"hidden,omitempty"`
	Board    pokle.Board  `json:"board,omitzero"` // hidden in the poker game
	Hard     bool         `json:"hard,omitempty"`
	Attempts int          `json:"attempts"`
	Started  int64        `json:"started"`
	Ended    int64        `json:"ended"`
	Solver   PlayerID     `json:"solver,omitempty"`
	Parts    []partRecord `json:"parts,omitempty"`
}

type partRecord struct {
	Player  PlayerID `json:"player"`
	Guesses int      `json:"guesses,omitempty"`
	Hints   int      `json:"hints,omitempty"`
}

// EncodeResult returns the stored form of a result, without its number.
func EncodeResult(r Result) ([]byte, error) {
	rec := resultRecord{
		Format: resultFormat, Match: r.Match, Guild: r.Location.Guild, Channel: r.Location.Channel,
		Mode: r.Mode, Day: r.Day, Status: r.Status, Hidden: r.Hidden, Board: r.Board, Hard: r.Hard, Attempts: r.Attempts,
		Started: r.Started.UnixMilli(), Ended: r.Ended.UnixMilli(), Solver: r.Solver,
	}
	if r.Kind != Wordle {
		rec.Kind = r.Kind
	}
	for _, p := range r.Participants {
		rec.Participants = append(rec.Participants, partRecord(p))
	}
	return json.Marshal(rec)
}

// DecodeResult reads what any release so far has stored, as [DecodeMatch] does.
func DecodeResult(data []byte) (Result, error) {
	var rec resultRecord
	if err := decode(data, resultFormat, &rec, &rec.Format); err != nil {
		return Result{}, fmt.Errorf("result: %w", err)
	}
	known := rec.Status == Won && rec.Attempts > 0 || rec.Status == Lost || rec.Status == Stopped
	hidden := rec.Kind == "" && rec.Hidden != 0 || rec.Kind == Pokle && rec.Board != (pokle.Board{})
	if !known || !hidden || rec.Match == "" || rec.Attempts < 0 || rec.Attempts > wordle.Attempts {
		return Result{}, fmt.Errorf("result of match %s: %w", rec.Match, ErrDamaged)
	}
	r := Result{
		Match: rec.Match, Location: Location{rec.Guild, rec.Channel},
		Kind: cmp.Or(rec.Kind, Wordle), Mode: rec.Mode, Day: rec.Day,
		Status: rec.Status, Hidden: rec.Hidden, Board: rec.Board, Hard: rec.Hard, Attempts: rec.Attempts,
		Started: moment(rec.Started), Ended: moment(rec.Ended), Solver: rec.Solver,
	}
	for _, p := range rec.Participants {
		r.Participants = append(r.Participants, Participant(p))
	}
	return r, nil
}

type totalsRecord struct {
	Format       int                  `json:"format"`
	Player       PlayerID             `json:"player"`
	Played       int                  `json:"played,omitempty"`
	Won          int                  `json:"won,omitempty"`
	Attempts     int                  `json:"attempts,omitempty"`
	Streak       int                  `json:"streak,omitempty"`
	BestStreak   int                  `json:"best_streak,omitempty"`
	Distribution [wordle.Attempts]int `json:"distribution"`
	Hints        int                  `json:"hints,omitempty"`
}

// EncodeTotals returns the stored form of a player's totals.
func EncodeTotals(t Totals) ([]byte, error) {
	return json.Marshal(totalsRecord{
		totalsFormat, t.Player, t.Played, t.Won, t.Attempts, t.Streak, t.BestStreak, t.Distribution, t.Hints,
	})
}

// DecodeTotals reads what any release so far has stored, as [DecodeMatch] does.
func DecodeTotals(data []byte) (Totals, error) {
	var r totalsRecord
	if err := decode(data, totalsFormat, &r, &r.Format); err != nil {
		return Totals{}, fmt.Errorf("totals: %w", err)
	}
	return Totals{
		r.Player, r.Played, r.Won, r.Attempts, r.Streak, r.BestStreak, r.Distribution, r.Hints,
	}, nil
}

// turnRecord is a turn of which the hidden word does not tell the feedback.
type turnRecord struct {
	Guess    wordle.Word `json:"guess"`
	Feedback string      `json:"feedback"` // B, Y and G
}

// turn returns the turn, or an error where it is none.
func (t turnRecord) turn() (wordle.Turn, error) {
	f, err := wordle.ParseFeedback(t.Feedback)
	if t.Guess == 0 {
		err = ErrDamaged
	}
	return wordle.Turn{Guess: t.Guess, Feedback: f}, err
}

// decode reads a record whose format field must be between 1 and newest.
func decode(data []byte, newest int, record any, format *int) error {
	err := json.Unmarshal(data, record)
	if err != nil {
		// Another format need not fit today's fields; its number still tells.
		var only struct {
			Format int `json:"format"`
		}
		if json.Unmarshal(data, &only) != nil || only.Format <= newest {
			return ErrDamaged // not json's error, which could quote the hidden word
		}
		*format = only.Format
	}
	switch {
	case *format > newest:
		return fmt.Errorf("format %d: %w", *format, ErrNewer)
	case *format < 1:
		return fmt.Errorf("format %d: %w", *format, ErrDamaged)
	}
	return nil
}

func moment(milliseconds int64) time.Time { return time.UnixMilli(milliseconds).UTC() }
