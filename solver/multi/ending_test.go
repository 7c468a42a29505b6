package multi

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/partition"
	"fivefold/solver/solvertest"
)

// plain finds the least expected guesses by trying everything.
type plain struct {
	guesses []wordle.Word
	known   map[string]float64
}

// least returns the expected guesses until all boards are found, with the best guesses. A board that is found is nil.
func (p *plain) least(boards [][]wordle.Word, limit int) float64 {
	open := 0
	for _, words := range boards {
		open += len(words)
	}
	if open == 0 {
		return 0
	}
	if limit == 0 {
		return LossCost
	}
	key := []byte{byte(limit)}
	for _, words := range boards {
		for _, w := range words {
			key = binary.LittleEndian.AppendUint64(key, uint64(w))
		}
		key = append(key, 0)
	}
	if v, ok := p.known[string(key)]; ok {
		return v
	}
	p.known[string(key)] = math.Inf(1) // for a guess that changes nothing
	least := math.Inf(1)
	for _, g := range p.guesses {
		least = min(least, p.with(g, boards, limit))
	}
	p.known[string(key)] = least
	return least
}

// with returns the same if the guess comes next.
func (p *plain) with(guess wordle.Word, boards [][]wordle.Word, limit int) float64 {
	sum, useful := 0.0, false
	var each func(b int, chance float64, next [][]wordle.Word)
	each = func(b int, chance float64, next [][]wordle.Word) {
		if b < len(boards) {
			if len(boards[b]) == 0 {
				each(b+1, chance, append(next, nil))
				return
			}
			for f, class := range partition.Classes(guess, boards[b]) {
				if wordle.Feedback(f) == wordle.AllGreen && len(class) > 0 {
					useful = true
					each(b+1, chance/float64(len(boards[b])), append(next[:b:b], nil))
				} else if len(class) > 0 {
					useful = useful || len(class) < len(boards[b])
					each(b+1, chance*float64(len(class))/float64(len(boards[b])), append(next[:b:b], class))
				}
			}
			return
		}
		if useful || limit < 99 {
			sum += chance * p.least(next, limit-1)
		} else {
			sum = math.Inf(1)
		}
	}
	each(0, 1, nil)
	return 1 + sum
}

// TestEndingAgainstPlain compares all suggestions that are proven on random endings with trying everything.
func TestEndingAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(38, 2))
	all := wordletest.Embedded(t).Answers()
	proven, late, shared := 0, 0, 0
	for i := 0; i < 200; i++ {
		guesses := solvertest.Alike(random, all, 8)
		for len(guesses) < 11 {
			guesses = append(guesses, all[random.IntN(len(all))])
		}
		list := solvertest.Join(uniq(guesses))
		s := New(wordletest.Lists(t, list, list))
		guesses = s.lists.Guesses()
		boards := 2 + i%2
		p := Position{Boards: make([][]wordle.Turn, boards)}
		opener := guesses[random.IntN(len(guesses))]
		left := make([][]wordle.Word, boards)
		ways := 1
		for b := range p.Boards {
			hidden := guesses[random.IntN(len(guesses))]
			p.Boards[b] = []wordle.Turn{{Guess: opener, Feedback: wordle.Score(opener, hidden)}}
			if hidden != opener {
				left[b] = s.remaining(p.Boards[b])
				ways *= len(left[b])
			}
		}
		if ways == 1 || ways > 24 {
			i--
			continue
		}
		limit := 99
		if random.IntN(2) == 0 {
			limit = 1 + random.IntN(boards+2)
			p.Limit = limit + 1
			late++
		}
		oracle := plain{guesses, map[string]float64{}}
		best, err := s.Suggest(context.Background(), p, 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(best[0].Possible) > 1 {
			shared++
		}
		if best[0].Proven {
			proven++
		} else {
			continue
		}
		if least := oracle.least(left, limit); math.Abs(best[0].Expected-least) > 1e-9 {
			t.Errorf("%v, %d guesses left: %v takes %v, the best %v", left, limit, best[0].Word, best[0].Expected, least)
		}
		for _, b := range best {
			if want := oracle.with(b.Word, left, limit); math.Abs(b.Expected-want) > 1e-9 {
				t.Errorf("%v, %d guesses left: %v takes %v, not %v", left, limit, b.Word, want, b.Expected)
			}
		}
	}
	if proven < 190 || late < 50 || shared < 10 {
		t.Errorf("%d proven, %d near the limit, %d with a word on several boards", proven, late, shared)
	}
}

// uniq returns each word once.
func uniq(words []wordle.Word) []wordle.Word {
	seen := map[wordle.Word]bool{}
	var once []wordle.Word
	for _, w := range words {
		if !seen[w] {
			once = append(once, w)
		}
		seen[w] = true
	}
	return once
}
