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

// Reply is what a player sees, for any front to show.
type Reply struct {
	// Audience is Everyone or Asker. A front that cannot show a reply to one player alone shows it to everyone.
	Audience Audience
	Lines    []Line
	// Buttons are rows of buttons under the lines, at most 5 rows of 5. No two enabled ones make the same request. A
	// front without buttons leaves them out: whatever they do can be typed too, see [Line.Typed].
	Buttons [][]Button
	// InPlace replies take the place of the message whose button was pressed. Without a press it is ignored, and an
	// ephemeral reply never takes the place of a message that everybody sees.
	InPlace bool
	// Form is shown instead of all else, nil for none. A front without forms, and
	// one that is too late for a form, shows the lines and buttons.
	Form    *Form
	Picture *Picture // shown under the lines, nil for none
	// Reveal asks for the same reply with [ArgOpen]; nil for none. A look that has everything read out has this button
	// instead of the spoilers.
	Reveal *Button
	// Look is how the tiles and the picture are drawn; [Bot.Handle] sets it. It is the
	// standard one unless the reply is for the asker alone.
	Look Look
	// Board says which match the reply shows, nil for none. A front that keeps one message
	// for each match edits that message: see [Request.LiveBoard].
	Board   *Board
	Problem Problem // why the request was not carried out, if its content was not the reason
}

// Audience is who sees a reply.
type Audience uint8

// The audiences. A reply is for everyone or for the asker; a command may leave that undecided.
const (
	Everyone  Audience = iota // in the channel
	Asker                     // the player who asked, alone: ephemeral, on Discord
	Undecided                 // known only once the reply is there
)

// Picture is what a front that can show pictures shows with the lines. Lines with the
// same content are [Line].Pictured, and are shown only without the picture.
type Picture struct {
	Name string // of the file, such as "table.png"
	Alt  string // what it shows in words, 1 to 1024 characters
	// Draw returns it as PNG, in these colours. It must return soon after ctx ends. It may
	// be called in another goroutine than the one that made the reply, once or never.
	Draw func(ctx context.Context, c Colours) ([]byte, error)
}

// Board is what a front needs to keep one message for the match that a reply shows.
type Board struct {
	Match    game.MatchID
	Slot     game.Slot     // under which the front keeps its message
	Location game.Location // where it was started
	// Version is that of the match as it is shown. A front never replaces a later version by an earlier one.
	Version   uint64
	Changed   time.Time // when the match has changed last, by the clock of the process that has changed it
	Past      bool      // a later match is the one of its place by now
	Otherwise *Reply    // said to the asker alone if the front's message shows that version already; nil for nothing
	Event     Line      // the latest move of the match in one line; empty before the first
	Acted     bool      // this request did that: those who do not see the message change are told
	// End says in one line how the match ended, without what players wrote about it, for a channel whose message was
	// deleted; empty for nothing.
	End Line
	// Later returns the present reply for everyone if its version is later than the given one. It is for a front that is not
	// the only one to change the match.
	Later func(ctx context.Context, than uint64) (reply Reply, later bool, err error)
}

// Show shows a board that has changed without a request. It calls read once, waits for nothing, and shows only a reply
// that is for everyone.
type Show func(read func(context.Context) (Reply, error))

// Problem is why a request was not carried out although nothing is wrong with it.
type Problem uint8

const (
	NoProblem Problem = iota
	Failed            // an error on our side
	TooBusy           // too much is asked for at once
	TooLate           // the request has expired
)

// Line is one line of a reply: a row of tiles, or text.
type Line struct {
	Tiles []Tile // drawn with marks; see also [Line.TileText]
	// Wide means that its tiles have up to [WideTile] characters each: they are written with
	// spaces between them, and their black is grey.
	Wide     bool
	Text     []Span
	Pictured bool // the reply's picture shows this line too: the line is left out with the picture
	// Typed lines say how to type what a button of the reply does. A front that shows the buttons leaves them out.
	Typed bool
}

// Tile is one square of a board.
type Tile struct {
	Text  string // one letter, or a card such as "10♥"
	Mark  marks.Mark
	Apart bool // after a gap, as the turn is after the flop
	Ink   Ink  // of a text that has a colour of its own
}

// WideTile is how many characters a tile of a wide line can have.
const WideTile = 3

// Ink is what the text of a tile is printed in, on white, where a front can.
type Ink uint8

// The inks. The zero value leaves that to the mark.
const (
	NoInk Ink = iota
	GreenInk
	BlueInk
	RedInk
	BlackInk
)

// Span is a run of text in one style. Make a command with [Slash].
type Span struct {
	Style Style
	Text  string    // of a command, how it is typed in a line: "/wordle start solo"
	At    time.Time // of a time
	// Command is a command's name in the [Table], and Args are its arguments, for fronts in
	// which commands are not typed as a line.
	Command string
	Args    []Arg
	Label   string // of the button that fronts with buttons have instead; empty for none
}

// Arg is an argument of a command that a text names.
type Arg struct{ Option, Value string }

