package marks

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"BYGBG":         "BYGBG",
		"bygbg":         "BYGBG",
		"xy.-g":         "BYBBG",
		"EeXx0":         "BBBBB",
		"01210":         "BYGYB",
		"⬛🟨🟩⬛🟩":         "BYGBG",
		"⬜🟦🟧⬜🟧":         "BYGBG",
		"⬛️⬜️🟨 🟦\t🟩":    "BBYYG",
		"  b y g b g  ": "BYGBG",
		"b🟨2-🟧":         "BYGBG",
		"yygwg":         "YYGBG",
		"_W🟢🟥⚫":         "BBGBB",
		"🔳🔲🔵🟡🟢":         "BBYYG",
		"◼️◻️⚫🟡🟢":       "BBBYG",

		":green_square::yellow_square: :black_large_square::white_large_square::orange_square:": "GYBBG",
		":Red_square: :green_circle: :white_medium_small_square: by":                            "BGBBY",

		"Green yellow grey GRAY black":     "GYBBB",
		"orange, blue,white,black , green": "GYBBG",
		"\uFE0F⬛\uFE0F\uFE0F⬛⬛⬛⬛":          "BBBBB",
	} {
		if got, err := Parse(text); err != nil || got.String() != want {
			t.Errorf("Parse(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]Error{
		"":                        {},
		"   ":                     {},
		"byg":                     {Marks: 3},
		"bygbgb":                  {Marks: 6},
		"⬛⬛⬛⬛⬛⬛":                  {Marks: 6},
		"bygbq":                   {Unknown: 5},
		"crane":                   {Unknown: 1},
		"green":                   {Marks: 1},
		"grey grey green yellow":  {Marks: 4},
		"grey grey green yellowb": {Unknown: 2},
		"b,y,g,b,b":               {Unknown: 2},
		"🟪🟨🟩⬛⬛":                   {Unknown: 1},
		":purple_square: bbbb":    {Unknown: 1},
		"b y 3":                   {Unknown: 3},
		"by\xffbb":                {Unknown: 3},
		strings.Repeat("b", 9000): {Marks: 9000},
	} {
		got, err := Parse(text)
		var fault *Error
		if got != 0 || !errors.As(err, &fault) || *fault != want || !errors.Is(err, ErrFeedback) {
			t.Errorf("Parse(%.20q) = %v, %v, want %+v", text, got, err, want)
		}
	}
}

// FuzzParse: what is read has five marks, however spaces and case are, and anything else has an error.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"BYGBB", "bygb", "", "⬛⬜🟨🟩🟧", "⬛\uFE0F b 0 - .", "01210", "by\xffbb", "green Grey black, blue yellow", ":green_square: :black_large_square:yyy"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(text)
		if err != nil && (got != 0 || !errors.Is(err, ErrFeedback)) {
			t.Fatalf("Parse(%q) = %v, %v", text, got, err)
		}
		if again, failed := Parse(" " + strings.ToUpper(text) + "\t"); utf8.ValidString(text) && (again != got || (failed == nil) != (err == nil)) {
			t.Errorf("Parse(%q) = %v, %v, and in capitals %v, %v", text, got, err, again, failed)
		}
	})
}

// TestFeedback: every feedback is read as it is written, and differs from one with another mark in that mark.
func TestFeedback(t *testing.T) {
	for f := range Feedback(Feedbacks) {
		if got, err := Parse(f.String()); got != f || err != nil {
			t.Errorf("%d is written as %v, which reads as %d, %v", f, f, got, err)
		}
		for i := range Length {
			for m := Black; m <= Green; m++ {
				want := []byte(f.String())
				want[i] = letters[m]
				if got := f.With(i, m); got.String() != string(want) {
					t.Errorf("%v with %c at %d is %v, want %s", f, letters[m], i, got, want)
				}
			}
		}
	}
}
