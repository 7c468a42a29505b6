package tty

import "testing"

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"a short line\n", 80, "a short line\n"},
		{"\n\n", 80, "\n\n"},
		{"no end", 80, "no end"},
		{"one two three four\nfive\n", 10, "one two\nthree\nfour\nfive\n"},
		{"ten chars!\n", 10, "ten\nchars!\n"}, // the last column stays free
		{"unbreakable word\n", 5, "unbreakable\nword\n"},
		{"\x1b[1mbold\x1b[0m end\n", 10, "\x1b[1mbold\x1b[0m end\n"},
		{"⬛🟨🟩 abc\n", 10, "⬛🟨🟩\nabc\n"},
		{"🥇 12 345\n", 9, "🥇 12\n345\n"}, // a medal takes two columns
		{"🥈 12 345\n", 10, "🥈 12 345\n"},
		{"🥉🥉🥉🥉 1\n", 10, "🥉🥉🥉🥉\n1\n"},
		{"10♥ A♠\n", 7, "10♥ A♠\n"}, // a suit takes one
	} {
		if got := Wrap(c.text, c.width); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
