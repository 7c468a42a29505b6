package settings

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// Handlers carries the command's dependencies. Set the fields before the first call.
type Handlers struct {
	Store Store
	// Refusal says why the daily post of a server doesn't come, and whether it has stopped; Retry begins it again.
	Refusal func(context.Context, game.GuildID) (why bot.Line, stopped bool, err error)
	Retry   func(context.Context, game.GuildID) error
	Faces   face.Faces // the first reads words

	drafts sync.Map // each player's refused words, to be corrected for a while
}

// The arguments of buttons and forms, besides the fields.
const (
	argPage  = "page"
	argForm  = "form"  // asks for a field by a form
	argUndo  = "undo"  // the number of a change
	argFrom  = "from"  // how many later changes a page of the history leaves out
	argRetry = "retry" // begins a stopped daily post again
)

const (
	mostWords  = 200
	mostListed = 9                // changes on a page of the history
	draftKept  = 15 * time.Minute // how long refused words can be corrected
)

// Command returns the command of the settings.
func (h *Handlers) Command() bot.Command {
	return bot.Command{
		Name:       bot.NameSettings,
		Help:       "How games work in this server (for people who can manage it)",
		Options:    []bot.Option{{Name: argPage, Help: "What to set, or what was changed", Choices: []string{pageGames, pageWords, pagePost, pageHistory}}},
		HiddenArgs: append(bot.Each(fields, field.arg), argForm, argUndo, argFrom, argRetry),
		Audience:   bot.Asker,
		NotSaved:   "the settings stay as they are",
		Run:        h.run,
	}
}

func (h *Handlers) run(ctx context.Context, r bot.Request) (bot.Reply, error) {
	guild, page := r.Location.Guild, cmp.Or(r.Args[argPage], pageGames)
	switch {
	case guild == "" || !r.Surface.HasButtons():
		return bot.Reply{}, bot.Decline(bot.Text("A server's settings are set in that server. Your own: ", bot.Slash(bot.NamePreferences), "."))
	case !r.MayManageServer:
		return bot.Reply{}, bot.Decline(bot.Text("Only someone who can manage this server can see and change its settings."))
	}
	now, err := h.Store.Load(ctx, guild)
	if err != nil && !errors.Is(err, game.ErrDamaged) { // the next change replaces a damaged record
		return bot.Reply{}, err
	}
	if name := r.Args[argForm]; name != "" {
		return h.form(r, now, name), nil
	}
	if number, err := strconv.Atoi(r.Args[argUndo]); err == nil {
		now, err = h.Store.Undo(ctx, r, number, func(was, now Settings) error { return check(ctx, r, was, now) })
		if errors.Is(err, ErrUndone) {
			return bot.Reply{}, bot.RefuseWith(err, bot.Ephemeral(bot.Text("That was changed again since, so I can't undo it.")).
				Row(bot.Button{Label: "Show the history", Command: bot.NameSettings, Args: map[string]string{argPage: pageHistory}}))
		} else if err != nil {
			return bot.Reply{}, err
		}
	}
	if r.Args[argRetry] != "" {
		if err := h.Retry(r.Origin().ForCommit(ctx), guild); err != nil {
			return bot.Reply{}, err
		}
	}
	for _, f := range fields {
		if sent, given := r.Args[f.arg()]; given {
			values, err := h.read(r, f, sent)
			if err != nil {
				return bot.Reply{}, err
			}
			now, err = h.Store.Change(ctx, r, func(s *Settings) error {
				was := *s
				f.set(s, values)
				return check(ctx, r, was, *s)
			})
			if err != nil {
				return bot.Reply{}, err
			}
		}
	}
	switch page {
	case pageHistory:
		return h.history(ctx, r, now)
	case pageWords:
		return h.words(now), nil
	}
	return h.page(ctx, r, now, page)
}

// read reads what was sent for a field, and refuses what it can't be.
func (h *Handlers) read(r bot.Request, f field, sent string) ([]string, error) {
	switch f.name {
	case "PostZone":
		zone, err := readZone(sent)
		if refusal, ok := errors.AsType[bot.Refusal](err); ok {
			m := f.menu(Settings{})
			m.Label, m.Choices = "Choose one of these", proposed(sent, time.Now())
			if len(m.Choices) > 0 {
				refusal.Reply = refusal.Add(m)
			}
			return nil, bot.RefuseWith(err, refusal.Row(h.formButton("Type another", f)))
		}
		return []string{zone}, err
	case "Words":
		words, err := h.readWords(sent)
		if refusal, ok := errors.AsType[bot.Refusal](err); ok {
			h.drafts.Store(r.Player, sent)
			time.AfterFunc(draftKept, func() { h.drafts.CompareAndDelete(r.Player, sent) })
			return nil, bot.RefuseWith(err, refusal.Row(h.formButton("Correct it", f)))
		}
		h.drafts.Delete(r.Player)
		return words, err
	}
	values, ok := f.read(sent)
	if !ok {
		return nil, bot.Decline(bot.Text("I don't know that choice any more. Open ", bot.Slash(bot.NameSettings), " again."))
	}
	return values, nil
}

