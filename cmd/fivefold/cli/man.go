package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// ManCommand is the subcommand man.
func (p *Program) ManCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write man pages into a folder",
		Long: "Write a man page for each command into the folder DIR, which is made if it does not\n" +
			"exist.",
		Example:           "  fivefold man ~/.local/share/man/man1\n  man fivefold-solve",
		Args:              Arguments("DIR"),
		ValidArgsFunction: completeFolder,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return errors.New(args[0] + ": " + Bare(err).Error())
			}
			return p.writeManPages(cmd.Context(), cmd.Root(), args[0])
		},
	}
}

// writeManPages writes the pages of a command and of those below it. They have no date, so that
// every build writes the same bytes.
func (p *Program) writeManPages(ctx context.Context, cmd *cobra.Command, folder string) error {
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := p.writeManPages(ctx, c, folder); err != nil {
			return err
		}
	}
	file, err := p.Output("", filepath.Join(folder, manName(cmd)+".1"))
	if err != nil {
		return err
	}
	return file.WriteBytes(ctx, manPage(cmd, p.Version))
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage returns the man page of a command, in the language of man(7).
func manPage(cmd *cobra.Command, version string) []byte {
	var b strings.Builder
	cmd.InitDefaultHelpFlag()
	section := func(title, text string) { fmt.Fprintf(&b, ".SH %s\n%s", title, manText(text)) }
	fmt.Fprintf(&b, ".TH %q 1 \"\" \"fivefold %s\" Fivefold\n.nh\n.ad l\n", strings.ToUpper(manName(cmd)), version)
	section("NAME", manName(cmd)+" - "+cmd.Short)
	section("SYNOPSIS", cmd.UseLine())
	section("DESCRIPTION", cmd.Long)
	var commands strings.Builder
	var related []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(&commands, "  %s  %s\n", c.Name(), c.Short)
			related = append(related, manName(c)+"(1)")
		}
	}
	if cmd.HasParent() {
		related = append(related, manName(cmd.Parent())+"(1)")
	}
	if commands.Len() > 0 {
		section("COMMANDS", commands.String())
	}
	if !cmd.HasParent() {
		section("EXIT STATUS", exitStatus)
	}
	section("OPTIONS", cmd.LocalFlags().FlagUsages())
	section("EXAMPLE", cmd.Example)
	section("SEE ALSO", strings.Join(related, ",\n"))
	return []byte(b.String())
}

// manText returns a text in the language of man(7). Rows of a table become definitions, whose lines are
// filled; other lines that begin with two spaces stay as they are.
func manText(text string) string {
	const (
		filled = iota
		table
		asIs
	)
	var b strings.Builder
	now := filled
	become := func(next int) {
		switch {
		case now == asIs && next != asIs:
			b.WriteString(".EE\n")
		case now != asIs && next == asIs:
			b.WriteString(".EX\n")
		case now == table && next == filled:
			b.WriteString(".PP\n")
		}
		now = next
	}
	escape := strings.NewReplacer(`\`, `\e`, "-", `\-`)
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		words := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, "  ")
		name, meaning, isRow := strings.Cut(words, "  ")
		switch {
		case indented && isRow:
			become(table)
			fmt.Fprintf(&b, ".TP\n%s\n", escape.Replace(name))
			words = strings.TrimSpace(meaning)
		case indented && now != table:
			become(asIs)
		case !indented:
			become(filled)
		}
		switch {
		case words == "":
			words = ".PP"
		case strings.HasPrefix(words, ".") || strings.HasPrefix(words, "'"):
			words = `\&` + escape.Replace(words)
		default:
			words = escape.Replace(words)
		}
		b.WriteString(words + "\n")
	}
	become(filled)
	return b.String()
}
