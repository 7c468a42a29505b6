package record

import (
	"encoding/json"

	"fivefold/game"
)

// match1 is a match in format 1, whose releases had two kinds of game: one with a hidden
// word, and one with a deal.
type match1 struct {
	Format  int             `json:"format"`
	ID      game.MatchID    `json:"id"`
	Guild   game.GuildID    `json:"guild"`
	Channel game.ChannelID  `json:"channel"`
	Version uint64          `json:"version"`
	Starter game.PlayerID   `json:"starter"`
	Started int64           `json:"started"`
	Mode    game.Mode       `json:"mode"`
	Day     int             `json:"day"`
	Hidden  json.RawMessage `json:"hidden"`
	Hard    bool            `json:"hard"`
	Pokle   json.RawMessage `json:"pokle"`
	Moves   []struct {
		moveRecord[json.RawMessage]
		Board json.RawMessage `json:"board"`
	} `json:"moves"`
	Hints []struct {
		hintRecord[json.RawMessage]
		Letter     string          `json:"letter"`
		Times      int             `json:"times"`
		Position   int             `json:"position"`
		Suggestion json.RawMessage `json:"suggestion"`
		Board      json.RawMessage `json:"board"`
	} `json:"hints"`
	Stop *stopRecord `json:"stop"`
}

// matchOfFormat1 reads a record of format 1 into today's fields.
func matchOfFormat1(data []byte) (matchRecord[json.RawMessage], error) {
	var old match1
	if err := unmarshal(data, &old); err != nil {
		return matchRecord[json.RawMessage]{}, err
	}
	if (old.Hidden == nil) == (old.Pokle == nil) {
		return matchRecord[json.RawMessage]{}, game.ErrDamaged
	}
	r := matchRecord[json.RawMessage]{
		Format: old.Format, ID: old.ID, Guild: old.Guild, Channel: old.Channel, Version: old.Version,
		Starter: old.Starter, Started: old.Started, Kind: game.Pokle, Mode: old.Mode, Puzzle: puzzleOfDay(old.Day),
		Start: old.Pokle, Stop: old.Stop,
	}
	if old.Pokle == nil {
		r.Kind = game.Wordle
		start, err := json.Marshal(struct {
			Hidden json.RawMessage `json:"hidden"`
			Hard   bool            `json:"hard,omitempty"`
		}{old.Hidden, old.Hard})
		if err != nil {
			return matchRecord[json.RawMessage]{}, game.ErrDamaged
		}
		r.Start = start
	}
	for _, move := range old.Moves {
		if r.Kind == game.Pokle {
			move.Guess = move.Board
		}
		r.Moves = append(r.Moves, move.moveRecord)
	}
	for _, h := range old.Hints {
		switch {
		case r.Kind == game.Pokle:
			h.Content = h.Board
		case h.Kind == game.HintSuggestion:
			h.Content = h.Suggestion
		default:
			content, err := json.Marshal(letterRecord{h.Letter, h.Times, h.Position})
			if err != nil {
				return matchRecord[json.RawMessage]{}, game.ErrDamaged
			}
			h.Content = content
		}
		r.Hints = append(r.Hints, h.hintRecord)
	}
	return r, nil
}

// puzzleOfDay returns the puzzle that a record of format 1 names by its day, 0 for none.
func puzzleOfDay(day int) game.PuzzleID {
	if day == 0 {
		return ""
	}
	return game.DailyPuzzle(day)
}
