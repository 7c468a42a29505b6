package pokle

import (
	"errors"
	"strings"
	"testing"
)

func TestParseFeedback(t *testing.T) {
	for text, want := range map[string]string{
		"gyeyg":                   "gyeyg",
		"GYEYG":                   "gyeyg",
		"xy.-g":                   "eyeeg",
		"EeXx0":                   "eeeee",
		"bBeEx":                   "eeeee",
		"01210":                   "eygye",
		"⬛🟨🟩⬛🟩":                   "eygeg",
		"⬜🟦🟧⬜🟧":                   "eygeg",
		"⬛️⬜️🟨 🟦\t🟩":              "eeyyg",
		"  e y g e g  ":           "eygeg",
		"b🟨2-🟧":                   "eygeg",
		"\uFE0F⬛\uFE0F\uFE0F⬛⬛⬛⬛": "eeeee",
	} {
		if got, err := ParseFeedback(text); err != nil || got.String() != want {
			t.Errorf("ParseFeedback(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]FeedbackError{
		"":                        {},
		"   ":                     {},
		"gye":                     {Marks: 3},
		"gyegye":                  {Marks: 6},
		"⬛⬛⬛⬛⬛⬛":                  {Marks: 6},
		"gyegq":                   {Unknown: 5},
		"🟥🟨🟩⬛⬛":                   {Unknown: 1},
		"e y 3":                   {Unknown: 3},
		"ey\xffee":                {Unknown: 3},
		strings.Repeat("e", 9000): {Marks: 9000},
	} {
		got, err := ParseFeedback(text)
		var fault *FeedbackError
		if got != 0 || !errors.As(err, &fault) || *fault != want || !errors.Is(err, ErrFeedback) {
			t.Errorf("ParseFeedback(%.20q) = %v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestFeedbackRoundTrip(t *testing.T) {
	for f := range Feedback(Feedbacks) {
		if got, err := ParseFeedback(f.String()); got != f || err != nil {
			t.Errorf("%d is written as %v, which reads as %d, %v", f, f, got, err)
		}
	}
	if AllGreen.String() != "ggggg" {
		t.Errorf("AllGreen is %v", AllGreen)
	}
}

// FuzzParseFeedback: what is read consists of five marks and nothing else, each
// as the table says, and what is written is read as the same.
func FuzzParseFeedback(f *testing.F) {
	for _, seed := range []string{"gyeee", "BYGBB", "gyee", "gyeeee", "gyeez", "", "⬛⬜🟨🟩🟧", "⬛\uFE0F b 0 - .", "01210", "ey\xffee"} {
		f.Add(seed)
	}
	squares := strings.NewReplacer(" ", "", "\uFE0F", "",
		"x", "e", "b", "e", ".", "e", "-", "e", "0", "e", "⬛", "e", "⬜", "e",
		"1", "y", "🟨", "y", "🟦", "y", "2", "g", "🟩", "g", "🟧", "g")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?") // lest bytes become characters when spaces go
		plain := squares.Replace(strings.ToLower(strings.Join(strings.Fields(text), "")))
		got, err := ParseFeedback(text)
		if err == nil && got.String() != plain {
			t.Errorf("ParseFeedback(%q) = %v", text, got)
		}
		if err != nil && (got != 0 || !errors.Is(err, ErrFeedback) || len(plain) == BoardCards && strings.Trim(plain, "gye") == "") {
			t.Errorf("ParseFeedback(%q) = %v, %v", text, got, err)
		}
	})
}
