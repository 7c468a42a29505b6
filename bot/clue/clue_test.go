package clue

import (
	"errors"
	"testing"
)

// TestCheck: slurs, the answer and links are found in every disguise; names and harmless words pass.
func TestCheck(t *testing.T) {
	for clue, want := range map[string]error{
		"a bird":                   nil,
		"my friend Nancy's bird":   nil,
		"Dick Van Dyke's classic":  ErrHurts, // the surname alone is a slur
		"f4ggot":                   ErrHurts,
		"n.i.g.g.e.r":              ErrHurts,
		"n i g g e r s":            ErrHurts,
		"nigg3r":                   ErrHurts,
		"ＦＡＧＧＯＴ":                   ErrHurts,
		"f\u200baggot":             ErrHurts,
		"fаggоt":                   ErrHurts,
		"fággöt!":                  ErrHurts,
		"🇫🇦🇬🇬🇴🇹":                   ErrHurts,
		"k!ke":                     ErrHurts,
		"you wetbacks":             ErrHurts,
		"retarded":                 ErrHurts,
		"a flame retardant":        nil,
		"a grape, not Scunthorpe":  nil,
		"the therapist":            nil,
		"the pen is mightier":      nil,
		"snowballs in Sussex":      nil,
		"an assembly of analysts":  nil,
		"a cranE":                  ErrTells,
		"two cranes":               ErrTells,
		"it is c.r.a.n.e":          ErrTells,
		"c r a n e":                ErrTells,
		"discord.gg/abc":           ErrLink,
		"dsc.gg/abc":               ErrLink,
		"see https://example.com":  ErrLink,
		"DISCORD．GG/abc":           ErrLink,
		"and/or, i.e. 3.5/4 of it": nil,
		"Mr. T. / Dr. No":          nil,
	} {
		if got := Check("crane", clue); !errors.Is(got, want) {
			t.Errorf("%q: %v, want %v", clue, got, want)
		}
	}
	for answer, want := range map[string]error{"fagot": ErrHurts, "nancy": ErrHurts, "tarty": ErrHurts, "zonky": nil, "ZONKY": nil} {
		if got := Check(answer, "none"); !errors.Is(got, want) {
			t.Errorf("the answer %s: %v, want %v", answer, got, want)
		}
	}
}
