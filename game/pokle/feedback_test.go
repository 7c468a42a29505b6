package pokle

import "testing"

func TestColours(t *testing.T) {
	for f := range Feedback(Feedbacks) {
		if got, err := ParseFeedback(WriteFeedback(f)); got != f || err != nil {
			t.Errorf("%v is written as %s, which reads as %v, %v", f, WriteFeedback(f), got, err)
		}
	}
	f, err := ParseFeedback("🟩🟨⬜🟨🟩")
	if err != nil || WriteFeedback(f) != "gyeyg" {
		t.Errorf("got %s, %v, want gyeyg", WriteFeedback(f), err)
	}
}
