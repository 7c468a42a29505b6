package interaction

import (
	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/game/marks"
)

// component is a component of a message, with the fields of its type. See
// discord.com/developers/docs/components/reference.
type component struct {
	Type int `json:"type"`

	Content     string   `json:"content,omitempty"`    // of a text display
	Components  []any    `json:"components,omitempty"` // of a container, a section or a row
	AccentColor int      `json:"accent_color,omitempty"`
	Accessory   any      `json:"accessory,omitempty"` // the button of a section
	Items       []media  `json:"items,omitempty"`     // of a media gallery
	File        *address `json:"file,omitempty"`

	Style    discordgo.ButtonStyle `json:"style,omitempty"`
	Label    string                `json:"label,omitempty"`
	Emoji    *emoji                `json:"emoji,omitempty"`
	CustomID string                `json:"custom_id,omitempty"`
	Disabled bool                  `json:"disabled,omitempty"`

	Placeholder string                  `json:"placeholder,omitempty"` // of a select
	Options     []choice                `json:"options,omitempty"`
	Least       *int                    `json:"min_values,omitempty"`
	Most        int                     `json:"max_values,omitempty"`
	Chosen      []chosen                `json:"default_values,omitempty"`
	Channels    []discordgo.ChannelType `json:"channel_types,omitempty"`
}

// pickers are the types of menus. Discord fills all but the first.
var pickers = [...]discordgo.ComponentType{
	bot.ChoiceMenu:  discordgo.SelectMenuComponent,
	bot.ChannelMenu: discordgo.ChannelSelectMenuComponent,
	bot.RoleMenu:    discordgo.RoleSelectMenuComponent,
}

// channelTypes are the types of channels in a menu.
var channelTypes = map[bot.MenuKind][]discordgo.ChannelType{bot.ChannelMenu: {
	discordgo.ChannelTypeGuildText, discordgo.ChannelTypeGuildNews, discordgo.ChannelTypeGuildVoice, discordgo.ChannelTypeGuildForum,
	discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread, discordgo.ChannelTypeGuildPrivateThread,
}}

// chosen is a channel or role that is chosen now.
type chosen struct {
	ID   string `json:"id"`
	Type string `json:"type"` // "channel" or "role"
}

// The types of components that discordgo doesn't have.
const (
	typeSection   = 9
	typeText      = 10
	typeGallery   = 12
	typeFile      = 13
	typeContainer = 17
	typeLabel     = 18
)

type media struct {
	Media       address `json:"media"`
	Description string  `json:"description,omitempty"`
}

type address struct {
	URL          string `json:"url"`
	AttachmentID string `json:"attachment_id,omitempty"` // as Discord returns it
}

type emoji struct {
	Name string `json:"name"`
}

// Discord's limits for texts, in UTF-16 units to be on the safe side.
const (
	maxText        = 4000 // of a message's text displays
	maxLabel       = 80
	maxPlaceholder = 150
	maxOption      = 100
)

// buttonStyles are the looks of buttons. A tile is shown as its square on a grey button, since there are no yellow buttons.
// A green tile is on a green button, to differ from a yellow one by more than the hue of its square.
var buttonStyles = [...]discordgo.ButtonStyle{
	bot.ButtonSecondary: discordgo.SecondaryButton,
	bot.ButtonPrimary:   discordgo.PrimaryButton,
	bot.ButtonSuccess:   discordgo.SuccessButton,
	bot.ButtonDanger:    discordgo.DangerButton,
	bot.ButtonBlack:     discordgo.SecondaryButton,
	bot.ButtonYellow:    discordgo.SecondaryButton,
	bot.ButtonGreen:     discordgo.SuccessButton,
}

// buttonMarks are the marks of buttons that are tiles.
var buttonMarks = map[bot.ButtonStyle]marks.Mark{
	bot.ButtonBlack: marks.Black, bot.ButtonYellow: marks.Yellow, bot.ButtonGreen: marks.Green,
}

type choice struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Default     bool   `json:"default,omitempty"` // chosen now
}
