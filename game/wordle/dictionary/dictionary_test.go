package dictionary

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

var guessed, hidden, kept = strings.Fields(Guesses()), strings.Fields(Answers()), strings.Fields(Withheld())

// TestLists: lists are sorted words of five letters in the sizes that the game was designed for. Answers and withheld words are
// guesses, and nothing is both.
func TestLists(t *testing.T) {
	for _, list := range []struct {
		name, text string
		min, max   int
	}{
		{"answers", Answers(), 2300, 3200},
		{"guesses", Guesses(), 11700, 11900},
		{"withheld", Withheld(), 31, 100},
	} {
		words := strings.Fields(list.text)
		if len(words) < list.min || len(words) > list.max || len(list.text) != 6*len(words) {
			t.Errorf("%s: %d words in %d bytes", list.name, len(words), len(list.text))
		}
		for i, word := range words {
			if len(word) != 5 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || i > 0 && word <= words[i-1] {
				t.Errorf("%s: %q", list.name, word)
			}
			if !slices.Contains(guessed, word) || slices.Contains(hidden, word) && slices.Contains(kept, word) {
				t.Errorf("%s: %q is not a guess, or is an answer and withheld", list.name, word)
			}
		}
	}
	blocked := 0
	for word := range strings.Lines(Blocked()) {
		if word = strings.TrimSpace(word); word != "" && word[0] != '#' {
			blocked++
			if slices.Contains(guessed, word) {
				t.Errorf("%s is blocked and can be guessed", word)
			}
		}
	}
	if blocked < 60 {
		t.Errorf("%d words are blocked", blocked)
	}
}

func TestWeights(t *testing.T) {
	lines := strings.Fields(Weights())
	if len(lines) != len(guessed) {
		t.Fatalf("%d weights of %d words", len(lines), len(guessed))
	}
	for i, line := range lines {
		if w, err := strconv.Atoi(line); err != nil || w < 0 || w > 10_000 {
			t.Errorf("%s weighs %q", guessed[i], line)
		}
	}
	for words, want := range map[string]string{
		"house water world": "9950",
		"words trees":       "110",
		"breed greed":       "9700", // look inflected
		"aalii cusec":       "200",
		"admin mochi queso": "200", // typed today
		"nerfs vibed vlogs": "5",   // typed today, inflected
		"judgy soare":       "0",   // accepted only
	} {
		for word := range strings.FieldsSeq(words) {
			if got := lines[slices.Index(guessed, word)]; got != want {
				t.Errorf("%s weighs %s, want %s", word, got, want)
			}
		}
	}
}

// TestMeanings: every hidden word has a meaning that fits in a line, and nothing of how WordNet writes one is left. No other word
// has one.
func TestMeanings(t *testing.T) {
	if n := strings.Count(meanings, "\n"); n != len(hidden) {
		t.Errorf("%d meanings of %d words", n, len(hidden))
	}
	for _, word := range hidden {
		meaning := Meaning(word)
		n := utf8.RuneCountInString(meaning)
		if n < 2 || n > 93 || strings.ContainsAny(meaning, "\"`\n") || strings.Count(meaning, "(") != strings.Count(meaning, ")") {
			t.Errorf("%s: %q", word, meaning)
		}
	}
	for word, want := range map[string]string{
		"chess": "a board game for two players who move their 16 pieces according to specific rules",
		"wrote": "past tense of “write”: produce a literary work",
		"teeth": "plural of “tooth”: hard bonelike structures in the jaws of vertebrates",
		"emoji": "a small picture used in messages, such as a smiling face",
		"aahed": "", // a guess only
		"crwth": "", // an own list may have it
	} {
		if got := Meaning(word); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

// TestKnownWords: what each of these words must stay: an answer, a withheld or another guess, or no word.
func TestKnownWords(t *testing.T) {
	for _, test := range []struct{ why, words, want string }{
		{"plain words", "apple crane house music slate water world raise trace", "answer"},
		{"look inflected", "abyss bleed brass breed chaos creed dried focus fried glass greed tried tweed", "answer"},
		{"American spelling", "color fiber honor liter meter saber", "answer"},
		{"chosen by hand", "biome redux shorn trove", "answer"},
		{"accents folded", "blase saute", "answer"},
		{"familiar today", "aunty codec donut droid ebook mafia ramen snuck yikes", "answer"},
		{"plurals", "books cafes flies foxes trees words", "guess"},
		{"third person", "cries fixes keeps wants", "guess"},
		{"past forms", "asked baked cried maxed upped", "guess"},
		{"other inflections", "dying wider using weest", "guess"},
		{"other spellings", "fibre litre metre odour sabre salet", "guess"},
		{"names and letters", "china gamma harry omega peter", "guess"},
		{"known to few", "aalii cusec xylem zibet", "guess"},
		{"unpleasant to find", "batty chino drown dumpy idiot moron scalp skeet slain tumor vomit", "guess"},
		{"known to too few", "dwelt fusty inure knell licit lucre natty oases radii rebus redid reran riven roust " +
			"scion scree sedge skein slake slunk sprat stoat umber unfed usury vaunt venal whist", "guess"},
		{"typed today", "admin botox cyber gouda intro laggy latin merch mixin mochi morph nerfs newbs noobs outro " +
			"queso stans vibed vlogs yeets", "guess"},
		{"read as a slur", "haole cholo chola bakra smous hajji hadji hajis spook", "withheld"},
		{"homophobic", "cissy sissy pouff dikes diked diker", "withheld"},
		{"sexual", "pimps bawds bonks boffs sexts nudie busty tarty spunk", "withheld"},
		{"swearing and insults", "fubar effed fecks merde wussy", "withheld"},
		{"accepted only", "judgy fudgy janky hacky unsee krump soare roate tarse", "guess"},
		{"violence and hate", "nonce slave lynch", "withheld"},
		{"vulgar", "assed dongs fugly heils leses mammy papes penes perve pommy punce scags whity", ""},
		{"no words", "aaaaa qwert zzzzz", ""},
	} {
		for word := range strings.FieldsSeq(test.words) {
			got := ""
			switch {
			case slices.Contains(hidden, word):
				got = "answer"
			case slices.Contains(kept, word):
				got = "withheld"
			case slices.Contains(guessed, word):
				got = "guess"
			}
			if got != test.want {
				t.Errorf("%s: %s is %q, want %q", test.why, word, got, test.want)
			}
		}
	}
}
