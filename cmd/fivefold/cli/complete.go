package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fivefold/game/wordle"
	"fivefold/solver"
)

// What shells complete. A test checks that every flag with a value, and every command,
// has something here or says that there is nothing.

// RandomStrategy is the strategy that only --review has.
const RandomStrategy = "random"

// CompleteValues completes the values of all flags below the command, by their names: a
// name means the same in every command.
func CompleteValues(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if complete := completionOf(cmd, f); complete != nil {
			if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err) // registered twice: a bug of ours
			}
		}
	})
	for _, c := range cmd.Commands() {
		CompleteValues(c)
	}
}

// completionOf returns what completes the value of a flag, or nil for none.
func completionOf(cmd *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	if choice, ok := f.Value.(*flagValue); ok && choice.names != nil {
		return cobra.FixedCompletions(choice.names, cobra.ShellCompDirectiveNoFileComp)
	}
	switch f.Name {
	case "answers", "guesses", "against", "checkpoint", "output":
		return files()
	case "trees":
		return files("tree")
	case "csv":
		return files("csv")
	case "png":
		return files("png")
	case "strategy":
		names := solver.StrategyNames()
		if cmd.Name() == "simulate" {
			names = append(slices.Clone(names), RandomStrategy)
		}
		return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	case "opener", "hidden", "word":
		return CompleteWord
	case "after":
		return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			var all []string
			for _, w := range wordsWith(typed) {
				all = append(all, w+":")
			}
			return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
	}
	switch f.Value.Type() {
	case "bool":
		return nil
	case "number":
		return cobra.FixedCompletions([]string{f.Value.String()}, cobra.ShellCompDirectiveNoFileComp)
	case "duration":
		return cobra.FixedCompletions([]string{"500ms", "2s", "10s", "1m", "10m", "1h"}, cobra.ShellCompDirectiveNoFileComp)
	}
	return cobra.NoFileCompletions
}

// files completes names of files, with one of the extensions if there are any.
func files(extensions ...string) cobra.CompletionFunc {
	if len(extensions) == 0 {
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	}
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// CompleteWord completes a word that may be proposed.
func CompleteWord(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return wordsWith(typed), cobra.ShellCompDirectiveNoFileComp
}

// CompleteWords completes up to most words.
func CompleteWords(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return CompleteWord(cmd, args, typed)
	}
}

// wordsWith returns the built-in words with that prefix, in lower case; none for fewer than
// two letters, since there would be thousands.
func wordsWith(prefix string) []string {
	if len(prefix) < 2 {
		return nil
	}
	lists, err := wordle.Embedded()
	if err != nil {
		return nil // a shell has no place for the error; every command reports it
	}
	var all []string
	for _, w := range lists.WithPrefix(prefix) {
		all = append(all, strings.ToLower(w.String()))
	}
	return all
}

// CompleteFile completes the name of one file.
func CompleteFile(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// completeFolder completes the name of one folder.
func completeFolder(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}
