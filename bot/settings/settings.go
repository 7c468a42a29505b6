package settings

import (
	"cmp"
	"context"
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
	// Refusal says why the daily post of a server doesn't come. It is empty if Discord takes it.
	Refusal func(context.Context, game.GuildID) (bot.Line, error)
	Faces   face.Faces // the first reads words

	drafts sync.Map // each player's refused words, to be corrected
}

// The arguments of buttons, besides the fields.
const (
	argPage = "page"
	argForm = "form" // asks for a field by a form
	argUndo = "undo" // the number of a change
	argFrom = "from" // how many later changes a page of the history leaves out
)

const (
	mostWords  = 200
	mostListed = 9 // changes on a page
)

// Command returns the command of the settings.
func (h *Handlers) Command() bot.Command {
	return bot.Command{
		Name:       bot.NameSettings,
		Help:       "How games work in this server (for people who can manage it)",
		Options:    []bot.Option{{Name: argPage, Help: "What to set, or what was changed", Choices: pages}},
		HiddenArgs: append(bot.Each(fields, func(f field) string { return f.arg }), argForm, argUndo, argFrom),
		Audience:   bot.Asker,
		NotSaved:   "the settings stay as they are",
		Run:        h.run,
	}
}

func (h *Handlers) run(ctx context.Context, r bot.Request) (bot.Reply, error) {
	guild := r.Location.Guild
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
	set := map[string][]string{}
	for _, f := range fields {
		if r.Args[argForm] == f.arg {
			return h.form(r, f, now), nil
		}
		if sent, given := r.Args[f.arg]; given {
			if set[f.arg], err = h.read(r, f, sent); err != nil {
				return bot.Reply{}, err
			}
		}
	}
	undoes, _ := strconv.Atoi(r.Args[argUndo])
	if len(set) > 0 || undoes > 0 {
		now, err = h.Store.Change(ctx, r, undoes, func(was Settings, now *Settings) error {
			for _, f := range fields {
				if values, given := set[f.arg]; given {
					f.set(now, values)
				}
			}
			return check(ctx, r, was, *now)
		})
		if errors.Is(err, errUndone) {
			return bot.Reply{}, bot.RefuseWith(err, bot.Ephemeral(bot.Text("That was changed again since, so I can't undo it.")).Row(button("Show the history", pageHistory)))
		} else if err != nil {
			return bot.Reply{}, err
		}
	}
	if page := cmp.Or(r.Args[argPage], pageGames); page != pageHistory {
		return h.page(ctx, r, now, page)
	}
	return h.history(ctx, r, now)
}

// read reads what was sent for a field, and refuses what it can't be.
func (h *Handlers) read(r bot.Request, f field, sent string) (values []string, err error) {
	again := button("Correct it", f.page, argForm, f.arg)
	switch {
	case f.page == pageWords:
		values, err = h.readWords(sent)
		if h.drafts.Store(r.Player, sent); err == nil {
			h.drafts.Delete(r.Player)
		}
	case f.most == 0:
		zone, bad := readZone(sent)
		values, err = []string{zone}, bad
	default:
		values = strings.FieldsFunc(sent, func(r rune) bool { return r == ',' })
		known := func(v string) bool {
			return slices.ContainsFunc(f.choices, func(c bot.MenuChoice) bool { return c.Value == v })
		}
		if len(values) > f.most || f.of == bot.ChoiceMenu && (len(values) != 1 || !known(values[0])) {
			err, again = bot.Decline(bot.Text("I don't know that choice.")), button("Show the settings", f.page)
		}
	}
	refusal, refused := errors.AsType[bot.Refusal](err)
	if !refused {
		return values, err
	}
	if f.arg == "zone" {
		m := f.menu(Settings{})
		m.Label, m.Most, m.Choices = "Choose one of these", 1, proposed(sent, h.Store.Now())
		refusal.Reply = refusal.Add(m)
	}
	return nil, bot.RefuseWith(err, refusal.Row(again))
}

