package picture

import "testing"

func card() Card {
	return Card{
		Figures: []Figure{{"41", "played"}, {"95 %", "solved"}, {"3.71", "average"}, {"12", "streak"}, {"87", "skill"}},
		Won:     []int{0, 3, 14, 17, 4, 1}, Latest: 4,
	}
}

// TestCard compares cards with reviewed pictures: of many games, and of one that was lost.
func TestCard(t *testing.T) {
	many := card()
	many.Won, many.Figures = []int{1, 107, 10510, 1024, 300, 99}, append(many.Figures[1:], Figure{"12 041", "played"})
	golden(t, "testdata/card.png", card().Draw(false))
	golden(t, "testdata/card-contrast.png", many.Draw(true))
	early := Card{Won: []int{0, 0, 0, 3, 8, 2, 1, 0, 0, 0, 0, 0, 0}, Latest: 5, Figures: many.Figures}
	golden(t, "testdata/card-early.png", early.Draw(false))
	late := Card{Won: []int{7: 1, 8: 4, 9: 9, 10: 14, 12: 2}, Latest: 11, Figures: many.Figures}
	golden(t, "testdata/card-late.png", late.Draw(false))
	golden(t, "testdata/card-lost.png", Card{Won: make([]int, 6), Figures: []Figure{{"1", "played"}, {"0 %", "solved"}}}.Draw(false))
}

func TestCardAlt(t *testing.T) {
	want := "played 41, solved 95 %, average 3.71, streak 12, skill 87. Won in 2: 3, in 3: 14, in 4: 17, in 5: 4, in 6: 1."
	c := card()
	if got := c.Alt(); got != want+" The latest took 4." {
		t.Errorf("got %q", got)
	}
	if c.Latest = 0; c.Alt() != want {
		t.Errorf("got %q", c.Alt())
	}
	if got := (Card{Won: make([]int, 13), Figures: []Figure{{"1", "played"}}}).Alt(); got != "played 1." {
		t.Errorf("without a win: %q", got)
	}
}

func BenchmarkCard(b *testing.B) {
	for b.Loop() {
		card().Draw(false)
	}
}
