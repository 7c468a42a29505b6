package wordle

import (
	"errors"
	"strings"
	"testing"
)

func TestParseFeedback(t *testing.T) {
	for text, want := range map[string]string{
		"BYGBG":                   "BYGBG",
		"bygbg":                   "BYGBG",
		"xy.-g":                   "BYBBG",
		"EeXx0":                   "BBBBB",
		"01210":                   "BYGYB",
		"⬛🟨🟩⬛🟩":                   "BYGBG",
		"⬜🟦🟧⬜🟧":                   "BYGBG",
		"⬛️⬜️🟨 🟦\t🟩":              "BBYYG",
		"  b y g b g  ":           "BYGBG",
		"b🟨2-🟧":                   "BYGBG",
		"\uFE0F⬛\uFE0F\uFE0F⬛⬛⬛⬛": "BBBBB",
	} {
		if got, err := ParseFeedback(text); err != nil || got.String() != want {
			t.Errorf("ParseFeedback(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]FeedbackError{
		"":                        {},
		"   ":                     {},
		"byg":                     {Marks: 3},
		"bygbgb":                  {Marks: 6},
		"⬛⬛⬛⬛⬛⬛":                  {Marks: 6},
		"bygbq":                   {Unknown: 5},
		"crane":                   {Unknown: 1},
		"🟥🟨🟩⬛⬛":                   {Unknown: 1},
		"b y 3":                   {Unknown: 3},
		"by\xffbb":                {Unknown: 3},
		strings.Repeat("b", 9000): {Marks: 9000},
	} {
		got, err := ParseFeedback(text)
		var fault *FeedbackError
		if got != 0 || !errors.As(err, &fault) || *fault != want || !errors.Is(err, ErrFeedback) {
			t.Errorf("ParseFeedback(%.20q) = %v, %v, want %+v", text, got, err, want)
		}
	}
}

// FuzzParseFeedback: what is read consists of five marks and nothing else, each
// as the table says, and what is written is read as the same.
func FuzzParseFeedback(f *testing.F) {
	for _, seed := range []string{"BYGBB", "bygbb", "BYGB", "BYGBBB", "BYGBX", "", "⬛⬜🟨🟩🟧", "⬛\uFE0F b 0 - .", "01210", "by\xffbb"} {
		f.Add(seed)
	}
	squares := strings.NewReplacer(" ", "", "\uFE0F", "",
		"x", "b", "e", "b", ".", "b", "-", "b", "0", "b", "⬛", "b", "⬜", "b",
		"1", "y", "🟨", "y", "🟦", "y", "2", "g", "🟩", "g", "🟧", "g")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?") // lest bytes become characters when spaces go
		plain := squares.Replace(strings.ToLower(strings.Join(strings.Fields(text), "")))
		got, err := ParseFeedback(text)
		if err == nil && got.String() != strings.ToUpper(plain) {
			t.Errorf("ParseFeedback(%q) = %v", text, got)
		}
		if err != nil && (got != 0 || !errors.Is(err, ErrFeedback) || len(plain) == Length && strings.Trim(plain, "byg") == "") {
			t.Errorf("ParseFeedback(%q) = %v, %v", text, got, err)
		}
	})
}
