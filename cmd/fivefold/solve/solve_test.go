package solve

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// FuzzSolve answers any line, with an answer or with what is wrong with it.
func FuzzSolve(f *testing.F) {
	words := func(name string) wordle.Source {
		return wordle.Source{Name: name, Reader: strings.NewReader("batch\ncatch\nhatch\nlatch\nmatch\npatch\nwatch\n")}
	}
	lists, err := wordle.ReadLists(words("answers"), words("guesses"))
	if err != nil {
		f.Fatal(err)
	}
	a := wordSolver{optimal.New(lists), optimal.Optimal}
	f.Add(`{"guesses":["match"],"feedback":["bgggg"],"hard":"hard","limit":6,"budget_ms":50,"top":3}`)
	f.Add(`{"guesses":[],"limit":0}`)
	f.Add(`[null]`)
	f.Fuzz(func(t *testing.T, text string) {
		switch reply, err := a.answer(context.Background(), []byte(text)); reply := reply.(type) {
		case nil:
			if err == nil || err.Error() == "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v", text, err)
			}
		case answer:
			if reply.Remaining < 1 || reply.Word == "" || len(reply.Suggestions) == 0 {
				t.Errorf("%q: %+v", text, reply)
			}
			if _, err := json.Marshal(reply); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

// TestQuestions asks what is not to be answered, and what the search takes by default.
func TestQuestions(t *testing.T) {
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	a := wordSolver{optimal.New(lists), optimal.Optimal}
	for text, want := range map[string]string{
		`{"gueses":[]}`: `this is not a question: json: unknown field "gueses"`,
		`{"top":1} {}`:  "this is not a question: something follows the object",
		`{"guesses":["slatee"],"feedback":["bbbbb"]}`: `guess 1: "slatee": not five letters`,
	} {
		if reply, err := a.answer(t.Context(), []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %+v, %v, want %q", text, reply, err, want)
		}
	}
	if got := (question{Hard: marks.Hard}).budget(); got != 10*time.Second {
		t.Errorf("by default a search takes %v", got)
	}
	var out strings.Builder
	if err := serveLines(t.Context(), strings.NewReader("\ufeff{}\n"), &out, a.answer); err != nil || !strings.Contains(out.String(), `"proven":true`) {
		t.Errorf("after a byte-order mark: %q, %v", out.String(), err)
	}
}

// TestBudget asks a question that takes long, with no time for it.
func TestBudget(t *testing.T) {
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	a := wordSolver{optimal.New(lists), optimal.Optimal}
	reply, err := a.answer(t.Context(), []byte(`{"guesses":["fuzzy"],"feedback":["bbbbb"],"budget_ms":0.000001}`))
	if got, ok := reply.(answer); !ok || got.Proven || got.Total != nil || got.Remaining < 1000 {
		t.Errorf("%+v, %v", reply, err)
	}
}