// readWords reads words with spaces or commas between them.
func (h *Handlers) readWords(typed string) (words []string, _ error) {
	for _, word := range strings.FieldsFunc(typed, func(r rune) bool { return strings.ContainsRune(" ,;\n\t", r) }) {
		if _, err := h.Faces[0].Read(word); err != nil {
			return nil, bot.Refuse(err, bot.Text(bot.Quote(word), " isn't a word of five letters, A to Z. Nothing was changed."))
		}
		words = append(words, strings.ToUpper(word))
	}
	slices.Sort(words)
	if words = slices.Compact(words); len(words) > mostWords {
		return nil, bot.Decline(bot.Text(fmt.Sprintf("These are %d words, and a server can have %d. Take some out.", len(words), mostWords)))
	}
	return words, nil
}

// check refuses settings that the server can't have any more, or that it doesn't let me carry out.
func check(ctx context.Context, r bot.Request, was, now Settings) error {
	if now.PostChannel != was.PostChannel && now.PostChannel != "" {
		if r.Context.UserOnly {
			return bot.Decline(bot.Text("I can't post in this server until I've been added to it."))
		}
		if may, err := r.Server.MayPost(ctx, now.PostChannel); err != nil {
			return err
		} else if !may {
			return bot.Decline(bot.Text("I can't post in ", now.PostChannel, ". Give me the permissions ", bot.Bold("View Channel"), " and ", bot.Bold("Send Messages"), " there, then choose it again."))
		}
	}
	for _, role := range []game.RoleID{now.Stoppers, now.PostRole} {
		if role == "" || role == was.Stoppers || role == was.PostRole {
			continue
		}
		if there, err := r.Server.HasRole(ctx, role); err != nil {
			return err
		} else if !there {
			return bot.Decline(bot.Text("That role is gone. Choose another."))
		}
	}
	return nil
}

func (h *Handlers) formButton(label string, f field) bot.Button {
	return bot.Button{Label: label, Command: bot.NameSettings, Args: map[string]string{argPage: f.page, argForm: f.arg()}}
}

// form asks for a field that is typed.
func (h *Handlers) form(r bot.Request, now Settings, name string) bot.Reply {
	i := slices.IndexFunc(fields, func(f field) bool { return f.arg() == name })
	f := fields[max(i, 0)]
	typed := bot.Field{Name: f.arg(), Label: "A large city, or an offset such as UTC+2", Help: "Europe/Berlin", Value: now.PostZone, Required: true, Max: 100}
	if f.name == "Words" {
		typed = bot.Field{Name: f.arg(), Label: "Five letters each, with spaces between", Help: "crane slate", Value: strings.Join(now.Words, " "), Max: 4000}
		if draft, kept := h.drafts.Load(r.Player); kept {
			typed.Value = draft.(string)
		}
	}
	reply := bot.Ephemeral(bot.Text("Press the button to type it.")).Row(h.formButton("Type it", f))
	reply.Form = &bot.Form{Title: f.label, Command: bot.NameSettings, Args: map[string]string{argPage: f.page}, Fields: []bot.Field{typed}}
	return reply
}

// open begins a page, with buttons for all pages.
func open(page string, about string) bot.Reply {
	reply := bot.Reply{InPlace: true, Heading: bot.Text("Settings · " + bot.Capital(page)), Subtext: bot.Text(about)}
	return reply.Row(bot.Each([]string{pageGames, pageWords, pagePost, pageHistory}, func(name string) bot.Button {
		return bot.Button{Label: bot.Capital(name), Command: bot.NameSettings, Args: map[string]string{argPage: name}, Disabled: name == page}
	})...)
}

