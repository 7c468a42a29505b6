package interaction

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/game"
)

// Result is a reply and its picture.
type Result struct {
	Reply   bot.Reply
	Picture *Picture // nil for none
}

// Render returns the message that shows a reply to the interaction with the id. It leaves out buttons that Discord would
// refuse, and logs them without what players typed.
func (d *Deliverer) Render(id string, r Result) Message {
	m, err := renderMessage(r, d.Names)
	if err != nil {
		d.Log.Error("could not show part of a reply", "id", id, "error", err)
	}
	return m
}

// renderMessage returns the message, and an error that lists the buttons left out. If the emojis of our own, of some 25
// characters each, make the text too long, tiles become squares.
func renderMessage(r Result, names *Names) (Message, error) {
	if r.Picture == nil {
		r.Reply = r.Reply.WithoutPicture()
	}
	l := newLayout(r, names)
	if units(l.text.String()) > maxText && r.Reply.Look.Shapes == bot.TileShapes {
		r.Reply.Look.Shapes = bot.SquareShapes
		l = newLayout(r, names)
	}
	m := newMessage(l.all)
	if r.Reply.Audience != bot.Everyone {
		m.Flags |= FlagEphemeral
	}
	m.AllowedMentions.Users, m.AllowedMentions.Roles = r.Reply.Pings.Players, r.Reply.Pings.Roles
	if r.Reply.Picture() != nil {
		m.Picture = r.Picture
		m.plain = func() []any {
			plain, _ := renderMessage(Result{Reply: r.Reply}, names) // its faults were logged
			return plain.Components
		}
		m = m.uploading()
	}
	return m, errors.Join(l.faults...)
}

// layout makes the components of a reply.
type layout struct {
	writer
	all    []any
	lines  []bot.Block     // the next text display's
	text   strings.Builder // all that the text displays have
	taken  map[string]bool // custom_ids
	faults []error
}

// accents are the colours of a container's edge.
var accents = map[bot.Tone]int{bot.Happy: 0x23A55A, bot.Sad: 0x8F6A6A, bot.News: 0xF0B232}

// newLayout lays out a reply: in a container under its heading or, without a heading, as it is.
func newLayout(r Result, names *Names) *layout {
	reply := r.Reply
	known := reply.Names.Of(func(p game.PlayerID) bool { return !slices.Contains(reply.Pings.Players, p) })
	l := &layout{writer: writer{reply.Look, names, known}, taken: map[string]bool{}}
	var top string
	if reply.Heading.Text != nil {
		top = "### " + l.spans(reply.Heading) + "\n"
		if reply.Subtext.Text != nil {
			top += "-# " + l.spans(reply.Subtext) + "\n"
		}
	}
	for _, block := range reply.Blocks {
		switch block.(type) {
		case bot.Line, *bot.Keyboard:
			l.lines = append(l.lines, block)
			continue
		}
		top = l.flush(top)
		switch b := block.(type) {
		case *bot.Picture:
			if !r.Picture.drawn() {
				l.all = append(l.all, component{Type: typeFile, File: &address{URL: "attachment://" + r.Picture.Name}})
				continue
			}
			shown := media{Media: address{URL: "attachment://" + r.Picture.Name}, Description: r.Picture.Alt}
			l.all = append(l.all, component{Type: typeGallery, Items: []media{shown}})
		case bot.Beside:
			l.beside(b)
		case bot.Row:
			l.row(b)
		case *bot.Menu:
			l.menu(b)
		}
	}
	l.flush(top)
	if units(l.text.String()) > maxText {
		clipTexts(l.all, maxText-40) // 40 texts may be cut to nothing but "…"
	}
	if reply.Heading.Text != nil {
		l.all = []any{component{Type: typeContainer, AccentColor: accents[reply.Tone], Components: l.all}}
	}
	return l
}

