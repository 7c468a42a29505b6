package serve

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
)

// listing is what Discord's directory and its verification ask for. At most 400 characters of a description and five tags of 20 are
// from Discord's API description, the rest from support-dev.discord.com, App Directory: App profile pages (2026-11).
type listing struct {
	Short    string   `json:"short"` // at most 200 characters
	Long     string   `json:"long"`  // at most 400: it's also the application's description
	Tags     []string `json:"tags"`
	Invite   string   `json:"invite"`
	Privacy  string   `json:"privacy"` // a file of the project, like the three below
	Terms    string   `json:"terms"`
	Support  string   `json:"support"`
	Pictures []string `json:"pictures"`
}

var directory = listing{
	Short: "Word games on one to eight boards, a word that dodges, and Pokle with poker cards: together, as a race, or as the puzzle of the day.",
	Long: "Find a hidden five-letter word in six guesses, the words of two, four or eight boards, one that dodges, or five cards in " +
		"Pokle. Play together in a channel, race to the same word, challenge your friends, and compare the puzzle of the day. " +
		"Hints in the word game are provably the best, and a review judges each guess. " +
		"Tiles differ in shape as well as in colour. Nothing is lost, and games ping nobody.",
	Tags:     []string{"word game", "puzzle", "daily", "poker", "games"},
	Invite:   "https://discord.com/oauth2/authorize?client_id=APPLICATION_ID&scope=bot+applications.commands&permissions=274877942784",
	Privacy:  "PRIVACY.md",
	Terms:    "TERMS.md",
	Support:  "docs/playing.md",
	Pictures: []string{"docs/hero-dark.png", "docs/channel-won-dark.png", "docs/channel-race-dark.png", "docs/channel-daily-dark.png", "docs/channel-pokle-dark.png"},
}

// DirectoryCommand is the subcommand directory.
func DirectoryCommand(p *cli.Program) *cobra.Command {
	var id string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "directory",
		Short: "Print what Discord's directory and verification ask for",
		Long: "Print what Discord's App Directory and its verification ask for: descriptions, tags, the address of the invitation, " +
			"and the files of the project with the privacy page, the terms, help and pictures. Publish the files, and enter their " +
			"addresses on the developer portal.",
		Example: "  fivefold directory --id 1234567890123456789",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			l := directory
			if id != "" {
				l.Invite = strings.Replace(l.Invite, "APPLICATION_ID", id, 1)
			}
			if asJSON {
				out := json.NewEncoder(p.Out)
				out.SetEscapeHTML(false)
				out.SetIndent("", "  ")
				return out.Encode(l)
			}
			_, err := fmt.Fprintf(p.Out, "Short description:\n%s\n\nDescription:\n%s\n\nTags: %s\nInvitation: %s\nPrivacy policy: %s\nTerms of service: %s\nSupport: %s, or a server of your own\nPictures: %s\n",
				l.Short, l.Long, strings.Join(l.Tags, ", "), l.Invite, l.Privacy, l.Terms, l.Support, strings.Join(l.Pictures, ", "))
			return err
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "the application's `id`, for the invitation")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
