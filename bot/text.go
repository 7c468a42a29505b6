package bot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/game"
)

// Span is a run of text in one style. [Slash] makes the spans of commands.
type Span struct {
	Style Style
	Text  string    // for a command, the line to type: "/wordle start solo"
	At    time.Time // of StyleTime
	// Command is a command's name in the [Table], and Args are its arguments. They are for fronts that don't write a
	// command as a line.
	Command string
	Args    []Arg
	Label   string // of the button for the same command, in fronts with buttons; may be empty
}

// Arg is an argument of a command in a text.
type Arg struct{ Option, Value string }

// Style is the meaning of a span; fronts decide how it looks.
type Style uint8

const (
	StylePlain   Style = iota
	StyleBold          // the most important words of a line
	StyleSpoiler       // hidden until the reader opens it, where a front can hide text
	StyleMono          // in a fixed pitch, with its spaces; fills whole lines
	StylePlayer        // a game.PlayerID; shown as the name, without a ping
	StyleChannel       // a game.ChannelID; shown as the name, with a link to the channel
	StyleRole          // a game.RoleID; shown as the name, without a ping unless it is one of [Reply.Pings]
	StyleCommand       // a command for the reader to use
	StyleEmoji         // an emoji with a space, before the words for it; left out for screen readers
	StyleTime          // a time relative to now, where a front can keep it up to date; otherwise the text
	StyleSmall         // makes a line that it begins small, where a front can; has no text
)

// Text makes a line of strings, spans, lines, players, channels and roles. It panics on other types.
func Text(parts ...any) Line {
	var line Line
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			line.Text = append(line.Text, Span{Text: p})
		case Span:
			line.Text = append(line.Text, p)
		case Line:
			line.Text = append(line.Text, p.Text...)
		case game.PlayerID:
			if p == "" { // the player has deleted their data
				line.Text = append(line.Text, Span{Text: "somebody"})
				continue
			}
			line.Text = append(line.Text, Span{Style: StylePlayer, Text: string(p)})
		case game.ChannelID:
			line.Text = append(line.Text, Span{Style: StyleChannel, Text: string(p)})
		case game.RoleID:
			line.Text = append(line.Text, Span{Style: StyleRole, Text: string(p)})
		default:
			panic(fmt.Sprintf("bot: no text for a %T", p))
		}
	}
	return line
}

// With returns the line with parts added, as in [Text].
func (l Line) With(parts ...any) Line {
	l.Text = append(slices.Clip(l.Text), Text(parts...).Text...)
	return l
}

// Named returns the line with the known names of players in bold.
func (l Line) Named(names game.Names) Line {
	l.Text = Each(l.Text, func(s Span) Span {
		if name := names[game.PlayerID(s.Text)]; s.Style == StylePlayer && name != "" {
			return Bold(name)
		}
		return s
	})
	return l
}

// Bold marks the most important words of a line.
func Bold(text string) Span { return Span{Style: StyleBold, Text: text} }

// Spoiler is text that stays hidden until the reader opens it.
func Spoiler(text string) Span { return Span{Style: StyleSpoiler, Text: text} }

// ArgOpen is the argument of a button that shows a reply without spoilers.
const ArgOpen = "open"

// RevealButton is for [Reply.Reveal]: it repeats a request and opens the spoilers. It adds to args.
func RevealButton(command string, args map[string]string) *Button {
	args[ArgOpen] = "y"
	return &Button{Label: "Show the word", Command: command, Args: args}
}

// Emoji is an emoji with a space after it, before the words for it.
func Emoji(text string) Span { return Span{Style: StyleEmoji, Text: text} }

// When is a point in time. A front that can't keep it up to date shows the text.
func When(at time.Time, text string) Span { return Span{Style: StyleTime, Text: text, At: at} }

// Slash is a command for the reader to use. The arguments are options and their values in turn, in the order of the
// command's options, from the first on without gaps:
//
//	Slash("wordle start", "mode", "solo")  // /wordle start solo, or /wordle start mode:solo
//	Slash("preferences player", "text", "true")  // a flag: /preferences player text, or … text:True
//	Slash("guess", "word", "")             // the reader chooses: /guess word, or /guess
//
// The first form is typed in a terminal, the second in Discord.
func Slash(command string, args ...string) Span {
	s := Span{Style: StyleCommand, Text: "/" + command, Command: command}
	for pair := range slices.Chunk(args, 2) {
		a := Arg{Option: pair[0], Value: pair[1]}
		s.Args = append(s.Args, a)
		if a.Value == "" || a.Value == "true" {
			s.Text += " " + a.Option
		} else {
			s.Text += " " + a.Value
		}
	}
	return s
}

// On returns the command with the label of its button, for fronts with buttons.
func (s Span) On(label string) Span {
	s.Label = label
	return s
}

// Mono is a line in a fixed pitch.
func Mono(text string) Line { return Text(Span{Style: StyleMono, Text: text}) }

// Plural returns a number and a noun with the plural -s or -es: "1 word", "2 words", "2 guesses".
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Each returns the results of f for each item.
func Each[T, U any](items []T, f func(T) U) (all []U) {
	for _, item := range items {
		all = append(all, f(item))
	}
	return all
}

// List returns the line with items added, with a word such as "and" before the last: "1, 2 and 3". Without the word,
// there are commas alone. Items are parts as in [Text].
func List[T any](l Line, items []T, word string) Line {
	for i, item := range items {
		switch {
		case i > 0 && i == len(items)-1 && word != "":
			l = l.With(" " + word + " ")
		case i > 0:
			l = l.With(", ")
		}
		l = l.With(item)
	}
	return l
}

// Small is a line of less importance. The parts are as in [Text].
func Small(parts ...any) Line { return Text(append([]any{Span{Style: StyleSmall}}, parts...)...) }

// Join joins the lines that have text.
func Join(lines ...Line) (all Line) {
	for _, l := range lines {
		if all.Text != nil && l.Text != nil {
			all = all.With(" · ")
		}
		all = all.With(l)
	}
	return all
}

// Capital returns the text with a capital first letter. The first letter must be ASCII.
func Capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// Figure writes a number with at most two decimals: "2", "2.5", "3.42".
func Figure(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }

// Percent writes a fraction, 0 to 1, as "42%".
func Percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }
