package dictionary

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// lists are the lists of words with what sums.go says of them.
var lists = []struct {
	name     string
	text     string
	count    int
	sum      string
	min, max int // the size that the game was designed for
}{
	{"answers", Answers(), AnswersCount, AnswersSHA256, 2300, 3200},
	{"guesses", Guesses(), GuessesCount, GuessesSHA256, 11300, 11491},
	{"withheld", Withheld(), WithheldCount, WithheldSHA256, 31, 100},
}

func TestForm(t *testing.T) {
	for _, list := range lists {
		t.Run(list.name, func(t *testing.T) {
			previous := ""
			for line := range strings.Lines(list.text) {
				word, ended := strings.CutSuffix(line, "\n")
				if !ended {
					t.Errorf("%q: no newline at its end", word)
				}
				if len(word) != 5 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
					t.Errorf("%q: not five letters a to z", word)
				}
				if word <= previous {
					t.Errorf("%q comes after %q", word, previous)
				}
				previous = word
			}
		})
	}
}

func TestSums(t *testing.T) {
	for _, list := range lists {
		t.Run(list.name, func(t *testing.T) {
			sum := sha256.Sum256([]byte(list.text))
			if got := hex.EncodeToString(sum[:]); got != list.sum {
				t.Errorf("SHA-256: got %s, want %s", got, list.sum)
			}
			got := len(strings.Fields(list.text))
			if got != list.count {
				t.Errorf("words: got %d, want %d", got, list.count)
			}
			if got < list.min || list.max < got {
				t.Errorf("words: got %d, want %d to %d", got, list.min, list.max)
			}
		})
	}
}

func TestWeights(t *testing.T) {
	sum := sha256.Sum256([]byte(Weights()))
	if got := hex.EncodeToString(sum[:]); got != WeightsSHA256 {
		t.Errorf("SHA-256: got %s, want %s", got, WeightsSHA256)
	}
	lines := strings.Fields(Weights())
	if len(lines) != GuessesCount {
		t.Fatalf("weights: got %d, want %d", len(lines), GuessesCount)
	}
	weights := map[string]int{}
	for i, word := range strings.Fields(Guesses()) {
		w, err := strconv.Atoi(lines[i])
		if err != nil || w < 1 || w > 10_000 {
			t.Errorf("%s weighs %q, not a number from 1 to 10000", word, lines[i])
		}
		weights[word] = w
	}
	for _, test := range []struct {
		why, words string
		want       int
	}{
		{"everyday words", "house water world", 9950},
		{"their plurals", "words trees", 110},
		{"look inflected", "breed greed", 9700},
		{"known to few", "aalii cusec", 200},
		{"typed today", "admin mochi queso", 200},
		{"typed today, inflected", "nerfs vibed vlogs", 5},
	} {
		for word := range strings.FieldsSeq(test.words) {
			if got := weights[word]; got != test.want {
				t.Errorf("%s: %s weighs %d, want %d", test.why, word, got, test.want)
			}
		}
	}
}

