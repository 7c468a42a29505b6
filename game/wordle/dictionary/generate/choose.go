package main

import "errors"

const (
	// guessSize is the largest size whose words may be guessed. The next
	// size, 95, adds 6000 words that hardly anyone knows.
	guessSize = 80
	// answerSize is the largest size whose words are hidden by rule. Up to
	// 40 most base forms are known to most adults; of size 50 about two in five,
	// and unfit.txt takes out the others.
	answerSize = 50
)

// words are the lists of the game, sorted. Every answer and every withheld word is also a
// guess, and no answer is withheld.
type words struct {
	guesses, answers, withheld []string
	weights                    []int // by guess
}

// choose applies the rules to scowl.
//
// A word of guessSize or below may be guessed unless it is blocked. A guess is an answer if
//   - extra has it, or
//   - American or common spelling has it at answerSize or below, it is not
//     inflected or base has it, and neither unfit nor withheld has it.
//
// A line of a hand-written list that changes nothing is an error, so that the
// lists say only what has an effect.
func choose(scowl wordSet, hand handLists) (words, error) {
	if err := checkEffects(scowl, hand); err != nil {
		return words{}, err
	}
	var chosen words
	for _, word := range scowl.fiveLetterWords() {
		if scowl.size[word] > guessSize || hand.blocked.has(word) {
			continue
		}
		chosen.guesses = append(chosen.guesses, word)
		chosen.weights = append(chosen.weights, weight(scowl, hand, word))
		switch {
		case hand.withheld.has(word):
			chosen.withheld = append(chosen.withheld, word)
		case hand.extra.has(word) || fitByRule(scowl, hand, word) && !hand.unfit.has(word):
			chosen.answers = append(chosen.answers, word)
		}
	}
	return chosen, nil
}

// known reports whether the size and spelling of word let it be hidden.
func known(scowl wordSet, word string) bool {
	size, ok := scowl.usSize[word]
	return ok && size <= answerSize
}

// fitByRule reports whether word would be hidden if unfit, withheld and extra were
// empty.
func fitByRule(scowl wordSet, hand handLists, word string) bool {
	return known(scowl, word) && (!scowl.inflected(word) || hand.base.has(word))
}

// checkEffects reports all lines without effect.
func checkEffects(scowl wordSet, hand handLists) error {
	var faults []error
	for _, list := range []handList{hand.added, hand.base, hand.unfit, hand.extra, hand.withheld} {
		for _, word := range list.words {
			if hand.blocked.has(word) {
				faults = append(faults, list.fault(word, "is blocked"))
			}
		}
	}
	for _, list := range []handList{hand.base, hand.unfit, hand.extra} {
		for _, word := range list.words {
			if hand.withheld.has(word) {
				faults = append(faults, list.fault(word, "is in withheld.txt, which says more"))
			}
		}
	}
	for _, word := range hand.base.words {
		if !known(scowl, word) || !scowl.inflected(word) {
			faults = append(faults, hand.base.fault(word, "has no effect: unknown, or not taken for inflected"))
		}
	}
	for _, word := range hand.unfit.words {
		if !fitByRule(scowl, hand, word) {
			faults = append(faults, hand.unfit.fault(word, "has no effect: no rule hides it"))
		}
	}
	for _, word := range hand.extra.words {
		if fitByRule(scowl, hand, word) {
			faults = append(faults, hand.extra.fault(word, "has no effect: hidden by rule, or in unfit.txt"))
		}
	}
	return errors.Join(faults...)
}
