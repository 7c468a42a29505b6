package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"fivefold/bot/terminal/tty"
)

// SetUp makes the program's root command use our words for help, and for mistakes. It returns the
// subcommand help, which is yet to be added.
func SetUp(root *cobra.Command) *cobra.Command {
	root.SetUsageFunc(usage)
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.Long != "" {
			cmd.Long = Fill(cmd.Long, HelpWidth)
		}
		help(cmd, args)
	})
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.DisableDefaultCmd = true // ours has other words for mistakes
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	command := helpCommand()
	root.SetHelpCommand(command)
	return command
}

// usage writes what cobra's template writes, with lines of up to [HelpWidth] columns. With a template of
// our own the linker would have to keep every exported method of the program, 4 MB of them.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "\n  %s", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n  %s [command]", cmd.CommandPath())
	}
	fmt.Fprintf(&b, "\n\nExamples:\n%s\n", cmd.Example)
	list := func(title, group string) {
		fmt.Fprintf(&b, "\n%s\n", title)
		for _, c := range cmd.Commands() {
			if c.GroupID == group && (c.IsAvailableCommand() || c.Name() == "help") {
				fmt.Fprintf(&b, "  %-*s %s\n", c.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	switch {
	case len(cmd.Groups()) > 0:
		for _, g := range cmd.Groups() {
			list(g.Title, g.ID)
		}
	case cmd.HasAvailableSubCommands():
		list("Commands:", "")
	}
	fmt.Fprintf(&b, "\nFlags:\n%s\n", strings.TrimRightFunc(cmd.LocalFlags().FlagUsagesWrapped(HelpWidth), unicode.IsSpace))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command.\n", cmd.CommandPath())
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// HelpWidth is how many columns help has at most.
const HelpWidth = 80

// Fill breaks each paragraph into lines of at most width columns. Lines that begin with two
// spaces stay as they are.
func Fill(text string, width int) string {
	var all, paragraph []string
	for line := range strings.SplitSeq(text+"\n", "\n") {
		stays := line == "" || strings.HasPrefix(line, "  ")
		if stays && paragraph != nil {
			all = append(all, tty.Wrap(strings.Join(paragraph, " "), width+1))
			paragraph = nil
		}
		if stays {
			all = append(all, line)
		} else {
			paragraph = append(paragraph, line)
		}
	}
	return strings.TrimSuffix(strings.Join(all, "\n"), "\n")
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

// CompletionCommand is the subcommand completion.
func (p *Program) CompletionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	var (
		install bool
		shell   string
	)
	cmd := &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a script with which a shell completes commands and values",
		Long: "Write a script with which a shell completes commands, flags and their values: for\n" +
			"bash, zsh, fish or powershell. With --install it is written where the shell looks for\n" +
			"it in your home, and the man pages next to it; SHELL is by default the one you use.",
		Example: "  fivefold completion --install\n" +
			"  fivefold completion bash >/etc/bash_completion.d/fivefold\n" +
			"  fivefold completion powershell >>$PROFILE",
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if install && len(args) == 0 {
				if p.Env["SHELL"] == "" {
					return WrongUse("which SHELL is not known: fivefold completion bash --install")
				}
				args = []string{filepath.Base(p.Env["SHELL"])}
			}
			if err := Arguments("SHELL")(cmd, args); err != nil {
				return err
			}
			if err := Choice(&shell, shells).Set(args[0]); err != nil {
				return WrongUse("SHELL %s: %w", args[0], err)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			var script bytes.Buffer
			write := map[string]func(io.Writer) error{
				"bash":       func(w io.Writer) error { return cmd.Root().GenBashCompletionV2(w, true) },
				"zsh":        cmd.Root().GenZshCompletion,
				"fish":       func(w io.Writer) error { return cmd.Root().GenFishCompletion(w, true) },
				"powershell": cmd.Root().GenPowerShellCompletionWithDesc,
			}
			if err := write[shell](&script); err != nil {
				return err
			}
			if install {
				return p.install(cmd, shell, script.Bytes())
			}
			_, err := script.WriteTo(p.Out)
			return err
		},
	}
	cmd.Flags().BoolVar(&install, "install", false, "put it and the man pages where your shell and man find them")
	return cmd
}

// install writes the script of a shell, and the man pages, into the user's home.
func (p *Program) install(cmd *cobra.Command, shell string, script []byte) error {
	if p.Env["HOME"] == "" {
		return WrongUse("HOME is not set, so there is no place for it")
	}
	home := func(variable, otherwise string) string {
		if folder := p.Env[variable]; filepath.IsAbs(folder) {
			return folder
		}
		return filepath.Join(p.Env["HOME"], otherwise)
	}
	data := home("XDG_DATA_HOME", ".local/share")
	to, ok := map[string]string{
		"bash": filepath.Join(data, "bash-completion/completions/fivefold"),
		"zsh":  filepath.Join(p.Env["HOME"], ".zfunc/_fivefold"),
		"fish": filepath.Join(home("XDG_CONFIG_HOME", ".config"), "fish/completions/fivefold.fish"),
	}[shell]
	if !ok {
		return WrongUse("PowerShell has no folder for it: fivefold completion powershell >>$PROFILE")
	}
	pages := filepath.Join(data, "man/man1")
	if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.MkdirAll(pages, 0o755)); err != nil {
		return err
	}
	file, err := p.Output("", to)
	if err != nil {
		return err
	}
	if err := errors.Join(file.WriteBytes(cmd.Context(), script), p.writeManPages(cmd.Context(), cmd.Root(), pages)); err != nil {
		return err
	}
	more := ""
	if shell == "zsh" {
		more = "Put this into ~/.zshrc: fpath+=~/.zfunc; autoload -U compinit; compinit\n"
	}
	_, err = fmt.Fprintf(p.Out, "Completion for %s is in %s; open a new shell.\n%sThe man pages are in %s, where man finds them if ~/.local/bin is in PATH.\n", shell, to, more, pages)
	return err
}