// flush ends a text display, which begins with top. It returns the empty top of the next one.
func (l *layout) flush(top string) string {
	if content := strings.TrimSuffix(top+l.markdown(l.lines), "\n"); content != "" {
		l.all = append(l.all, l.display(content))
	}
	l.lines = nil
	return ""
}

func (l *layout) display(content string) *component {
	l.text.WriteString(content)
	return &component{Type: typeText, Content: content}
}

// beside lays out text beside a button.
func (l *layout) beside(b bot.Beside) {
	text := l.display(l.markdown(bot.Lines(b.Text...)))
	if accessory, ok := l.button(b.Button); ok {
		l.all = append(l.all, component{Type: typeSection, Components: []any{text}, Accessory: &accessory})
	} else {
		l.all = append(l.all, text)
	}
}

func (l *layout) row(buttons bot.Row) {
	row := component{Type: int(discordgo.ActionsRowComponent)}
	for _, b := range buttons {
		if rendered, ok := l.button(b); ok {
			row.Components = append(row.Components, rendered)
		}
	}
	if row.Components != nil {
		l.all = append(l.all, row)
	}
}

func (l *layout) menu(m *bot.Menu) {
	id, ok := l.customID(m.Label, m.Command, m.Args, "#"+m.Option)
	if !ok || m.Of == bot.ChoiceMenu && len(m.Choices) == 0 {
		return
	}
	list := component{Type: int(pickers[m.Of]), CustomID: id, Placeholder: clip(m.Label, maxPlaceholder), Channels: channelTypes[m.Of]}
	for _, c := range m.Choices[:min(len(m.Choices), bot.MaxChoices)] {
		list.Options = append(list.Options, choice{clip(c.Label, maxOption), c.Value, clip(c.Help, maxOption), slices.Contains(m.Chosen, c.Value)})
	}
	if m.Of != bot.ChoiceMenu {
		list.Chosen = game.Each(m.Chosen, func(id string) chosen {
			return chosen{id, map[bool]string{true: "role", false: "channel"}[m.Of == bot.RoleMenu]}
		})
	}
	if m.Most > 0 {
		list.Least, list.Most = &m.Least, m.Most
	}
	l.all = append(l.all, component{Type: int(discordgo.ActionsRowComponent), Components: []any{list}})
}

// button returns a button. Discord refuses a whole message because of one bad button. So a button whose request is too long,
// or the same as another's, is left out and listed in the faults.
func (l *layout) button(b bot.Button) (component, bool) {
	id, ok := fmt.Sprintf("#%d", len(l.taken)), true // a disabled button makes no request, but Discord wants a unique id
	if !b.Disabled {
		id, ok = l.customID(b.Label, b.Command, b.Args, "")
	} else {
		l.taken[id] = true
	}
	c := component{Type: int(discordgo.ButtonComponent), CustomID: id, Style: buttonStyles[b.Style], Disabled: b.Disabled}
	c.Label = clip(b.Label, maxLabel)
	if mark, tile := buttonMarks[b.Style]; tile && l.look.Text {
		c.Label += " " + mark.Colour()
	} else if tile {
		c.Emoji = &emoji{l.look.Square(mark)}
	}
	return c, ok
}

// customID returns an id that ends in tail, and reports whether Discord takes it.
func (l *layout) customID(label, command string, args map[string]string, tail string) (string, bool) {
	id, err := CustomID(command, args)
	if id += tail; err == nil && (l.taken[id] || len(id) > bot.MaxButton) {
		err = errors.New("too long, or another one makes the same request")
	}
	if err != nil {
		l.faults = append(l.faults, fmt.Errorf("%q of %q: %w", label, command, err))
	}
	l.taken[id] = true
	return id, err == nil
}

// clipTexts shortens text displays so that they have at most that many units in all.
func clipTexts(all []any, most int) int {
	for _, c := range all {
		switch c := c.(type) {
		case *component:
			c.Content = clip(c.Content, most)
			most -= units(c.Content)
		case component:
			most = clipTexts(c.Components, most)
		}
	}
	return most
}