// TestMeanings: every hidden word has a meaning that fits in a line, and nothing of how WordNet writes
// one is left.
func TestMeanings(t *testing.T) {
	for word := range strings.FieldsSeq(Answers()) {
		meaning := Meaning(word)
		if n := utf8.RuneCountInString(meaning); n < 2 || n > 93 {
			t.Errorf("%s has a meaning of %d characters: %q", word, n, meaning)
		}
		if strings.ContainsAny(meaning, "\"`\n") || strings.Count(meaning, "(") != strings.Count(meaning, ")") {
			t.Errorf("%s: %q", word, meaning)
		}
	}
	if got := strings.Count(meanings, "\n"); got != AnswersCount {
		t.Errorf("meanings: got %d, want %d", got, AnswersCount)
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

func TestAnswersAreGuesses(t *testing.T) {
	guesses := setOf(Guesses())
	for word := range setOf(Answers()) {
		if !guesses[word] {
			t.Errorf("%s is an answer and no guess", word)
		}
	}
}

// TestWithheldWords: withheld words can be guessed and are never hidden. The words
// named here must stay withheld, and everyday words must not become so.
func TestWithheldWords(t *testing.T) {
	withheld, guesses, answers := setOf(Withheld()), setOf(Guesses()), setOf(Answers())
	for word := range withheld {
		if !guesses[word] || answers[word] {
			t.Errorf("%s is withheld: as a guess %t, as an answer %t; want true, false", word, guesses[word], answers[word])
		}
	}
	for _, test := range []struct {
		why, words string
		want       bool
	}{
		{"read as a slur", "haole cholo chola bakra smous hajji hadji hajis spook", true},
		{"homophobic", "cissy sissy pouff dikes diked diker", true},
		{"sexual", "pimps bawds bonks boffs sexts nudie busty tarty spunk", true},
		{"swearing and insults", "fubar effed fecks merde wussy", true},
		{"violence and hate", "nonce slave lynch", true},
		{"everyday words", "house trees water", false},
		{"good guesses", "raise salet slate trace", false},
		{"unpleasant to find", "drown idiot tumor vomit", false},
	} {
		for word := range strings.FieldsSeq(test.words) {
			if withheld[word] != test.want {
				t.Errorf("%s: %s withheld: got %t, want %t", test.why, word, withheld[word], test.want)
			}
		}
	}
}

// TestBlockedWords reads the lists themselves, so that it does not depend on
// the program that leaves the blocked words out.
func TestBlockedWords(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("generate", "blocked.txt"))
	if err != nil {
		t.Fatal(err)
	}
	guesses, answers := setOf(Guesses()), setOf(Answers())
	blocked := 0
	for line := range strings.Lines(string(text)) {
		word := strings.TrimSpace(line)
		if word == "" || strings.HasPrefix(word, "#") {
			continue
		}
		blocked++
		if guesses[word] || answers[word] {
			t.Errorf("%s is blocked and in a list", word)
		}
	}
	if blocked < 60 {
		t.Errorf("blocked words: got %d, want at least 60", blocked)
	}
}

func TestKnownWords(t *testing.T) {
	guesses, answers := setOf(Guesses()), setOf(Answers())
	for _, test := range []struct {
		why      string
		words    string
		isGuess  bool
		isAnswer bool
	}{
		{"plain words", "apple crane house music slate water world", true, true},
		{"look inflected", "abyss bleed brass breed chaos creed dried focus fried glass greed tried tweed", true, true},
		{"American spelling", "color fiber honor liter meter saber", true, true},
		{"chosen by hand", "biome redux shorn trove", true, true},
		{"plurals", "books cafes flies foxes trees words", true, false},
		{"third person", "cries fixes keeps wants", true, false},
		{"past forms", "asked baked cried maxed upped", true, false},
		{"other inflections", "dying wider using weest", true, false},
		{"other spellings", "fibre litre metre odour sabre", true, false},
		{"crude, insulting or sad", "idiot lynch moron slave vomit", true, false},
		{"names and letters", "china gamma harry omega peter", true, false},
		{"known to few", "aalii cusec xylem zibet", true, false},
		{"accents folded", "blase saute", true, true},
		{"unpleasant to find", "batty chino drown dumpy scalp skeet slain tumor", true, false},
		{"known to too few", "dwelt fusty inure knell licit lucre natty oases radii rebus redid reran riven roust " +
			"scion scree sedge skein slake slunk sprat stoat umber unfed usury vaunt venal whist", true, false},
		{"vulgar", "assed dongs fugly heils leses mammy papes penes perve pommy punce scags whity", false, false},
		{"typed today", "admin botox cyber gouda intro laggy latin merch mixin mochi morph nerfs newbs noobs outro " +
			"queso stans vibed vlogs yeets", true, false},
		{"familiar today", "aunty codec donut droid ebook mafia ramen snuck yikes", true, true},
		{"no words", "aaaaa qwert zzzzz", false, false},
	} {
		t.Run(test.why, func(t *testing.T) {
			for word := range strings.FieldsSeq(test.words) {
				if guesses[word] != test.isGuess {
					t.Errorf("%s as a guess: got %t, want %t", word, guesses[word], test.isGuess)
				}
				if answers[word] != test.isAnswer {
					t.Errorf("%s as an answer: got %t, want %t", word, answers[word], test.isAnswer)
				}
			}
		})
	}
}

// TestCoverage logs how many words of the lists that solvers are commonly
// compared on are in ours. It is for reading only: no word of ours was chosen
// by those lists, and there is no figure to reach.
func TestCoverage(t *testing.T) {
	originals := filepath.Join("..", "..", "..", "..", "shared", "data", "original-lists")
	for _, name := range []string{"answers.txt", "guesses.txt"} {
		text, err := os.ReadFile(filepath.Join(originals, name))
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip("the original lists are not next to the repository")
		}
		if err != nil {
			t.Fatal(err)
		}
		original := setOf(string(text))
		for _, list := range lists {
			ours := setOf(list.text)
			covered := 0
			for word := range original {
				if ours[word] {
					covered++
				}
			}
			t.Logf("our %s have %d of the %d original %s", list.name, covered, len(original), name)
		}
	}
}

func setOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}
