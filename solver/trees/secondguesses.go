package trees

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// SecondGuesses are proven best second guesses, in games of [wordle.Attempts] guesses.
type SecondGuesses map[First]SecondGuess

// First is the first turn of a game.
type First struct {
	wordle.Turn
	Hard marks.Hardness
}

// SecondGuess is the best guess after a first turn. Total is the sum, over the possible words, of the guesses from here
// times the weight of the word.
type SecondGuess struct {
	Guess wordle.Word
	Total int64
}

// ReadSecondGuesses reads a file. After a checksum, it has a line for each mode and opener. For each class, the line
// has the feedback, the best guess and its total. Files with another checksum are for other lists, and count as
// empty.
func ReadSecondGuesses(file, checksum string) SecondGuesses {
	all := SecondGuesses{}
	head, lines, _ := strings.Cut(file, "\n")
	if head != checksum {
		return all
	}
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		for class := range slices.Chunk(fields[2:], 3) {
			feedback, _ := wordle.ParseFeedback(class[0]) // a test reads the files
			total, _ := strconv.ParseInt(class[2], 10, 64)
			first := First{wordle.Turn{Guess: wordle.MustParse(fields[1]), Feedback: feedback}, marks.ReadHardness(fields[0])}
			all[first] = SecondGuess{wordle.MustParse(class[1]), total}
		}
	}
	return all
}

// File returns the file that [ReadSecondGuesses] reads.
func (all SecondGuesses) File(checksum string) []byte {
	lines := map[string]string{}
	for _, first := range slices.SortedFunc(maps.Keys(all), func(a, b First) int { return cmp.Compare(a.Feedback, b.Feedback) }) {
		opener := fmt.Sprintf("%v %v", first.Hard, first.Guess)
		lines[opener] += fmt.Sprintf(" %v %v %d", first.Feedback, all[first].Guess, all[first].Total)
	}
	file := checksum + "\n"
	for _, opener := range slices.Sorted(maps.Keys(lines)) {
		file += strings.ToLower(opener + lines[opener] + "\n")
	}
	return []byte(file)
}
