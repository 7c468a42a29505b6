package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Everything that is said about a wrong command line is here, or is made with WrongUse. It
// names what was typed and says what is allowed.

// OnlyCommands is for a command that only has subcommands.
func OnlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownCommand(cmd, args[0])
}

// unknownCommand says that cmd has no subcommand of that name.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return WrongUse("there is no command \"%s %s\"%s%s", cmd.CommandPath(), name, didYouMean(name, names), seeHelp(cmd))
}

// NoArguments is for a command that takes none.
var NoArguments = Arguments()

// Arguments is for a command that takes exactly as many, of these names.
func Arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch useLine := strings.TrimSuffix(cmd.UseLine(), " [flags]"); {
		case len(args) < len(names):
			return WrongUse("%s is missing: %s", names[len(args)], useLine)
		case len(args) == len(names):
			return nil
		case len(names) == 0:
			return WrongUse("%q: \"%s\" takes no arguments%s", args[0], cmd.CommandPath(), seeHelp(cmd))
		case len(names) == 1:
			return WrongUse("%q: there can be only one %s: %s", args[1], names[0], useLine)
		default:
			return WrongUse("%q: there can be only %s: %s", args[len(names)], enumerate(names, "and"), useLine)
		}
	}
}

// OptionalArgument is for a command that takes one of this name, which may be left out.
func OptionalArgument(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return Arguments(name)(cmd, args)
	}
}

// seeHelp names the help of a command, on a line of its own.
func seeHelp(cmd *cobra.Command) string {
	return fmt.Sprintf("\n\"%s --help\" says what there is", cmd.CommandPath())
}

// flagError says what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		if all := unknown.GetSpecifiedShortnames(); all != "" {
			return WrongUse("-%s: there is no flag -%s%s", all, unknown.GetSpecifiedName(), seeHelp(cmd))
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		typed := "--" + unknown.GetSpecifiedName()
		return WrongUse("%s: there is no such flag%s%s", typed, didYouMean(typed, names), seeHelp(cmd))
	case errors.As(err, &missing):
		name, _ := pflag.UnquoteUsage(missing.GetFlag())
		return WrongUse("--%s needs a %s after it", missing.GetFlag().Name, name)
	case errors.As(err, &invalid):
		flag, reason := invalid.GetFlag(), errors.Unwrap(invalid)
		switch flag.Value.Type() {
		case "bool":
			reason = errors.New("it takes no value, or true or false")
		case "uint64":
			reason = errors.New("it must be a whole number, at least 0")
		}
		return WrongUse("--%s %s: %w", flag.Name, invalid.GetValue(), reason)
	case errors.As(err, &syntax):
		return WrongUse("%s: this is not how a flag is written%s", syntax.GetSpecifiedFlag(), seeHelp(cmd))
	}
	return WrongUse("%w", err)
}

// Apart returns an error if the flag is given with one of the others.
func Apart(cmd *cobra.Command, name string, others ...string) error {
	if !cmd.Flags().Changed(name) {
		return nil
	}
	for _, other := range others {
		if cmd.Flags().Changed(other) {
			return WrongUse("--%s cannot be combined with --%s", name, other)
		}
	}
	return nil
}

// didYouMean returns a question that proposes the name most like the one typed, or nothing if
// none is like it.
func didYouMean(typed string, names []string) string {
	const most = 2 // letters that may be wrong
	best, nearest := "", most+1
	for _, name := range names {
		d := Distance(strings.ToLower(typed), name)
		if len(typed) >= 3 && strings.HasPrefix(name, strings.ToLower(typed)) {
			d = min(d, 1)
		}
		if d < nearest && d < len(name)-1 {
			best, nearest = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; do you mean %q?", best)
}
