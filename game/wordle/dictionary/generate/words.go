package main

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	wordLength = 5
	alphabet   = "abcdefghijklmnopqrstuvwxyz"

	// guessSize is the largest size of scowl whose words may be guessed. The next size, 95, adds 6000 words that hardly anyone
	// knows.
	guessSize = 80
	// answerSize is the largest size whose words are hidden by rule. Up to 40 most base forms are known to most adults; of size
	// 50 about two in five, and unfit.txt takes out the others.
	answerSize = 50
	// addedSize is the size that stands for a word that scowl lacks. It decides how much the word weighs.
	addedSize = 70
)

// hand are the lists written by hand. Each says at its top what its words are.
//
//go:embed accepted.txt added.txt base.txt blocked.txt extra.txt unfit.txt withheld.txt
var hand embed.FS

// handLists are the words that a person decided on.
type handLists struct{ accepted, added, base, blocked, extra, unfit, withheld map[string]bool }

func readHandLists() handLists {
	list := func(name string) map[string]bool {
		text, _ := hand.ReadFile(name)
		words := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			if word := strings.TrimSpace(line); word != "" && word[0] != '#' {
				words[word] = true
			}
		}
		return words
	}
	return handLists{list("accepted.txt"), list("added.txt"), list("base.txt"), list("blocked.txt"), list("extra.txt"), list("unfit.txt"), list("withheld.txt")}
}

// wordSet has scowl's words of up to five letters, each with the smallest size of a list that has it: 10 for the best-known words
// up to 95 for the least known. Shorter words are there to recognise a plural or a past form by.
type wordSet struct {
	size   map[string]int // whatever the spelling
	usSize map[string]int // in the American lists and those common to all spellings
}

var (
	// listName are the lists without proper names, abbreviations and contractions, such as "american-words.35".
	listName = regexp.MustCompile(`/(\w+)-words\.(\d+)$`)
	// accents become the plain letters that a player types. Scowl has no other ones in short words.
	accents = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ä", "a", "å", "a", "ç", "c", "è", "e", "é", "e", "ê", "e", "í", "i", "î", "i",
		"ï", "i", "ñ", "n", "ó", "o", "ô", "o", "ö", "o", "ù", "u", "ú", "u", "û", "u", "ü", "u")
)

func readScowl() (wordSet, error) {
	all, _ := filepath.Glob("/usr/share/dict/scowl/*")
	var names []string
	var sizes []int
	for _, name := range all { // sorted
		if match := listName.FindStringSubmatch(name); match != nil {
			if size, _ := strconv.Atoi(match[2]); size <= guessSize {
				names, sizes = append(names, name), append(sizes, size)
			}
		}
	}
	texts, err := read("26871f13911d2a9d0db57d4c009610524ef394e8bff5ee4c80652912fa0a1ccf", names...)
	set := wordSet{map[string]int{}, map[string]int{}}
	for i, text := range texts {
		spelling := listName.FindStringSubmatch(names[i])[1]
		for word := range strings.FieldsSeq(accents.Replace(text)) {
			if len(word) > wordLength || strings.Trim(word, alphabet) != "" {
				continue // too long, or with a capital or an apostrophe
			}
			keepSmaller(set.size, word, sizes[i])
			if spelling == "american" || spelling == "english" {
				keepSmaller(set.usSize, word, sizes[i])
			}
		}
	}
	return set, err
}

func keepSmaller(sizes map[string]int, word string, size int) {
	if old, ok := sizes[word]; !ok || size < old {
		sizes[word] = size
	}
}

// inflected reports whether word looks like a plural or third person (-s, -es, -ies) or a past (-ed, -ied) of a shorter word of
// the set. It goes by letters alone, so it also catches bleed (blee, an old word) or brass (bras); base.txt lists those. Added
// words in -s or -ed need no shorter word, since the set may lack it.
func inflected(scowl wordSet, lists handLists, word string) bool {
	if lists.added[word] && (strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ed")) {
		return !lists.base[word]
	}
	for _, ending := range [][2]string{{"s", ""}, {"es", ""}, {"ies", "y"}, {"ed", ""}, {"ed", "e"}, {"ied", "y"}} {
		if stem, ok := strings.CutSuffix(word, ending[0]); ok && scowl.size[stem+ending[1]] > 0 {
			return !lists.base[word]
		}
	}
	return false
}

// chosen is the place of a word of five letters in the game. Every answer and every withheld word is also a guess.
type chosen struct {
	guess, answer, withheld bool
	weight                  int
}

// chooseWord applies the rules. A word of guessSize or below, or an added one, may be guessed unless it is blocked. An accepted
// word may be guessed too; its weight is 0. A guess is an answer if it is not withheld and
//   - extra has it, or
//   - American or common spelling has it at answerSize or below, it is not inflected, and unfit does not have it.
func chooseWord(scowl wordSet, lists handLists, word string) chosen {
	size := scowl.size[word]
	if lists.added[word] && size == 0 {
		size = addedSize
	}
	switch {
	case lists.blocked[word]:
		return chosen{}
	case size == 0:
		return chosen{guess: lists.accepted[word]}
	}
	us := scowl.usSize[word]
	base := !inflected(scowl, lists, word)
	c := chosen{guess: true, withheld: lists.withheld[word], weight: weight(size, base)}
	c.answer = !c.withheld && (lists.extra[word] || us > 0 && us <= answerSize && base && !lists.unfit[word])
	return c
}

// choose returns the files of words and weights, sorted. A line of a hand-written list that changes nothing is an error, so that
// the lists say only what has an effect.
func choose() (map[string]string, error) {
	scowl, err := readScowl()
	if err != nil {
		return nil, err
	}
	lists := readHandLists()
	words := maps.Clone(scowl.size)
	for _, list := range []map[string]bool{lists.accepted, lists.added, lists.base, lists.blocked, lists.extra, lists.unfit, lists.withheld} {
		for _, word := range slices.Collect(maps.Keys(list)) {
			with := chooseWord(scowl, lists, word)
			delete(list, word)
			if chooseWord(scowl, lists, word) == with {
				err = errors.Join(err, fmt.Errorf("a line of a list changes nothing: %s", word))
			}
			list[word] = true
			words[word] = addedSize
		}
	}
	files := map[string]string{}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		c := chooseWord(scowl, lists, word)
		if len(word) != wordLength || !c.guess {
			continue
		}
		files["guesses.txt"] += word + "\n"
		files["weights.txt"] += strconv.Itoa(c.weight) + "\n"
		if c.answer {
			files["answers.txt"] += word + "\n"
		}
		if c.withheld {
			files["withheld.txt"] += word + "\n"
		}
	}
	return files, err
}

// shares says how many words a newspaper's puzzle hides, in parts of ten thousand, of scowl's words of a size and above: of the
// base forms, and of the inflected ones. They are measured on the 2315 words of the best-known such puzzle. Where that hides
// none, the share is a twentieth of a per cent, since a weight of 0 would rule the words out for ever.
var shares = []struct{ size, base, inflected int }{
	{80, 20, 10},
	{70, 200, 5},
	{60, 800, 5},
	{55, 1400, 5},
	{50, 3600, 5},
	{40, 6300, 5},
	{35, 8650, 100},
	{20, 9700, 230},
	{10, 9950, 110},
}

// weight returns how likely a puzzle elsewhere is to hide a word, in parts of ten thousand.
func weight(size int, base bool) int {
	for _, s := range shares {
		switch {
		case size < s.size:
		case base:
			return s.base
		default:
			return s.inflected
		}
	}
	return 0
}