// readWords reads words with spaces or commas between them.
func (h *Handlers) readWords(typed string) (words []string, _ error) {
	for _, word := range strings.FieldsFunc(strings.ToUpper(typed), func(r rune) bool { return strings.ContainsRune(" ,;\n", r) }) {
		if _, err := h.Faces[0].Read(word); err != nil {
			return nil, bot.Refuse(err, bot.Text(bot.Quote(word), " isn't a word of five letters, A to Z. Nothing was changed."))
		}
		words = append(words, word)
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
	for _, role := range [][2]game.RoleID{{was.Stoppers, now.Stoppers}, {was.PostRole, now.PostRole}} {
		if role[1] == "" || role[1] == role[0] {
			continue
		}
		if there, err := r.Server.HasRole(ctx, role[1]); err != nil {
			return err
		} else if !there {
			return bot.Decline(bot.Text("That role is gone. Choose another."))
		}
	}
	return nil
}

// button is a button of a page, with more arguments in pairs.
func button(label, page string, more ...string) bot.Button {
	b := bot.Button{Label: label, Command: bot.NameSettings, Args: map[string]string{argPage: page}}
	for pair := range slices.Chunk(more, 2) {
		b.Args[pair[0]] = pair[1]
	}
	return b
}

// form asks for a field that is typed.
func (h *Handlers) form(r bot.Request, f field, now Settings) bot.Reply {
	typed := bot.Field{Name: f.arg, Label: "A large city, or an offset such as UTC+2", Help: "Europe/Berlin", Value: now.PostZone, Required: true, Max: 100}
	if f.page == pageWords {
		typed = bot.Field{Name: f.arg, Label: "Five letters each, with spaces between", Help: "crane slate", Value: strings.Join(now.Words, " "), Max: 4000}
		if draft, kept := h.drafts.LoadAndDelete(r.Player); kept {
			typed.Value = draft.(string)
		}
	}
	reply := bot.Ephemeral(bot.Text("Press the button to type it.")).Row(button("Type it", f.page, argForm, f.arg))
	reply.Form = &bot.Form{Title: f.label, Command: bot.NameSettings, Args: map[string]string{argPage: f.page}, Fields: []bot.Field{typed}}
	return reply
}

// abouts are what is said below the headings of pages.
var abouts = map[string]string{
	pageGames:   "Rules for games in this server.",
	pageWords:   "Never hidden, proposed or taken for a challenge. Dailies are the same for all, so they can have them.",
	pagePost:    "Each day: yesterday's results, and today's puzzles.",
	pageHistory: "The latest changes first.",
}

// open begins a page, with buttons for all pages.
func open(page string) bot.Reply {
	reply := bot.Reply{InPlace: true, Heading: bot.Text("Settings · " + bot.Capital(page)), Subtext: bot.Text(abouts[page])}
	return reply.Row(bot.Each(pages, func(name string) bot.Button {
		b := button(bot.Capital(name), name)
		b.Disabled = name == page
		return b
	})...)
}

// page shows the fields of a page.
func (h *Handlers) page(ctx context.Context, r bot.Request, now Settings, page string) (bot.Reply, error) {
	reply := open(page)
	if page == pagePost {
		why, err := h.Refusal(ctx, r.Location.Guild)
		if err != nil {
			return reply, err
		}
		if why.Text != nil {
			reply = reply.Say(why)
		}
	}
	for _, f := range fields {
		label := bot.Text(bot.Bold(f.label))
		switch {
		case f.page != page:
			continue
		case f.most == 0:
			label = label.With(": ", f.say(now))
			if _, err := time.LoadLocation(now.PostZone); page == pagePost && err != nil {
				label = label.With(". I don't know this zone any more, so nothing is posted. Change it.")
			}
			reply = reply.Add(bot.Beside{Text: []bot.Line{label}, Button: button("Change", page, argForm, f.arg)})
			continue
		case f.of == bot.RoleMenu && len(f.get(&now)) > 0:
			there, err := r.Server.HasRole(ctx, game.RoleID(f.get(&now)[0]))
			if err != nil {
				return reply, err
			} else if !there { // Discord can't show it in the menu
				f.get = func(*Settings) []string { return nil }
				label = label.With(". The role that you chose is gone, so this holds: ", bot.Bold(f.none))
			}
		}
		reply = reply.Say(label).Add(f.menu(now))
	}
	if page == pageWords && len(now.Words) > 0 {
		reply = reply.Say(bot.Text(strings.Join(now.Words, ", ")))
	}
	return reply, nil
}

// history lists the latest changes, with a button to undo each.
func (h *Handlers) history(ctx context.Context, r bot.Request, now Settings) (bot.Reply, error) {
	past, err := read[[]Change](h.Store.ServerChanges(ctx, r.Location.Guild))
	if err != nil && !errors.Is(err, game.ErrDamaged) {
		return bot.Reply{}, err
	}
	reply := open(pageHistory)
	if len(past) == 0 {
		return reply.Say(bot.Text("Nothing has been changed yet.")), nil
	}
	from, _ := bot.Number(r.Args[argFrom], 0, len(past)-1)
	last := len(past) - 1 - from
	for i := last; i >= 0 && i > last-mostListed; i-- {
		c, what := past[i], bot.Line{}
		before, after := sides(past, i, now)
		for _, f := range fields {
			if !slices.Equal(f.get(&before), f.get(&after)) {
				what = bot.Join(what, bot.Text(f.label, ": ", f.say(before), " → ", f.say(after)))
			}
		}
		by := bot.Text(c.By).Named(game.Names{c.By: c.Name}).With(" ", bot.When(c.At, c.At.Format("2 January 15:04")))
		if c.Undoes > 0 {
			by = by.With(", undoing a change")
		}
		if undone := now; undo(&undone, past, c.Number) == nil {
			reply = reply.Add(bot.Beside{Text: []bot.Line{by, what}, Button: button("Undo", pageHistory, argUndo, strconv.Itoa(c.Number))})
		} else {
			reply = reply.Say(by, what)
		}
	}
	if last >= mostListed {
		reply = reply.Row(button("Earlier", pageHistory, argFrom, strconv.Itoa(from+mostListed)))
	}
	return reply, nil
}
