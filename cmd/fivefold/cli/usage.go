package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/bot/terminal/tty"
)

// SetUp gives the program's root command what cobra leaves open: paragraphs of help are filled,
// and a wrong flag is wrong use.
func SetUp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long = Fill(cmd.Long, HelpWidth)
		help(cmd, args)
	})
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		text, how, _ := strings.Cut(err.Error(), "\" flag: ")
		if how != "" { // in words of the libraries
			text += "\""
		}
		return WrongUse("%s%s", text, seeHelp(cmd))
	})
}

// HelpWidth is how many columns a paragraph of help has at most.
const HelpWidth = 80

// Fill breaks each paragraph into lines of at most width columns. Lines that begin with two
// spaces stay as they are.
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

// Proposes has completion propose the values of a flag of a command.
func Proposes(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}

// ShowHelp shows the help of a command that only has subcommands.
func ShowHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// OnlyCommands is for a command that only has subcommands.
func OnlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return WrongUse("there is no command \"%s %s\"%s%s", cmd.CommandPath(), args[0], DoYouMean(cmd, args[0]), seeHelp(cmd))
}

// DoYouMean proposes the subcommand that is most like what was typed, with a semicolon before it; nothing if none is.
func DoYouMean(cmd *cobra.Command, typed string) string {
	cmd.SuggestionsMinimumDistance = 2
	if names := cmd.SuggestionsFor(typed); len(names) > 0 {
		return fmt.Sprintf("; do you mean %q?", names[0])
	}
	return ""
}

// KnownCommand is for the command help: what it is asked about must be a command.
func KnownCommand(cmd *cobra.Command, args []string) error {
	about, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	return OnlyCommands(about, rest)
}

// NoArguments is for a command that takes none.
var NoArguments = Arguments()

// Arguments is for a command that takes as many, of these names. The last may be left out if its
// name is in brackets.
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

// seeHelp names the help of a command, on a line of its own.
func seeHelp(cmd *cobra.Command) string {
	return fmt.Sprintf("\nSee \"%s --help\".", cmd.CommandPath())
}