// page shows the fields of a page.
func (h *Handlers) page(ctx context.Context, r bot.Request, now Settings, page string) (bot.Reply, error) {
	reply := open(page, "Open games don't change.")
	if page == pagePost {
		reply = open(page, "Each day: yesterday's results, and today's puzzles.")
		why, stopped, err := h.Refusal(ctx, r.Location.Guild)
		switch retry := (bot.Button{Label: "Try again", Command: bot.NameSettings, Args: map[string]string{argPage: page, argRetry: "y"}}); {
		case err != nil:
			return reply, err
		case stopped:
			reply = reply.Add(bot.Beside{Text: []bot.Line{why}, Button: retry})
		case why.Text != nil:
			reply = reply.Say(why)
		}
	}
	for _, f := range fields {
		if f.page != page {
			continue
		}
		label := bot.Text(bot.Bold(f.label))
		if f.most == 0 {
			label = label.With(": ", f.say(now))
			if _, err := time.LoadLocation(now.PostZone); err != nil {
				label = label.With(". I don't know this zone any more, so nothing is posted. Change it.")
			}
			reply = reply.Add(bot.Beside{Text: []bot.Line{label}, Button: h.formButton("Change", f)})
			continue
		}
		if role := strings.Join(f.get(&now), ""); f.of == bot.RoleMenu && role != "" {
			there, err := r.Server.HasRole(ctx, game.RoleID(role))
			if err != nil {
				return reply, err
			} else if !there {
				f.get = func(*Settings) []string { return nil } // Discord shows no role that is gone
				label = label.With(". The role that you chose is gone, so this holds: ", bot.Bold(f.none))
			}
		}
		reply = reply.Say(label).Add(f.menu(now))
	}
	return reply, nil
}

// words shows the words that are never used.
func (h *Handlers) words(now Settings) bot.Reply {
	f := fields[slices.IndexFunc(fields, func(f field) bool { return f.page == pageWords })]
	reply := open(pageWords, "Dailies are the same for everyone, so they can have these words.").
		Add(bot.Beside{Text: []bot.Line{bot.Text("I never hide these words here, propose them, or take them for a challenge.")}, Button: h.formButton("Change", f)})
	if len(now.Words) == 0 {
		return reply.Say(bot.Text("There are none."))
	}
	return reply.Say(bot.Text(strings.Join(now.Words, ", ")))
}

// history lists the latest changes, with a button to undo each.
func (h *Handlers) history(ctx context.Context, r bot.Request, now Settings) (bot.Reply, error) {
	all, err := h.Store.Changes(ctx, r.Location.Guild)
	if err != nil && !errors.Is(err, game.ErrDamaged) {
		return bot.Reply{}, err
	}
	reply := open(pageHistory, "The latest changes first.")
	if len(all) == 0 {
		return reply.Say(bot.Text("Nothing was changed yet.")), nil
	}
	from, _ := bot.Number(r.Args[argFrom], 0, len(all)-1)
	page := all[:len(all)-from]
	for _, c := range slices.Backward(page[max(0, len(page)-mostListed):]) {
		by := bot.Text(c.By)
		if c.Name != "" {
			by = bot.Text(bot.Bold(c.Name))
		}
		by = by.With(" ", bot.When(c.At, c.At.Format("2 January 15:04")))
		if c.Undoes > 0 {
			by = by.With(", undoing a change")
		}
		var what []bot.Line
		before, after := c.sides()
		for _, f := range fields {
			if _, changed := c.Fields[f.name]; changed {
				what = append(what, bot.Text(f.label, ": ", f.say(before), " → ", f.say(after)))
			}
		}
		lines := []bot.Line{by, bot.Join(what...)}
		if _, err := c.undo(now); err == nil {
			reply = reply.Add(bot.Beside{Text: lines, Button: bot.Button{Label: "Undo", Command: bot.NameSettings, Args: map[string]string{argPage: pageHistory, argUndo: strconv.Itoa(c.Number)}}})
		} else {
			reply = reply.Say(lines...)
		}
	}
	if more := from + mostListed; more < len(all) {
		reply = reply.Row(bot.Button{Label: "Earlier", Command: bot.NameSettings, Args: map[string]string{argPage: pageHistory, argFrom: strconv.Itoa(more)}})
	}
	return reply, nil
}

// sides returns settings with the changed fields as before and after the change.
func (c Change) sides() (before, after Settings) {
	b, a := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for name, f := range c.Fields {
		b[name], a[name] = f.Before, f.After
	}
	for into, from := range map[*Settings]any{&before: b, &after: a} {
		data, _ := json.Marshal(from) // it was JSON when it was stored
		_ = json.Unmarshal(data, into)
	}
	return before, after
}
