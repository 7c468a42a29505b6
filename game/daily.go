package game

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"time"
)

// slot returns the slot of the match that a target means. For [Current] that is
// where a match is being played that belongs to the channel, or that the player
// began here; where there is more than one, the error is [ErrWhich]; and where
// there is none, it is the slot in which a match ended last. Yesterday's daily
// puzzle counts until it is over, or today's is begun. The slot may never have seen
// a match. Other errors are the store's.
func (m *Manager) slot(ctx context.Context, o Origin, t Target) (Slot, error) {
	channel := ChannelSlot(t.Kind, o.Location.Channel)
	solo := Slot{Kind: t.Kind, Player: o.Player}
	switch t.Mode {
	case Together:
		return channel, nil
	case Solo:
		return solo, nil
	}
	daily, err := m.dailySlot(ctx, solo)
	if err != nil || t.Mode == Daily {
		return daily, err
	}
	var (
		playing []Slot
		found   = channel
		last    time.Time
	)
	for _, s := range []Slot{channel, solo, daily} {
		match, err := m.Store.Load(ctx, s)
		switch {
		case errors.Is(err, ErrNoMatch) || err == nil && match.Location != o.Location:
		case err != nil:
			return Slot{}, err
		case match.Status() == Playing:
			playing = append(playing, s)
		case match.Ended().After(last):
			found, last = s, match.Ended()
		}
	}
	switch len(playing) {
	case 0:
		return found, nil
	case 1:
		return playing[0], nil
	}
	return Slot{}, ErrWhich
}

// dailySlot returns the player's slot of today's puzzle if that was begun, else that
// of yesterday's if it is still being played, else today's.
func (m *Manager) dailySlot(ctx context.Context, s Slot) (Slot, error) {
	number := m.Today()
	today, yesterday := s, s
	today.Puzzle, yesterday.Puzzle = DailyPuzzle(number), DailyPuzzle(number-1)
	_, err := m.Store.Load(ctx, today)
	if !errors.Is(err, ErrNoMatch) {
		return today, err
	}
	match, err := m.Store.Load(ctx, yesterday)
	switch {
	case err == nil && match.Status() == Playing:
		return yesterday, nil
	case errors.Is(err, ErrNoMatch):
		err = nil
	}
	return today, err
}

// pickOf draws what belongs to a puzzle: the same for the same secret, kind and
// puzzle, and unknown to anyone without the secret.
func pickOf(secret []byte, k Kind, p PuzzleID) Pick {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(string(k) + "\x00" + string(p)))
	return rand.New(rand.NewChaCha8([32]byte(mac.Sum(nil)))).IntN
}

// Secret reports whether others are still to find the answer of a finished match:
// that of today's daily puzzle, or of a later one by a clock that was wrong.
func (m *Manager) Secret(p PuzzleID) bool {
	number, daily := p.Daily()
	return daily && number >= m.Today()
}

// MaySee returns nil where a player may see a finished match, and [ErrPlaying] where
// the player is still to play the same puzzle. Other errors are the store's.
func (m *Manager) MaySee(ctx context.Context, p PlayerID, match Match) error {
	if !m.Secret(match.Puzzle) {
		return nil
	}
	own, err := m.Store.Load(ctx, Slot{Kind: match.Kind, Player: p, Puzzle: match.Puzzle})
	if errors.Is(err, ErrNoMatch) || err == nil && own.Status() == Playing {
		return ErrPlaying
	}
	return err
}