// Style is what a span means; fronts decide how that looks.
type Style uint8

const (
	StylePlain   Style = iota
	StyleBold          // what matters most in its line
	StyleSpoiler       // hidden until asked for, where a front can
	StyleMono          // in a fixed pitch, spaces kept; fills whole lines
	StylePlayer        // the text is a game.PlayerID; shown as the name, without a ping
	StyleChannel       // the text is a game.ChannelID; shown as its name, which leads there
	StyleCommand       // a command that the reader can use
	StyleEmoji         // an emoji with a space, before the words for it: left out where emojis are not wanted
	StyleTime          // a moment: how long ago or ahead it is, where a front keeps that up to date, or else the text
)

// TileText returns the texts of the tiles: narrow ones as one word, wide ones with spaces
// between them, and a bar before one that is apart, such as "2♣ 3♦ 10♥ | 4♠ | K♠".
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

// String returns the reply without styles, for tests and logs of failures.
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

// Text makes a line of strings, spans, lines, players and channels. It panics on anything else.
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
			if p == "" { // whoever it was has cleared their history
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

// With returns the line with more text at its end, of parts as in [Text].
func (l Line) With(parts ...any) Line {
	l.Text = append(slices.Clip(l.Text), Text(parts...).Text...)
	return l
}

// AsTyped returns the line as one that only fronts without buttons show, see [Line.Typed].
func (l Line) AsTyped() Line {
	l.Typed = true
	return l
}

// Bold is text that matters most in its line.
func Bold(text string) Span { return Span{Style: StyleBold, Text: text} }

// Spoiler is text that stays hidden until the reader asks for it.
func Spoiler(text string) Span { return Span{Style: StyleSpoiler, Text: text} }

// ArgOpen is the argument of a button that shows its command's reply without spoilers.
const ArgOpen = "open"

// RevealButton is for [Reply.Reveal]: it makes the same request as another one, and opens the spoilers.
func RevealButton(command string, args map[string]string) *Button {
	args[ArgOpen] = "y"
	return &Button{Label: "Show the word", Command: command, Args: args}
}

// spoilers returns the reply with each spoiler replaced, and whether there was one.
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

// When is a moment. A front that can't keep the time until then up to date shows the text.
func When(at time.Time, text string) Span { return Span{Style: StyleTime, Text: text, At: at} }

// Slash names a command that the reader can use. The arguments are options and values in
// turn, in the order of the command's options and with none left out between them:
//
//	Slash("wordle start", "mode", "solo")  // /wordle start solo, or /wordle start mode:solo
//	Slash("review clear", "sure", "true")  // a flag: /review clear sure, or … sure:True
//	Slash("guess", "word", "")             // whatever the reader chooses: /guess word, or /guess
//
// The first form is typed in a line, the second one is Discord's.
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

// On returns a command that a front with buttons calls by the label of its button.
func (s Span) On(label string) Span {
	s.Label = label
	return s
}

// Mono is a line in a fixed pitch.
func Mono(text string) Line { return Text(Span{Style: StyleMono, Text: text}) }

// Ephemeral is a reply that only the asker sees.
func Ephemeral(lines ...Line) Reply { return Reply{Audience: Asker, Lines: lines} }

// ShownBelow replaces an ephemeral deferred response if the reply is for everyone after all, in a message of its own.
func ShownBelow() Reply {
	return Ephemeral(Text("The answer is below, where everyone can see it."))
}

// Row returns the reply with a row of buttons.
func (r Reply) Row(row ...Button) Reply {
	r.Buttons = append(r.Buttons, row)
	return r
}

// Plural returns "1 word", "2 words", "2 guesses": a number and a noun whose plural ends in s.
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Enumerate lists at least one item as a sentence does: "1, 2 and 3", where the word is "and".
func Enumerate(items []string, word string) string {
	last := len(items) - 1
	if last == 0 {
		return items[0]
	}
	return strings.Join(items[:last], ", ") + " " + word + " " + items[last]
}

// Each returns what f makes of each item.
func Each[T, U any](items []T, f func(T) U) (all []U) {
	for _, item := range items {
		all = append(all, f(item))
	}
	return all
}

// List returns the line with items at its end, as [Enumerate] lists them; without a word there are commas alone. The items
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

// Capital returns a text that begins with an ASCII letter with a capital one.
func Capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// Figure writes a number with two decimals, without zeros at the end: "2", "2.5", "3.42".
func Figure(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }

// Percent writes a fraction, 0 to 1, as "42%".
func Percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// Channels is where a bot posts replies that no request asked for. It is safe for concurrent use.
type Channels interface {
	// Post posts a reply in a channel, for everyone. For two minutes, posting again with the same nonce, of at most 25
	// characters, posts nothing more. After an error that is not Refused the reply may have been posted.
	Post(ctx context.Context, in game.ChannelID, r Reply, nonce string) error
}

// Refused is the error of a post that a channel does not take, such as a locked thread or one that is gone: why, in
// Discord's words.
type Refused string

func (r Refused) Error() string { return "refused: " + string(r) }
