package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestDefinition(t *testing.T) {
	for _, test := range []struct{ name, gloss, want string }{
		{"examples", `a fruit; "he ate a fruit; it was ripe"; "fruits"`, "a fruit"},
		{"an example in parentheses", `spread by scattering ("straw" is old); "strew toys"`, "spread by scattering"},
		{"what fits", "lifts things; is a machine; has a hook on a rope", "lifts things; is a machine"},
		{"usage", "(usually followed by `of') having knowledge", "having knowledge"},
		{"quotes and dashes", "more `bad' -- not good", "more “bad”, not good"},
		{"an aside where that is needed", "a part of the body (such as the arm or leg)", "a part of the body"},
		{"a long one", "an animal of the forests of several countries", "an animal of the forests of …"},
		{"a long one with a comma", "an animal of the forests, the swamps and seas", "an animal of the forests …"},
	} {
		if got := definition(test.gloss, 30); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// smallNet is a WordNet of a few words.
func smallNet() wordNet {
	w := wordNet{data: map[string]string{}, senses: map[string][]string{}, counts: map[string]int{}, bases: map[string]string{}}
	add := func(word, part, written, gloss string) {
		if w.data[part] == "" {
			w.data[part] = "licence\n"
		}
		w.senses[word+" "+part] = append(w.senses[word+" "+part], strconv.Itoa(len(w.data[part])))
		w.data[part] += "00000001 06 n 01 " + written + " 0 000 | " + gloss + "  \n"
	}
	add("crane", "noun", "Crane", "a writer")
	add("crane", "noun", "crane", "a machine; \"a crane\"")
	add("crane", "noun", "crane", "a bird")
	add("crane", "verb", "crane", "stretch the neck")
	add("alive", "adj", "alive(p)", "living")
	add("goose", "noun", "goose", "a water bird")
	add("drive", "verb", "drive", "steer a car")
	add("drove", "noun", "drove", "a herd")
	add("break", "verb", "break", "end")
	w.counts = map[string]int{"crane noun 1": 9, "crane verb 1": 2, "drive verb 1": 5, "break verb 1": 3}
	w.bases = map[string]string{"geese noun": "goose", "drove verb": "drive", "broken verb": "break", "crane verb": "drone"}
	return w
}

func TestMeanings(t *testing.T) {
	words := []string{"alive", "crane", "drove", "geese", "zilch"}
	got, err := meanings(smallNet(), words, "# choices\n\nzilch: nothing at all\n")
	want := []string{"living", "stretch the neck", "past tense of “drive”: steer a car", "plural of “goose”: a water bird", "nothing at all"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	got, err = meanings(smallNet(), words, "crane noun 3\ndrove noun 1\ngeese past participle of break verb 1\nzilch: nothing\n")
	want = []string{"living", "a bird", "a herd", "past participle of “break”: end", "nothing"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("with choices: got %q, %v; want %q", got, err, want)
	}
	for _, test := range []struct{ name, choices, want string }{
		{"no meaning", "", "zilch: WordNet does not have it"},
		{"no such sense", "crane noun 4\n", "meanings.txt:1: crane: WordNet has no crane noun 4"},
		{"a name", "crane noun 1\n", "meanings.txt:1: crane: WordNet has no crane noun 1"},
		{"no choice", "crane bird\n", `crane: "bird" is not a choice`},
		{"no effect", "# first\ncrane verb 1\n", "meanings.txt:2: crane means that anyway"},
		{"not hidden", "\nbrake: slow down\n", "meanings.txt:2: brake is not hidden"},
		{"not in order", "zilch: nothing\ncrane noun 2\n", "meanings.txt:2: crane comes after zilch"},
		{"too long", "zilch: " + strings.Repeat("x", 94) + "\n", "zilch: 101 characters are too many"},
	} {
		if _, err := meanings(smallNet(), words, test.choices); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want %q", test.name, err, test.want)
		}
	}
}
