package main

import (
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

func TestMeanings(t *testing.T) {
	net := wordNet{
		senses: map[string]int{"crane noun": 3, "crane verb": 1, "alive adj": 1, "break verb": 2, "drove noun": 1},
		glosses: map[string]string{ // the first noun is a name
			"crane noun 2": `a machine; "a crane"`, "crane noun 3": "a bird", "crane verb 1": "stretch the neck",
			"alive adj 1": "living", "break verb 1": "end", "break verb 2": "fall apart", "drove noun 1": "a herd",
		},
		counts: map[string]int{"crane noun 1": 9, "crane verb 1": 2, "break verb 1": 3},
	}
	words := []string{"alive", "broke", "crane", "drove", "zilch"}
	choices := "# A list\n\nbroke past tense of break verb 2\nzilch: nothing at all\n"
	for _, test := range []struct{ choices, want string }{
		{choices, "living|past tense of “break”: fall apart|stretch the neck|a herd|nothing at all"},
		{choices + "crane noun 3\n", "living|past tense of “break”: fall apart|a bird|a herd|nothing at all"},
	} {
		got, err := meanings(net, words, test.choices)
		if err != nil || strings.Join(got, "|") != test.want {
			t.Errorf("got %q, %v; want %q", got, err, test.want)
		}
	}
	for _, test := range []struct{ name, choices, want string }{
		{"no meaning", "broke: without money\n", `zilch: WordNet has no "zilch"`},
		{"no such sense", "crane noun 4\n", `crane: WordNet has no "crane noun 4"`},
		{"a name", "crane noun 1\n", `crane: WordNet has no "crane noun 1"`},
		{"no meaning, and no such sense", "zilch noun 2\n", `zilch: WordNet has no "zilch noun 2"`},
		{"no sense", "crane bird\n", `crane: WordNet has no "crane bird"`},
		{"no effect", "crane verb 1\n", "crane: this is the meaning anyway"},
		{"not hidden", "brake: slow down\n", "brake is not hidden"},
		{"too long", "zilch: " + strings.Repeat("x", 94) + "\n", "zilch: 101 characters are too many"},
	} {
		if _, err := meanings(net, words, test.choices); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want %q", test.name, err, test.want)
		}
	}
}
