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

// complete completes the end of a line: a command's name, or the value of an option.
func (t *Terminal) complete(ctx context.Context, player game.PlayerID, shown *game.Match, line string) completion {
	var lines, candidates []string
	add := func(completed, candidate string) {
		if !slices.Contains(lines, completed) {
			lines, candidates = append(lines, completed), append(candidates, candidate)
		}
	}
	slash := ""
	if strings.HasPrefix(line, "/") {
		slash = "/"
	}
	commands := t.Bot.Table.Commands
	if h := t.helper(); h != nil && slash == "" {
		for _, choice := range t.helperValues(ctx, h, player, line) {
			add(choice.Value, choice.Name)
		}
		// With its group in front, a command is understood without a slash too.
		commands = slices.DeleteFunc(slices.Clone(commands), func(c bot.Command) bool {
			return !strings.HasPrefix(line, h.group) || !strings.HasPrefix(c.Name+" ", h.group+" ")
		})
	}
	for _, c := range commands {
		name := slash + c.Name
		if strings.HasPrefix(name, line) {
			shownName := name
			if len(c.Options) > 0 {
				name += " "
			}
			add(name, shownName)
		}
		typed, found := strings.CutPrefix(line, slash+c.Name+" ")
		if !found {
			continue
		}
		for _, value := range t.values(ctx, player, shown, c, typed) {
			add(slash+c.Name+" "+value.Value, value.Name)
		}
	}
	if slash == "" && line != "" && t.Games != nil {
		// A guess needs no command.
		for _, f := range t.Faces {
			for _, choice := range t.guesses(ctx, player, shown, f.Commands.Guess, f.Guess.Name, line) {
				if choice.Value != line {
					add(choice.Value, choice.Value)
				}
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

// helperValues returns what a line for help with a puzzle played elsewhere can become: one of
// the helper's words, the value of an option of such a word, or a guess.
func (t *Terminal) helperValues(ctx context.Context, h *helper, player game.PlayerID, line string) []bot.Choice {
	word, rest, found := strings.Cut(line, " ")
	short := h.words[strings.ToLower(word)]
	var all []bot.Choice
	if !found {
		for _, name := range h.names() {
			if strings.HasPrefix(name, strings.ToLower(line)) {
				all = append(all, bot.Choice{Name: name, Value: name})
			}
		}
	}
	for _, c := range t.Bot.Table.Commands {
		switch {
		case found && short == c.Name:
			for _, value := range t.values(ctx, player, nil, c, rest) {
				all = append(all, bot.Choice{Name: value.Name, Value: word + " " + value.Value})
			}
		case line != "" && short == "" && c.Name == h.entry:
			for _, value := range t.values(ctx, player, nil, c, line) {
				if value.Value != line || len(all) == 0 { // after a name, a remark that no guess begins like this is left out
					all = append(all, value)
				}
			}
		}
	}
	return all
}

// values returns what the last word of a command's arguments can become: as each is shown, and
// with all arguments.
func (t *Terminal) values(ctx context.Context, player game.PlayerID, shown *game.Match, c bot.Command, typed string) []bot.Choice {
	before, last := "", typed
	if i := strings.LastIndex(typed, " "); i >= 0 {
		before, last = typed[:i+1], typed[i+1:]
	}
	given := parsed{command: c.Name, args: map[string]string{}}
	if p, err := parse(c.Name+" "+before, t.Bot.Table.Commands); err == nil {
		given = p
	}
	var all []bot.Choice
	for i, o := range c.Options {
		if given.has(o) && !(i == 0 && o.Complete != nil) {
			continue
		}
		values := o.Choices
		if o.Kind == bot.FlagOption {
			values = []string{o.Name}
		}
		for _, value := range values {
			if o.Named {
				value = o.Name + ":" + value
			}
			if strings.HasPrefix(value, last) {
				all = append(all, bot.Choice{Name: value, Value: before + value})
			}
		}
		if i > 0 || o.Complete == nil {
			continue
		}
		// The first option takes everything that was typed.
		for _, choice := range t.guesses(ctx, player, shown, c.Name, o.Name, typed) {
			if choice.Value != typed {
				choice.Name = choice.Value
			}
			all = append(all, choice)
		}
	}
	return all
}

// guesses are the values that a command proposes for an option, for the match that is shown.
func (t *Terminal) guesses(ctx context.Context, player game.PlayerID, shown *game.Match, command, option, typed string) []bot.Choice {
	r := bot.Request{ID: NewRequestID(), Location: Location, Player: player, Command: command, Args: map[string]string{}}
	if shown != nil && shown.Status() == game.Playing && t.Faces.Of(shown.Kind).Commands.Guess == command {
		r.Args["mode"] = face.ModeName(shown.Mode)
	}
	return t.Bot.Complete(ctx, r, option, typed)
}
