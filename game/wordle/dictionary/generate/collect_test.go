package main

import "testing"

// TestSizes checks the number of five-letter words up to each size of scowl
// 2020.12.07-2, counted by other means when the dictionary was designed.
func TestSizes(t *testing.T) {
	needSources(t)
	files, err := readFiles(debianLists, 95)
	if err != nil {
		t.Fatal(err)
	}
	set, err := collect(files)
	if err != nil {
		t.Fatal(err)
	}
	words := set.fiveLetterWords()
	for _, test := range []struct{ size, want int }{
		{35, 3617}, {50, 4675}, {60, 5341}, {70, 6751}, {80, 11491}, {95, 17510},
	} {
		got := 0
		for _, word := range words {
			if set.size[word] <= test.size {
				got++
			}
		}
		if got != test.want {
			t.Errorf("five-letter words up to size %d: got %d, want %d", test.size, got, test.want)
		}
	}
}

func TestCollect(t *testing.T) {
	set, err := collect([]sourceFile{
		{"american-words.20", "american", 20, []byte("fiber\ncafé\nsauté\ncan't\nDutch\nlonger\n")},
		{"british-words.10", "british", 10, []byte("fibre\nsaute\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		word         string
		size, usSize int // 0: not in the set
	}{
		{"fiber", 20, 20}, {"fibre", 10, 0}, {"saute", 10, 20}, {"cafe", 20, 20},
		{"can't", 0, 0}, {"cant", 0, 0}, {"dutch", 0, 0}, {"longer", 0, 0},
	} {
		if got := set.size[test.word]; got != test.size {
			t.Errorf("size of %s: got %d, want %d", test.word, got, test.size)
		}
		if got := set.usSize[test.word]; got != test.usSize {
			t.Errorf("American size of %s: got %d, want %d", test.word, got, test.usSize)
		}
	}
}

func TestCollectFails(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"a letter without a plain one", "gløgg\n"},
		{"Latin-1", "saut\xe9\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := collect([]sourceFile{{"english-words.10", "english", 10, []byte(test.text)}})
			if err == nil {
				t.Errorf("collect %q: got no error", test.text)
			}
		})
	}
}

func TestInflected(t *testing.T) {
	set := wordSet{size: map[string]int{
		"tree": 10, "box": 10, "cry": 10, "bake": 10, "ask": 10, "add": 10, "bras": 50,
	}}
	for _, test := range []struct {
		word string
		want bool
	}{
		{"trees", true}, {"boxes", true}, {"cries", true}, {"baked", true}, {"asked", true},
		{"cried", true}, {"added", true}, {"brass", true},
		{"glass", false}, {"speed", false}, {"baker", false}, {"world", false},
	} {
		if got := set.inflected(test.word); got != test.want {
			t.Errorf("inflected(%q): got %t, want %t", test.word, got, test.want)
		}
	}
}
