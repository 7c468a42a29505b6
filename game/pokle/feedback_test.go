package pokle

import "testing"

func TestColours(t *testing.T) {
	for f := range Feedback(Feedbacks) {
		if got, err := ParseFeedback(Colours(f)); got != f || err != nil {
			t.Errorf("%v is written as %s, which reads as %v, %v", f, Colours(f), got, err)
		}
	}
	f, err := ParseFeedback("🟩🟨⬜🟨🟩")
	if err != nil || Colours(f) != "gyeyg" {
		t.Errorf("got %s, %v, want gyeyg", Colours(f), err)
	}
}
