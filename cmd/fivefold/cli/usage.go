package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/bot/terminal/tty"
)

// SetUp has the root command fill paragraphs of help, and return wrong flags as wrong use.
func SetUp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long = Fill(cmd.Long, HelpWidth)
		help(cmd, args)
	})
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		text, how, _ := strings.Cut(err.Error(), "\" flag: ")
		if how != "" { // words of a library
			text += "\""
		}
		return WrongUse("%s%s", text, seeHelp(cmd))
	})
}

// HelpWidth is the width of help in columns.
const HelpWidth = 80

// Fill breaks paragraphs into lines of at most width columns. Lines that begin with two spaces stay.
func Fill(text string, width int) string {
	var all, paragraph []string
	for line := range strings.SplitSeq(text+"\n", "\n") {
		if line != "" && !strings.HasPrefix(line, "  ") {
			paragraph = append(paragraph, line)
			continue
		}
		if paragraph != nil {
			all = append(all, tty.Wrap(strings.Join(paragraph, " "), width+1))
			paragraph = nil
		}
		all = append(all, line)
	}
	return strings.TrimSuffix(strings.Join(all, "\n"), "\n")
}

// Proposes has completion propose values for a flag.
func Proposes(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // no such flag
	}
}

// ShowHelp shows the help of a command that only has subcommands.
func ShowHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// OnlyCommands is for a command that only has subcommands.
func OnlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return WrongUse("unknown command \"%s %s\"%s%s", cmd.CommandPath(), args[0], DoYouMean(cmd, args[0]), seeHelp(cmd))
}

// DoYouMean proposes the subcommand that is most like what was typed, after a semicolon. It is "" if none is.
func DoYouMean(cmd *cobra.Command, typed string) string {
	cmd.SuggestionsMinimumDistance = 2
	if names := cmd.SuggestionsFor(typed); len(names) > 0 {
		return fmt.Sprintf("; do you mean %q?", names[0])
	}
	return ""
}

// KnownCommand is for the command help, whose arguments must name a command.
func KnownCommand(cmd *cobra.Command, args []string) error {
	about, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	return OnlyCommands(about, rest)
}

// NoArguments is for a command without arguments.
var NoArguments = Arguments()

// Arguments is for a command with arguments of these names. The last can be left out if its name is in
// brackets.
func Arguments(names ...string) cobra.PositionalArgs {
	least := len(names)
	if least > 0 && strings.HasPrefix(names[least-1], "[") {
		least--
	}
	return func(cmd *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= len(names) {
			return nil
		}
		return WrongUse("wrong number of arguments: %s%s", strings.TrimSuffix(cmd.UseLine(), " [flags]"), seeHelp(cmd))
	}
}

// seeHelp refers to the help of a command, on a line of its own.
func seeHelp(cmd *cobra.Command) string {
	return fmt.Sprintf("\nSee \"%s --help\".", cmd.CommandPath())
}
