package bot

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/game/marks"
)

// Reply is the answer to a player, for any front to show.
type Reply struct {
	// Audience is Everyone or Asker. A front that can't reply to one player alone shows every reply to everyone.
	Audience Audience
	Lines    []Line
	// Buttons are rows of buttons under the lines, at most 5 rows of 5. Enabled buttons make different requests. A
	// front without buttons leaves them out: everything they do can be typed, see [Line.Typed].
	Buttons [][]Button
	// InPlace replies replace the message with the pressed button. It has no effect without a press. An ephemeral reply
	// never replaces a public message.
	InPlace bool
	// Form is shown instead of all else; nil for no form. A front without forms, or too late for one, shows the lines
	// and buttons.
	Form    *Form
	Picture *Picture // shown under the lines; nil for no picture
	// Reveal asks for the same reply with [ArgOpen]; nil for no button. A look in words has this button instead of the
	// spoilers.
	Reveal *Button
	// Look is the style of tiles and picture, set by [Bot.Handle]. It is the standard one unless the reply is for the
	// asker alone.
	Look Look
	// Board identifies the match that the reply shows; nil for no match. A front with one message for each match edits
	// that message: see [Request.LiveBoard].
	Board   *Board
	Problem Problem // why the request was not carried out, if its content was not the reason
}

// Audience says who sees a reply.
type Audience uint8

// The audiences. Undecided is for commands only.
const (
	Everyone  Audience = iota // the whole channel
	Asker                     // the player who asked, alone: ephemeral, on Discord
	Undecided                 // the reply decides
)

// Picture replaces the lines that are [Line].Pictured, in a front that can show pictures.
type Picture struct {
	Name string // of the file, such as "table.png"
	Alt  string // the content in words, 1 to 1024 characters
	// Draw returns the picture as PNG, in these colours. It must return soon after ctx ends. It is called at most once,
	// perhaps in another goroutine than the one that made the reply.
	Draw func(ctx context.Context, c Colours) ([]byte, error)
}

// Board is the match that a reply shows, for a front that keeps one message for it.
type Board struct {
	Match    game.MatchID
	Slot     game.Slot     // the front keeps its message under this key
	Location game.Location // where the match was started
	// Version is the version of the match in the reply. A front never replaces a later version by an earlier one.
	Version   uint64
	Changed   time.Time // the time of the latest change, by the clock of the process that made it
	Past      bool      // the slot already has a later match
	Otherwise *Reply    // replaces the reply, for the asker alone, if the front already shows this version; may be nil
	Event     Line      // the latest move of the match in one line; empty before the first
	Acted     bool      // this request made that move: players who can't see the board change are told
	// End says in one line how the match ended, for a channel whose message was deleted. It has no text written by
	// players, and may be empty.
	End Line
	// Later returns the present reply for everyone if its version is later than the given one. It catches up with
	// changes by other processes.
	Later func(ctx context.Context, than uint64) (reply Reply, later bool, err error)
}

// Show shows a board that has changed without a request. It returns at once, calls read once, and shows only a reply
// for everyone.
type Show func(read func(context.Context) (Reply, error))

// Problem is the reason why a correct request was not carried out.
type Problem uint8

const (
	NoProblem Problem = iota
	Failed            // an error on our side
	TooBusy           // too many requests at once
	TooLate           // the request has expired
)

// Line is one line of a reply: a row of tiles, or text.
type Line struct {
	Tiles []Tile // drawn with marks; see also [Line.TileText]
	// Wide lines have tiles of up to [WideTile] characters. Spaces are written between the tiles, and black is called
	// grey.
	Wide     bool
	Text     []Span
	Pictured bool // the reply's picture shows this line too, and replaces it
	// Typed lines say how to type what a button does. A front with buttons leaves them out.
	Typed bool
}

// Tile is one square of a row.
type Tile struct {
	Text  string // one letter, or a card such as "10♥"
	Mark  marks.Mark
	Apart bool // follows a gap, as the turn follows the flop
	Ink   Ink  // colour of the text
}

// WideTile is the most characters of a tile in a wide line.
const WideTile = 3

// Ink is the colour of a tile's text, on white, where a front has colours.
type Ink uint8

// The inks. NoInk leaves the colour to the mark.
const (
	NoInk Ink = iota
	GreenInk
	BlueInk
	RedInk
	BlackInk
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
	StyleCommand       // a command for the reader to use
	StyleEmoji         // an emoji with a space, before the words for it; left out for screen readers
	StyleTime          // a time relative to now, where a front can keep it up to date; otherwise the text
)

