package dodge

import "fivefold/game/wordle"

func choose(words *[wordle.Feedbacks]int) (f wordle.Feedback) {
	for g, n := range words {
		if n > words[f] || n == words[f] && helps[g] < helps[f] {
			f = wordle.Feedback(g)
		}
	}
	return f
}

var helps = func() (all [wordle.Feedbacks]int) {
	for f := range all {
		for i := range wordle.Length {
			all[f] += [...]int{wordle.Black: 0, wordle.Yellow: 1, wordle.Green: wordle.Length + 1}[wordle.Feedback(f).Mark(i)]
		}
	}
	return all
}()
