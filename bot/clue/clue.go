// Package clue judges challenges before other players see them.
package clue

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/TwiN/go-away"
	"golang.org/x/text/unicode/norm"

	"fivefold/game/wordle/dictionary"
)

// The reasons to refuse a clue.
var (
	ErrHurts = errors.New("contains a slur or an obscene word")
	ErrTells = errors.New("clue contains the answer")
	ErrLink  = errors.New("clue contains a link")
)

// Check returns the reason to refuse a challenge, or nil. It sees through disguises: digits, signs and letters that
// look alike, accents, dots or spaces between letters. ErrHurts is about the clue or the answer, the other errors are
// about the clue.
func Check(answer, clue string) error {
	clue = plain(clue)
	words := spelled(clue)
	switch {
	case link.MatchString(clue):
		return ErrLink
	case ofClues().IsProfane(words), ofAnswers().IsProfane(spelled(plain(answer))):
		return ErrHurts
	case detector(nil, strings.ToLower(answer)).IsProfane(words):
		return ErrTells
	}
	return nil
}

// link matches everything that Discord turns into a link: addresses, and invitations without a scheme.
var link = regexp.MustCompile(`://|[\pL\d]\.\pL{2,}/`)

// Whole words are refused with their plurals, parts in any word. Harmless words, most of them also names, are refused
// as an answer only.
var (
	whole = slices.Concat(regexp.MustCompile(`(?m)^[a-z]+$`).FindAllString(dictionary.Withheld()+dictionary.Blocked(), -1), goaway.DefaultProfanities, strings.Fields(`
		abo beaner cameljockey chinaman chinky coolie coon cripple dago darkie fag fatass fenian golliwog gook goy guido gyp
		halfbreed honkie hymie injun jap jewboy junglebunny kaffir kike kyke ladyboy mongoloid negress negroid nip octoroon paddy
		pajeet paki papist piccaninny pickaninny pikey polack poof pooftah poofter redskin shemale shiksa shylock spastic spaz
		spic tard tranny trannies troon wetback wigger wog wop yid zipperhead`))
	parts = strings.Fields(`arsehole asshole biatch bitch blowjob cocksuck cunt dickhead douchebag faggot fggot fuck fucc fvck
		motherf ngger nigga nigger paedophil pedophil porchmonkey raghead rapist retarded sandnig shithead towelhead whore`)
	harmless = strings.Fields(`abo anal anus ass asses ball balls boche boner bonk bonks busty butt butts buxom ching chola cholo cissy
		crap craps cum dick dicks dike diked dikes dong dongs effed fanny fenian flange gayer golly grope gropes guido hebe hoe
		hoes homo horny hymie incest jehad jerk jerks jihad labia lesbos letch limey lynch massa mick muff naked nance nancy
		negro negros nip nipple nipples nips noose nude nudes nudie paddy penes pis pommy ponce poop pros queer sex shylock
		slave slaves smous sodom spook spooks spunk`)

	// These are made at their first use.
	ofAnswers = sync.OnceValue(func() *goaway.ProfanityDetector {
		return detector(goaway.DefaultFalsePositives, slices.Concat(forms(whole), parts)...)
	})
	ofClues = sync.OnceValue(func() *goaway.ProfanityDetector {
		return detector(goaway.DefaultFalsePositives, slices.Concat(slices.DeleteFunc(forms(whole), func(form string) bool {
			return slices.Contains(harmless, strings.Trim(form, first+last))
		}), parts)...)
	})
)

// first and last mark the ends of each word, so that a list can hold whole words and parts of words.
const first, last = "⟨", "⟩"

func forms(words []string) (all []string) {
	for _, w := range words {
		plural := "s"
		if strings.HasSuffix(w, "s") || strings.HasSuffix(w, "h") {
			plural = "es"
		}
		all = append(all, first+w+last, first+w+plural+last)
		if len(w) == 5 { // some words are in the lists only as plurals of five letters
			all = append(all, first+strings.TrimSuffix(w, "s")+last)
		}
	}
	return all
}

func detector(innocent []string, words ...string) *goaway.ProfanityDetector {
	likes := maps.Clone(goaway.DefaultCharacterReplacements)
	for i, r := range []rune("аеорсухіјѕԁɡһоτοαικνρυ689€") {
		likes[r] = []rune("aeopcyxijsdghotoaiknpugbge")[i]
	}
	return goaway.NewProfanityDetector().WithCustomDictionary(words, innocent, nil).WithCustomCharacterReplacements(likes)
}

// plain returns the text with signs replaced by the letters they stand for, and without invisible characters.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case '🇦' <= r && r <= '🇿':
			return 'a' + r - '🇦'
		}
		return r
	}, norm.NFKC.String(text))
}

// spelled returns the words of a text, each between first and last. The text is split twice: at spaces, and at all
// characters but letters and digits. Single letters in a row become one word.
func spelled(text string) string {
	var b strings.Builder
	for _, words := range [][]string{
		strings.Fields(text),
		strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) }),
	} {
		alone := false
		for _, w := range words {
			w = strings.TrimFunc(w, unicode.IsPunct)
			single := len([]rune(w)) <= 1
			if !(alone && single) {
				b.WriteString(last + first)
			}
			b.WriteString(w)
			alone = single
		}
	}
	return b.String() + last
}
