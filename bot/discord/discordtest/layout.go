package discordtest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The types of components that the bot may send. The others are refused.
const (
	compRow       = 1
	compButton    = 2
	compMenu      = 3
	compInput     = 4
	compRoles     = 6 // a menu of the server's roles
	compChannels  = 8 // a menu of its channels
	compSection   = 9
	compText      = 10
	compThumbnail = 11
	compGallery   = 12
	compFile      = 13
	compSeparator = 14
	compContainer = 17
	compLabel     = 18

	// Places that are not in the components of a component:
	atTop       = -1 // of a message
	atTopOfForm = -2
	asAccessory = -3
	inLabel     = -4
)

// within says which types of components may be where: in a component of a type, or in a place.
var within = map[int][]int{
	atTop:         {compRow, compSection, compText, compGallery, compFile, compSeparator, compContainer},
	atTopOfForm:   {compText, compLabel},
	compContainer: {compRow, compSection, compText, compGallery, compFile, compSeparator},
	compRow:       {compButton, compMenu, compRoles, compChannels},
	compSection:   {compText},
	asAccessory:   {compButton, compThumbnail},
	inLabel:       {compInput}, // Discord also takes menus and more
}

// Component is a component of a message or a form. Its type decides which fields are used.
type Component struct {
	Type     int    `json:"type"`
	ID       int    `json:"id,omitempty"` // its number in the message, which the fake gives it
	CustomID string `json:"custom_id,omitempty" limit:"0-100"`
	Label    string `json:"label,omitempty" limit:"0-80"`
	Style    int    `json:"style,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Emoji    struct {
		Name string `json:"name"`
	} `json:"emoji,omitzero"`
	Row int `json:"-"` // of a button or menu: its row or section among those of the message, from 0

	Content string `json:"content,omitempty"`                         // of a text display
	Accent  *int   `json:"accent_color,omitempty" limit:"0-16777215"` // of a container, RGB
	Spacing int    `json:"spacing,omitempty" limit:"0-2"`             // of a separator
	Divider *bool  `json:"divider,omitempty"`                         // of a separator

	Medium          // of a thumbnail; a label has its Description
	Items  []Medium `json:"items,omitempty"` // of a media gallery
	Upload *Media   `json:"file,omitempty"`  // of a file

	Placeholder string        `json:"placeholder,omitempty" limit:"0-150"`
	Options     []MenuOption  `json:"options,omitempty"`
	MinValues   *int          `json:"min_values,omitempty" limit:"0-25"`
	MaxValues   *int          `json:"max_values,omitempty" limit:"0-25"`
	Defaults    []MenuDefault `json:"default_values,omitempty"`
	Types       []int         `json:"channel_types,omitempty"`
	Value       string        `json:"value,omitempty" limit:"0-4000"`
	MaxLength   *int          `json:"max_length,omitempty" limit:"0-4000"`
	Required    *bool         `json:"required,omitempty"`
	Components  []Component   `json:"components,omitempty"`
	Accessory   *Component    `json:"accessory,omitempty"`
	Inner       *Component    `json:"component,omitempty"`
}

// MenuOption is an option of a string select menu.
type MenuOption struct {
	Label       string `json:"label" limit:"1-100"`
	Value       string `json:"value" limit:"1-100"`
	Description string `json:"description,omitempty" limit:"0-100"`
	Default     bool   `json:"default,omitempty"`
}

// MenuDefault is what is chosen already in a menu of roles or channels.
type MenuDefault struct {
	ID   string `json:"id"`
	Type string `json:"type"` // "role" or "channel"
}

// menu reports whether the component is a menu of any type.
func (c *Component) menu() bool {
	return c.Type == compMenu || c.Type == compRoles || c.Type == compChannels
}

// mayChoose returns how many options of a menu can be chosen.
func (c *Component) mayChoose() (least, most int) {
	return *cmp.Or(c.MinValues, new(1)), *cmp.Or(c.MaxValues, new(1))
}

// checkMenu checks a menu, and how many of its options are chosen already: none, or as many as can be.
func (k *checker) checkMenu(c *Component) {
	least, most := c.mayChoose()
	k.size("components: max_values", most, max(1, least), 25)
	if c.Type == compMenu {
		k.size("components: options", len(c.Options), max(1, most), 25)
	} else {
		k.size("components: options", len(c.Options), 0, 0)
	}
	picked, values := len(c.Defaults), []string(nil)
	for _, o := range c.Options {
		if values = append(values, o.Value); o.Default {
			picked++
		}
	}
	for _, d := range c.Defaults {
		if values = append(values, d.ID); d.Type != map[int]string{compRoles: "role", compChannels: "channel"}[c.Type] {
			k.bad("components: a %q in a menu of type %d", d.Type, c.Type)
		}
	}
	if k.unique("value", values); picked > 0 {
		k.size("components: chosen already", picked, least, most)
	}
}

// Medium is a picture that a component shows, with its alt text.
type Medium struct {
	Media       *Media `json:"media,omitempty"`
	Description string `json:"description,omitempty" limit:"0-1024"`
}

// Media is where a file or picture is: at "attachment://" and the name of a file that the message has, until Discord has taken it.
type Media struct {
	URL          string `json:"url" limit:"1-2048"`
	AttachmentID string `json:"attachment_id,omitempty"`
}

// visit calls do for components and everything in them, in reading order.
func visit(list []Component, do func(*Component)) {
	for i := range list {
		c := &list[i]
		do(c)
		visit(c.Components, do)
		for _, inner := range []*Component{c.Accessory, c.Inner} {
			if inner != nil {
				do(inner)
			}
		}
	}
}

// TextOf returns what text displays say, in reading order, a line or more each.
func TextOf(list []Component) string {
	var texts []string
	visit(list, func(c *Component) {
		if c.Type == compText {
			texts = append(texts, c.Content)
		}
	})
	return strings.Join(texts, "\n")
}

// Pressable returns the buttons and menus in components, in reading order.
func Pressable(list []Component) (all []Component) {
	row := -1
	visit(list, func(c *Component) {
		switch c.Type {
		case compRow, compSection:
			row++
		case compButton, compMenu, compRoles, compChannels:
			found := *c
			found.Row = row
			all = append(all, found)
		}
	})
	return all
}

// checkLayout checks all components of a message or form, which is the place, and gives them their numbers.
func (k *checker) checkLayout(place int, list []Component) {
	k.checkPlaces(place, list...)
	n, characters := 0, 0
	var ids []string
	visit(list, func(c *Component) {
		n++
		c.ID = n
		characters += utf8.RuneCountInString(c.Content)
		if c.Type == compButton || c.menu() || c.Type == compInput {
			ids = append(ids, c.CustomID)
		}
	})
	k.size("components in all", n, 0, 40)
	k.size("characters in all", characters, 0, 4000)
	k.unique("custom_id", ids)
}

// checkPlaces checks components in a component of a type, or in a place.
func (k *checker) checkPlaces(place int, list ...Component) {
	for _, c := range list {
		if !slices.Contains(within[place], c.Type) {
			k.bad("components: type %d, must be one of %v", c.Type, within[place])
			continue
		}
		size := func(what string, n, least, most int) { k.size("components: "+what, n, least, most) }
		switch inside := len(c.Components); c.Type {
		case compRow:
			size("row", inside, 1, 5)
			if inside > 1 && slices.ContainsFunc(c.Components, func(c Component) bool { return c.menu() }) {
				k.bad("components: a menu is not alone in its row")
			}
		case compButton:
			if c.Style < 1 || c.Style > 4 || c.Label == "" && c.Emoji.Name == "" { // Discord also takes links
				k.bad("components: no button with a style and a label or an emoji")
			}
		case compMenu, compRoles, compChannels:
			k.checkMenu(&c)
		case compInput:
			size("style", c.Style, 1, 2)
			size("placeholder", utf8.RuneCountInString(c.Placeholder), 0, 100)
		case compSection:
			size("section", inside, 1, 3)
			k.checkPlaces(asAccessory, orNone(c.Accessory))
		case compText:
			if strings.TrimSpace(c.Content) == "" {
				k.bad("components: an empty text")
			}
		case compGallery:
			size("gallery", len(c.Items), 1, 10)
		case compContainer:
			size("container", inside, 1, 40)
		case compLabel:
			size("label", utf8.RuneCountInString(c.Label), 1, 45)
			size("description", utf8.RuneCountInString(c.Description), 0, 100)
			k.checkPlaces(inLabel, orNone(c.Inner))
		}
		k.checkPlaces(c.Type, c.Components...)
	}
}

// orNone returns a component, or one that may be nowhere.
func orNone(c *Component) Component {
	if c == nil {
		return Component{}
	}
	return *c
}

// link links the components of a message in a channel to its files, which get the alt texts. Others found that an edit must say
// the id and the name of a file that a component shows again (2026-09).
func (k *checker) link(list []Component, files []File, channel string) {
	see := func(m *Media, alt string) {
		if m == nil {
			k.bad("components: no media")
			return
		}
		name, isNew := strings.CutPrefix(m.URL, "attachment://")
		at := slices.IndexFunc(files, func(f File) bool { return isNew && f.named && f.Name == name || m.AttachmentID == f.ID })
		switch {
		case at >= 0:
			f := &files[at]
			f.Description, f.shown = cmp.Or(alt, f.Description), true
			if isNew {
				*m = Media{"https://cdn.discordapp.com/attachments/" + channel + "/" + f.ID + "/" + f.Name, f.ID}
			}
		case m.AttachmentID != "" || !strings.HasPrefix(m.URL, "https://"):
			k.bad("components: there is no file %s", m.URL)
		}
	}
	visit(list, func(c *Component) {
		switch c.Type {
		case compThumbnail:
			see(c.Media, c.Description)
		case compFile:
			see(c.Upload, "")
		case compGallery:
			for i := range c.Items {
				see(c.Items[i].Media, c.Items[i].Description)
			}
		}
	})
}
