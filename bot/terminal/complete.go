package terminal

import (
	"context"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// completion is how a line can continue.
type completion struct {
	line string // as far as all candidates agree
	// candidates are what to choose from, or one remark if there is nothing to choose;
	// nil if the line is complete.
	candidates []string
}

// beginning is what a line can begin with, and the command that this means.
type beginning struct {
	typed string // nothing for a guess without its command
	bot.Command
	guess bool // nothing but a guess can follow
}

// beginnings are those of a line.
func (t *Terminal) beginnings(line string) []beginning {
	var all []beginning
	slash := line[:len(line)-len(strings.TrimPrefix(line, "/"))]
	h := t.helper()
	if h != nil && slash == "" {
		for _, name := range h.names() {
			c, _ := t.Bot.Table.Find(h.Words[name])
			all = append(all, beginning{name, c, false})
		}
		if word, _, _ := strings.Cut(strings.ToLower(line), " "); line != "" && h.Words[word] == "" {
			c, _ := t.Bot.Table.Find(h.Entry)
			all = append(all, beginning{"", c, false})
		}
	}
	for _, c := range t.Bot.Table.Commands {
		// With its group in front, a command is understood by a helper without a slash too.
		if h == nil || slash != "" || strings.HasPrefix(line, h.Group) && strings.HasPrefix(c.Name+" ", h.Group+" ") {
			all = append(all, beginning{slash + c.Name, c, false})
		}
	}
	if t.Games != nil && slash == "" && line != "" {
		for _, f := range t.Faces {
			c, _ := t.Bot.Table.Find(f.Commands.Guess)
			all = append(all, beginning{"", c, true})
		}
	}
	return all
}

// complete completes the end of a line: a command's name, or the value of an option.
func (t *Terminal) complete(ctx context.Context, player game.PlayerID, shown *game.Match, line string) completion {
	var lines, candidates []string
	add := func(completed, candidate string) {
		if !slices.Contains(lines, completed) {
			lines, candidates = append(lines, completed), append(candidates, candidate)
		}
	}
	h := t.helper()
	for _, b := range t.beginnings(line) {
		before := b.typed
		switch {
		case before == "":
		case h != nil && line == strings.TrimPrefix(line, "/") && !strings.Contains(before, " ") && strings.HasPrefix(before, strings.ToLower(line)):
			add(before, before) // a word of a helper
		case strings.HasPrefix(before, line) && len(b.Options) > 0:
			add(before+" ", before)
		case strings.HasPrefix(before, line):
			add(before, before)
		}
		if before != "" {
			before += " "
		}
		typed, found := strings.CutPrefix(line, before)
		if !found {
			continue
		}
		for _, v := range t.values(ctx, player, shown, b, typed) {
			// Where a name could be meant too, a remark that no guess begins like this is left out.
			if before != "" || v.Value != line || len(lines) == 0 && !b.guess {
				add(before+v.Value, v.Name)
			}
		}
	}
	if len(lines) == 0 {
		return completion{line: line, candidates: []string{"nothing to complete"}}
	}
	common := lines[0]
	for _, s := range lines {
		for !strings.HasPrefix(s, common) {
			common = common[:len(common)-1]
		}
	}
	if !strings.HasPrefix(common, line) {
		common = line
	}
	if len(lines) == 1 && common != line {
		candidates = nil
	}
	return completion{strings.ToValidUTF8(common, ""), candidates}
}

// values returns what the last word of a command's arguments can become: as each is shown, and
// with all arguments.
func (t *Terminal) values(ctx context.Context, player game.PlayerID, shown *game.Match, c beginning, typed string) []bot.Choice {
	last := typed[strings.LastIndex(typed, " ")+1:]
	before := typed[:len(typed)-len(last)]
	given, err := parse(c.Name+" "+before, t.Bot.Table.Commands)
	if err != nil {
		given = parsed{}
	}
	var all []bot.Choice
	for i, o := range c.Options {
		if i == 0 && o.Complete != nil {
			// The first option takes everything that was typed.
			r := bot.Request{ID: NewRequestID(), Location: Location, Player: player, Command: c.Name, Args: map[string]string{}}
			if shown != nil && shown.Status() == game.Playing && t.Faces.Of(shown.Kind).Commands.Guess == c.Name {
				r.Args["mode"] = face.ModeName(shown.Mode)
			}
			for _, choice := range t.Bot.Complete(ctx, r, o.Name, typed) {
				if choice.Value != typed {
					choice.Name = choice.Value
				}
				all = append(all, choice)
			}
		}
		values := o.Choices
		if o.Kind == bot.FlagOption {
			values = []string{o.Name}
		}
		for _, value := range values {
			if o.Named {
				value = o.Name + ":" + value
			}
			if strings.HasPrefix(value, last) && !given.has(o) && !c.guess {
				all = append(all, bot.Choice{Name: value, Value: before + value})
			}
		}
	}
	return all
}
