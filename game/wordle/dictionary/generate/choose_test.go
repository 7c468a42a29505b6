package main

import (
	"slices"
	"strings"
	"testing"
)

// small is a scowl of a few words for the tests of the hand-written lists.
var small = wordSet{
	size: map[string]int{
		"apple": 10, "house": 10, "idiot": 20, "tree": 10, "trees": 10, "bree": 80, "breed": 20,
		"fibre": 10, "slurs": 35, "trove": 60, "zibet": 70, "zzzzz": 95,
	},
	usSize: map[string]int{
		"apple": 10, "house": 10, "idiot": 20, "tree": 10, "trees": 10, "bree": 80, "breed": 20,
		"slurs": 35, "trove": 60, "zibet": 70, "zzzzz": 95,
	},
}

func mustParse(t *testing.T, name, words string) handList {
	t.Helper()
	list, err := parseHandList(name, strings.ReplaceAll(words, " ", "\n"), small)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestChoose(t *testing.T) {
	got, err := choose(small, handLists{
		blocked: mustParse(t, "blocked.txt", "slurs"),
		base:    mustParse(t, "base.txt", "breed"),
		unfit:   mustParse(t, "unfit.txt", "idiot"),
		extra:   mustParse(t, "extra.txt", "trove"),

		withheld: mustParse(t, "withheld.txt", "apple fibre"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Fields("apple breed fibre house idiot trees trove zibet"); !slices.Equal(got.guesses, want) {
		t.Errorf("guesses: got %v, want %v", got.guesses, want)
	}
	if want := strings.Fields("breed house trove"); !slices.Equal(got.answers, want) {
		t.Errorf("answers: got %v, want %v", got.answers, want)
	}
	if want := strings.Fields("apple fibre"); !slices.Equal(got.withheld, want) {
		t.Errorf("withheld: got %v, want %v", got.withheld, want)
	}
}

func TestChooseReportsLinesWithoutEffect(t *testing.T) {
	for _, test := range []struct {
		name                                  string
		blocked, base, unfit, extra, withheld string
		want                                  string
	}{
		{name: "base not inflected", base: "apple", want: "base.txt:1: apple: has no effect"},
		{name: "unfit not hidden anyway", unfit: "zibet", want: "unfit.txt:1: zibet: has no effect"},
		{name: "extra hidden anyway", extra: "house", want: "extra.txt:1: house: has no effect"},
		{name: "extra in unfit", unfit: "house", extra: "house", want: "extra.txt:1: house: has no effect"},
		{name: "extra blocked", blocked: "trove", extra: "trove", want: "extra.txt:1: trove: is blocked"},
		{name: "withheld blocked", blocked: "idiot", withheld: "idiot", want: "withheld.txt:1: idiot: is blocked"},
		{name: "unfit withheld", unfit: "idiot", withheld: "idiot", want: "unfit.txt:1: idiot: is in withheld.txt"},
		{name: "extra withheld", extra: "trove", withheld: "trove", want: "extra.txt:1: trove: is in withheld.txt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := choose(small, handLists{
				blocked: mustParse(t, "blocked.txt", test.blocked),
				base:    mustParse(t, "base.txt", test.base),
				unfit:   mustParse(t, "unfit.txt", test.unfit),
				extra:   mustParse(t, "extra.txt", test.extra),

				withheld: mustParse(t, "withheld.txt", test.withheld),
			})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestParseAddedWords(t *testing.T) {
	if _, err := parseHandList(addedName, "qwert\nzzzzz\n", small); err != nil {
		t.Errorf("words that scowl lacks, or has beyond the size for guesses: got %v", err)
	}
	_, err := parseHandList(addedName, "apple\n", small)
	if want := "added.txt:1: apple: already a word of scowl"; err == nil || err.Error() != want {
		t.Errorf("a word of scowl: got %v, want %s", err, want)
	}
}

func TestParseHandListReportsFaults(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"capital", "Apple\n", `x.txt:1: "Apple" is not a word`},
		{"two words", "# fruit\napple house\n", `x.txt:2: "apple house" is not a word`},
		{"space at the end", "apple \n", `x.txt:1: "apple " is not a word`},
		{"twice", "apple\n\n# again\napple\n", "x.txt:4: apple: already in line 1"},
		{"out of order", "house\napple\n", "x.txt:2: apple: comes after house"},
		{"not in scowl", "qwert\n", "x.txt:1: qwert: not a word of scowl"},
		{"beyond the size for guesses", "zzzzz\n", "x.txt:1: zzzzz: not a word of scowl"},
		{"all faults together", "qwert\nApple\n", `x.txt:2: "Apple" is not a word`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseHandList("x.txt", test.text, small)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}
