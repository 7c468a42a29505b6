// Package shares reads results of the newspaper's puzzle in messages: those that players paste, and the daily summary of the
// newspaper's Discord app.
//
// A pasted result is a line such as "Wordle 1,234 4/6*", with the separator of the player's language
// (github.com/Nincodedo/Ninbot/issues/1003), a star for hard mode, and perhaps rows of squares, which have other colours in
// high contrast (en.wikipedia.org/wiki/Wordle). The app names the players of a score in one line, best first, and sometimes
// fails to mention them (github.com/claabs/discord-wordle-stats). Names are what their players choose:
//
//	**Your group is on a 12 day streak!** 🔥 Here are yesterday's results:
//	👑 3/6: @ana <@1700000000000000001>
//	X/6: @cleo
package shares

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/marks"
)

// Why a message has no results to import.
var (
	ErrNothing = errors.New("no result")
	ErrSquares = errors.New("the squares and the score differ")
	ErrTwice   = errors.New("two different results of a player in a puzzle")
	ErrCut     = errors.New("the summary is not whole, or has something else in it")
)

// OtherGame is the error of a result of another game: its name as the message has it, which is [Ours] for our own.
type OtherGame string

// Ours is the name in results of our games.
const Ours OtherGame = "Fivefold"

func (g OtherGame) Error() string { return "a result of " + string(g) }

var (
	share = regexp.MustCompile(`(?i)(\**)\bwordle\s+` + number + `\s+([1-6x])/6\b((?:\\?\*)*)`)
	head  = regexp.MustCompile(`(?i)your group is on an? \d+ day streak|here are yesterday['’]?s results`)
	score = regexp.MustCompile(`(?i)(?:[👑🏆]\s*)?\b([1-6x])/6:`)
	named = regexp.MustCompile(score.String() + `\s*<?@`)
	games = regexp.MustCompile(`(?i)(?:^|\PL)(fivefold|connections|strands|spelling bee|letter boxed|mini crossword|pips|waffle|contexto|framed|redactle|bandle|` +
		`globle|travle|tradle|cloudle|semantle|sutom|termo|worldle|\pL*rdle)(?:\b[^\n\d]{0,30}\n?[^\n\d]{0,12})?\d`)
)

const number = `#?(\d{1,3}[,.'’٬ ]\d{3}|\d{1,6})`

// Read returns the results in the text of a message. Those of a summary name their players; pasted ones have neither a player
// nor a name. A summary without a number is of the day before it was written, by UTC.
func Read(text string, written time.Time) (results []league.Result, summary bool, err error) {
	text = plain(text)
	pasted := strings.ReplaceAll(text, "_", " ") // Markdown's
	shared := share.FindAllStringSubmatch(pasted, -1)
	var all []league.Result
	if summary = head.MatchString(text) || shared == nil && named.MatchString(text); summary {
		all, err = readSummary(text, game.NewspaperNumber(written.AddDate(0, 0, -1)))
		shared = nil
	}
	after := share.Split(pasted, -1)
	for i, parts := range shared {
		r, failed := readShare(parts, after[i+1])
		all, err = append(all, r), cmp.Or(err, failed)
	}
	seen := map[league.Result]league.Result{}
	for _, r := range all {
		key := league.Result{Player: r.Player, Name: r.Name, Number: r.Number}
		if before, twice := seen[key]; !twice {
			results = append(results, r)
		} else if before != r {
			err = cmp.Or(err, ErrTwice)
		}
		seen[key] = r
	}
	if err == nil && results == nil {
		err = other(text)
	}
	if err != nil {
		return nil, summary, err
	}
	return results, summary, nil
}

// plain returns a text without invisible characters, and with the usual space only.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\r' || unicode.In(c, unicode.Cf, unicode.Variation_Selector):
			return -1
		case unicode.Is(unicode.Zs, c):
			return ' '
		}
		return c
	}, text)
}

// other returns why a text without results has none.
func other(text string) error {
	for _, m := range games.FindAllStringSubmatch(text, -1) {
		if !strings.EqualFold(m[1], "wordle") {
			return OtherGame(m[1])
		}
	}
	return ErrNothing
}

var separators = regexp.MustCompile(`\D`)

