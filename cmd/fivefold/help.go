package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// usageTemplate is cobra's, with lines of up to 80 columns.
const usageTemplate = `Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{end}}

Examples:
{{.Example}}
{{- if .HasAvailableSubCommands}}{{$all := .Commands}}{{if .Groups}}{{range $group := .Groups}}

{{.Title}}{{range $all}}{{if and (eq .GroupID $group.ID) (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{else}}

Commands:{{range $all}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{end}}

Flags:
{{.LocalFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}{{if .HasAvailableSubCommands}}

Use "{{.CommandPath}} [command] --help" for more information about a command.{{end}}
`

// helpWidth is how many columns help has at most.
const helpWidth = 80

// fill breaks each paragraph into lines of at most width columns. Lines that begin with two
// spaces stay as they are.
func fill(text string, width int) string {
	var b strings.Builder
	column := 0 // of the paragraph's last line; 0 outside of one
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || strings.HasPrefix(line, "  ") {
			if column > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line + "\n")
			column = 0
			continue
		}
		for word := range strings.FieldsSeq(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case column > 0 && column+1+n > width:
				b.WriteByte('\n')
				column = 0
			case column > 0:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += n
		}
	}
	return b.String()
}

// helpCommand is the subcommand help.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Long:    "Show the help of a command, as --help does.",
		Example: "  fivefold help solve\n  fivefold help pokle simulate",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			found, rest := find(cmd.Root(), args)
			if len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, c := range found.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest := find(cmd.Root(), args)
			if len(rest) > 0 {
				return unknownCommand(found, rest[0])
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

// find follows a path of names from root as far as there are commands. It returns the last
// command, and the rest of the path.
func find(root *cobra.Command, path []string) (*cobra.Command, []string) {
	for i, name := range path {
		next := root
		for _, c := range root.Commands() {
			if c.Name() == name {
				next = c
			}
		}
		if next == root {
			return root, path[i:]
		}
		root = next
	}
	return root, nil
}

// completionCommand is the subcommand completion.
func (p *program) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a script with which a shell completes commands and values",
		Long: "Write a script with which a shell completes commands, flags and their values: for\n" +
			"bash, zsh, fish or powershell. Put it where the shell finds it, and open a new one.",
		Example: "  fivefold completion bash >~/.local/share/bash-completion/completions/fivefold\n" +
			"  fivefold completion zsh >~/.zfunc/_fivefold\n" +
			"  fivefold completion fish >~/.config/fish/completions/fivefold.fish\n" +
			"  fivefold completion powershell >>$PROFILE",
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("SHELL")(cmd, args); err != nil {
				return err
			}
			var shell string
			if err := (choiceFlag{&shell, shells}).Set(args[0]); err != nil {
				return wrongUse("SHELL %s: %w", args[0], err)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(p.out, true)
			case "zsh":
				return root.GenZshCompletion(p.out)
			case "fish":
				return root.GenFishCompletion(p.out, true)
			}
			return root.GenPowerShellCompletionWithDesc(p.out)
		},
	}
}

// manCommand is the subcommand man.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write man pages into a folder",
		Long: "Write a man page for each command into the folder DIR, which is made if it does not\n" +
			"exist.",
		Example:           "  fivefold man ~/.local/share/man/man1\n  man fivefold-solve",
		Args:              oneArgument("DIR"),
		ValidArgsFunction: completeFolder,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return errors.New(args[0] + ": " + bare(err).Error())
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			indentLongs(root)
			return p.writeManPages(cmd.Context(), root, args[0])
		},
	}
}

// writeManPages writes the pages of a command and of those below it. They have no date, so that
// every build writes the same bytes.
func (p *program) writeManPages(ctx context.Context, cmd *cobra.Command, folder string) error {
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := p.writeManPages(ctx, c, folder); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	date := time.Unix(0, 0).UTC()
	header := doc.GenManHeader{Section: "1", Date: &date, Source: "fivefold " + version, Manual: "Fivefold"}
	if err := doc.GenMan(cmd, &header, &b); err != nil {
		return err
	}
	page := bytes.Replace(b.Bytes(), []byte(date.Format(`"Jan 2006"`)), []byte(`""`), 1)
	file, err := p.output("", filepath.Join(folder, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
	if err != nil {
		return err
	}
	return file.writeBytes(ctx, page)
}

// indentLongs indents the tables in descriptions, whose lines begin with two spaces, so that
// Markdown shows them as they are: man pages are made from Markdown.
func indentLongs(cmd *cobra.Command) {
	var lines []string
	for line := range strings.Lines(cmd.Long) {
		if strings.HasPrefix(line, "  ") {
			if len(lines) > 0 && !strings.HasPrefix(lines[len(lines)-1], "    ") && lines[len(lines)-1] != "\n" {
				lines = append(lines, "\n")
			}
			line = "  " + line
		}
		lines = append(lines, line)
	}
	cmd.Long = strings.Join(lines, "")
	for _, c := range cmd.Commands() {
		indentLongs(c)
	}
}