// TileText returns the texts of the tiles: narrow ones as one word, wide ones with spaces between them and a bar before
// each Apart tile, such as "2♣ 3♦ 10♥ | 4♠ | K♠".
func (l Line) TileText() string {
	var b strings.Builder
	for i, t := range l.Tiles {
		switch {
		case t.Apart:
			b.WriteString(" | ")
		case i > 0 && l.Wide:
			b.WriteString(" ")
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// String returns the reply as plain text, for tests and logs.
func (r Reply) String() string {
	var b strings.Builder
	for _, line := range r.Lines {
		b.WriteString(line.TileText())
		for _, s := range line.Text {
			b.WriteString(s.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Text makes a line of strings, spans, lines, players and channels. It panics on other types.
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
			if p == "" { // the player has cleared their history
				line.Text = append(line.Text, Span{Text: "somebody"})
				continue
			}
			line.Text = append(line.Text, Span{Style: StylePlayer, Text: string(p)})
		case game.ChannelID:
			line.Text = append(line.Text, Span{Style: StyleChannel, Text: string(p)})
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

// AsTyped returns the line with Typed set.
func (l Line) AsTyped() Line {
	l.Typed = true
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

// spoilers returns the reply with each spoiler replaced, and reports whether there was one.
func (r Reply) spoilers(instead func(string) Span) (_ Reply, any bool) {
	r.Lines = slices.Clone(r.Lines)
	for i, line := range r.Lines {
		r.Lines[i].Text = Each(line.Text, func(s Span) Span {
			if s.Style == StyleSpoiler {
				s, any = instead(s.Text), true
			}
			return s
		})
	}
	return r, any
}

// Emoji is an emoji with a space after it, before the words for it.
func Emoji(text string) Span { return Span{Style: StyleEmoji, Text: text} }

// When is a point in time. A front that can't keep it up to date shows the text.
func When(at time.Time, text string) Span { return Span{Style: StyleTime, Text: text, At: at} }

// Slash is a command for the reader to use. The arguments are options and their values in turn, in the order of the
// command's options, from the first on without gaps:
//
//	Slash("wordle start", "mode", "solo")  // /wordle start solo, or /wordle start mode:solo
//	Slash("review clear", "sure", "true")  // a flag: /review clear sure, or … sure:True
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

// Ephemeral is a reply that only the asker sees.
func Ephemeral(lines ...Line) Reply { return Reply{Audience: Asker, Lines: lines} }

// ShownBelow replaces an ephemeral deferred response if the reply turns out to be for everyone, in a message of its
// own.
func ShownBelow() Reply {
	return Ephemeral(Text("The answer is below, where everyone can see it."))
}

// Row returns the reply with one more row of buttons.
func (r Reply) Row(row ...Button) Reply {
	r.Buttons = append(r.Buttons, row)
	return r
}

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

// Enumerate lists one or more items, with a word such as "and" before the last: "1, 2 and 3".
func Enumerate(items []string, word string) string {
	last := len(items) - 1
	if last == 0 {
		return items[0]
	}
	return strings.Join(items[:last], ", ") + " " + word + " " + items[last]
}

// Each returns the results of f for each item.
func Each[T, U any](items []T, f func(T) U) (all []U) {
	for _, item := range items {
		all = append(all, f(item))
	}
	return all
}

// List returns the line with items added as [Enumerate] lists them, or with commas alone if the word is empty. Items
// are parts as in [Text].
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

// Capital returns the text with a capital first letter. The first letter must be ASCII.
func Capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// Figure writes a number with at most two decimals: "2", "2.5", "3.42".
func Figure(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }

// Percent writes a fraction, 0 to 1, as "42%".
func Percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// Channels posts replies to channels without a request. It is safe for concurrent use.
type Channels interface {
	// Post posts a reply in a channel, for everyone. A nonce has at most 25 characters. Posting again with the same
	// nonce within two minutes posts nothing. After an error other than Refused, the reply may have been posted.
	Post(ctx context.Context, in game.ChannelID, r Reply, nonce string) error
}

// Refused is the error of a post that a channel refuses, such as a locked thread. Its text is Discord's.
type Refused string

func (r Refused) Error() string { return "refused: " + string(r) }