// readNumber reads a number with separators. It has so few digits that it is always right.
func readNumber(text string) int {
	n, _ := strconv.Atoi(separators.ReplaceAllString(text, ""))
	return n
}

// readShare reads a pasted result by the parts of its line and what follows. A star ends bold or slanted text if one began it.
func readShare(parts []string, after string) (r league.Result, err error) {
	r.Number, r.Guesses = readNumber(parts[2]), readNumber(parts[3]) // X has no digits
	r.Won, r.Hard = r.Guesses > 0, strings.Count(parts[4], "*") > strings.Count(parts[1], "*")
	rows := readRows(after)
	for i, row := range rows {
		solved := strings.Trim(row, greens) == ""
		if utf8.RuneCountInString(row) != marks.Length || solved != (r.Won && i == r.Guesses-1) || len(rows) != cmp.Or(r.Guesses, league.Attempts) {
			err = ErrSquares
		}
	}
	return r, err
}

const (
	greens  = "🟩🟧"
	squares = greens + "🟨🟦🟡🔵⬛⬜🔳🔲⚫⚪◼◻"
	markup  = " \t\n>|`*_~-#" // of quotes, spoilers, code and small text
)

// readRows returns the first rows of squares in a text, up to the next line without any or to another game.
func readRows(text string) (rows []string) {
	for line := range strings.Lines(text) {
		found := len(rows)
		for field := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune(markup, c) }) {
			if strings.Trim(field, squares) != "" {
				break
			}
			rows = append(rows, field)
		}
		if found == len(rows) && (found > 0 && strings.Trim(line, markup) != "" || games.MatchString(line+"0")) {
			break
		}
	}
	return rows
}

var (
	body   = regexp.MustCompile(`(?is)yesterday['’]?s results:?[*_]*(.*)`)
	titled = regexp.MustCompile(`(?i)wordle\s+(?:no\.?\s*)?` + number)
	begun  = regexp.MustCompile(`(?i)^[👑🏆\s]*(?:[0-9x]/|[0-9x]$|<?@|$)`)
	// A name or mention, the beginning of the next one, and what Markdown escapes.
	mention   = regexp.MustCompile(`^<@!?(\d{1,20})>`)
	following = regexp.MustCompile(`\s<?@`)
	unescape  = regexp.MustCompile(`\\([[:punct:]])`)
)

// readSummary reads the newspaper's app's summary of a puzzle. A number in it goes before the given one.
func readSummary(text string, number int) (results []league.Result, err error) {
	found := body.FindStringSubmatch(text)
	if found == nil || strings.HasSuffix(strings.TrimRight(text, markup), "…") {
		return nil, ErrCut
	}
	if m := titled.FindStringSubmatch(strings.TrimSuffix(text, found[1])); m != nil {
		number = readNumber(m[1])
	}
	worst := 0
	for line := range strings.Lines(strings.TrimSpace(found[1])) {
		line = strings.TrimSpace(line)
		scores, after := score.FindAllStringSubmatch(line, -1), score.Split(line, -1)
		if scores == nil && line != "" && begun.MatchString(line) {
			return nil, ErrCut
		}
		for i, m := range scores {
			players := readPlayers(after[i+1])
			guesses := readNumber(m[1])
			rank := cmp.Or(guesses, league.Attempts+1)
			if players == nil || rank < worst { // a name can look like a score
				return nil, ErrCut
			}
			worst = rank
			for _, r := range players {
				r.Number, r.Guesses, r.Won = number, guesses, guesses > 0
				results = append(results, r)
			}
		}
	}
	if results == nil {
		return nil, ErrCut
	}
	return results, nil
}

// readPlayers reads mentions and names after a score. A name ends where the next one begins. It returns nil for anything else.
func readPlayers(text string) (all []league.Result) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if m := mention.FindStringSubmatch(text); m != nil {
			all, text = append(all, league.Result{Player: game.PlayerID(m[1])}), text[len(m[0]):]
			continue
		}
		end := len(text)
		if next := following.FindStringIndex(text); next != nil {
			end = next[0]
		}
		name, ok := strings.CutPrefix(text[:end], "@")
		if name = strings.TrimSpace(unescape.ReplaceAllString(name, "$1")); !ok || name == "" {
			return nil
		}
		all, text = append(all, league.Result{Name: name}), text[end:]
	}
	return all
}
