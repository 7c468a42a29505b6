package record

import (
	"encoding/json"
	"fmt"

	"fivefold/game"
)

const resultFormat = 1

type resultRecord struct {
	Format       int                 `json:"format"`
	Match        game.MatchID        `json:"match"`
	Guild        game.GuildID        `json:"guild,omitempty"`
	Channel      game.ChannelID      `json:"channel"`
	Kind         game.Kind           `json:"kind"`
	Mode         game.Mode           `json:"mode,omitempty"`
	Puzzle       game.PuzzleID       `json:"puzzle,omitempty"`
	Status       game.Status         `json:"status"`
	Answer       string              `json:"answer"`
	Hard         bool                `json:"hard,omitempty"`
	Attempts     int                 `json:"attempts"`
	Started      int64               `json:"started"`
	Ended        int64               `json:"ended"`
	Winner       game.PlayerID       `json:"winner,omitempty"`
	Participants []participantRecord `json:"participants,omitempty"`
	Shared       game.ChannelID      `json:"shared,omitempty"`
	Guilds       []game.GuildID      `json:"guilds,omitempty"`
}

type participantRecord struct {
	Player  game.PlayerID `json:"player"`
	Guesses int           `json:"guesses,omitempty"`
	Hints   int           `json:"hints,omitempty"`
	Outcome game.Status   `json:"outcome,omitempty"`
}

// EncodeResult returns the stored form of a result, without its number.
func EncodeResult(r game.Result) ([]byte, error) {
	rec := resultRecord{
		Format: resultFormat, Match: r.Match, Guild: r.Location.Guild, Channel: r.Location.Channel,
		Kind: r.Kind, Mode: r.Mode, Puzzle: r.Puzzle, Status: r.Status, Answer: r.Answer, Hard: r.Hard, Attempts: r.Attempts,
		Started: r.Started.UnixMilli(), Ended: r.Ended.UnixMilli(), Winner: r.Winner, Shared: r.Shared, Guilds: r.Guilds,
	}
	for _, p := range r.Participants {
		rec.Participants = append(rec.Participants, participantRecord(p))
	}
	return json.Marshal(rec)
}

// DecodeResult reads what [EncodeResult] writes, like [Codecs.DecodeMatch].
func (all Codecs) DecodeResult(data []byte) (game.Result, error) {
	var rec resultRecord
	if err := decode(data, resultFormat, &rec, &rec.Format); err != nil {
		return game.Result{}, fmt.Errorf("result: %w", err)
	}
	_, err := all.Of(rec.Kind)
	known := rec.Status == game.Won && rec.Attempts > 0 || rec.Status == game.Lost || rec.Status == game.Stopped
	if err != nil || !known || rec.Answer == "" && rec.Status != game.Stopped || rec.Match == "" || rec.Attempts < 0 || rec.Attempts > game.MaxAttempts {
		return game.Result{}, fmt.Errorf("result of match %s: %w", rec.Match, game.ErrDamaged)
	}
	r := game.Result{
		Match: rec.Match, Location: game.Location{Guild: rec.Guild, Channel: rec.Channel},
		Kind: rec.Kind, Mode: rec.Mode, Puzzle: rec.Puzzle,
		Status: rec.Status, Answer: rec.Answer, Hard: rec.Hard, Attempts: rec.Attempts,
		Started: moment(rec.Started), Ended: moment(rec.Ended), Winner: rec.Winner, Shared: rec.Shared, Guilds: rec.Guilds,
	}
	for _, p := range rec.Participants {
		if p.Outcome == game.Won && rec.Attempts == 0 || p.Outcome != game.Won && p.Outcome != game.Lost && p.Outcome != "" {
			return game.Result{}, fmt.Errorf("result of match %s: outcome: %w", rec.Match, game.ErrDamaged)
		}
		r.Participants = append(r.Participants, game.Participant(p))
	}
	return r, nil
}
