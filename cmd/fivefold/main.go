// Command fivefold is a word game and a poker game for Discord and the terminal.
//
// Without a subcommand it serves Discord if there is a token, and otherwise plays in the terminal.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"fivefold/bot/terminal/tty"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/data"
	"fivefold/cmd/fivefold/licences"
	"fivefold/cmd/fivefold/play"
	"fivefold/cmd/fivefold/serve"
	"fivefold/cmd/fivefold/settings"
	"fivefold/cmd/fivefold/solve"
	"fivefold/cmd/fivefold/workshop"
)

func main() { os.Exit(start(cli.Tuning{})) }

// start runs the program with the arguments, environment and streams of the process. It returns the exit
// code.
func start(t cli.Tuning) (code int) {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if <-signals == os.Interrupt {
			end(cli.ErrInterrupted)
		} else {
			end(nil)
		}
		// The second signal kills.
		signal.Stop(signals)
	}()
	prepareConsole()
	p := &cli.Program{
		Version: version, Env: cli.Environment(runtime.GOOS, os.Environ()), In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr, Tuning: t,
	}
	err := run(ctx, os.Args[1:], p)
	switch {
	case err == nil || errors.Is(err, cli.ErrInterrupted):
	case p.Serves && p.Env[settings.EnvLog] == "json":
		slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error("ended", "error", err)
	default:
		fmt.Fprintf(os.Stderr, "fivefold: %v\n", err)
		keepWindow()
	}
	return cli.ExitCode(err)
}

// run is the whole program. It ends cleanly when ctx ends. After SIGINT its error has the exit code for that,
// except for a bot, which runs until then.
func run(ctx context.Context, args []string, p *cli.Program) error {
	// With a text, cobra would not run after a double click.
	cobra.MousetrapHelpText = ""
	root := newRoot(p)
	root.SetArgs(args)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.ErrOut)
	begun := false
	root.PersistentPreRun = func(*cobra.Command, []string) { begun = true }
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err != nil && !begun: // cobra's error about the command line
		err = cli.WrongUse("%s\nSee \"%s --help\".", strings.TrimSpace(err.Error()), cmd.CommandPath())
	case errors.Is(err, bufio.ErrTooLong):
		err = fmt.Errorf("a line of the input has more than %d KB", bufio.MaxScanTokenSize>>10)
	}
	if context.Cause(ctx) == cli.ErrInterrupted && !p.Serves {
		if err == nil || err == context.Canceled {
			err = cli.ErrInterrupted
		}
		err = cli.Interrupted(err)
	}
	return err
}

// newRoot returns the program as a command with all its subcommands.
func newRoot(p *cli.Program) *cobra.Command {
	root := &cobra.Command{
		Use:   "fivefold",
		Short: "Puzzles for Discord and the terminal: word games, and Pokle with poker cards",
		Long: "Puzzles for Discord and the terminal: the five-letter word game on one, two, four or eight boards, a word " +
			"that dodges, and Pokle with poker cards.\n\n" +
			"Without a command it runs the bot where DISCORD_TOKEN is set, and otherwise plays in the terminal. \"fivefold " +
			"help settings\" lists all settings.",
		Example: "  fivefold\n" +
			"  fivefold solve slate bbybb\n" +
			"  fivefold help pokle solve",
		SilenceErrors: true, // start prints them
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := settings.Read(p, settings.OfEither)
			if p.Serves = p.Env[settings.EnvToken] != ""; err != nil {
				return err
			}
			if p.Serves {
				return serve.Bot(cmd.Context(), p, s)
			}
			return play.Play(cmd.Context(), p, s, "")
		},
	}
	root.PersistentFlags().StringVar(&p.EnvFile, "env-file", "", "read settings from this `file`, not from .env")
	// A template for the version would make the linker keep every exported method, 3.5 MB.
	root.Version = versionLine()
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long = tty.Wrap(cmd.Long, settings.HelpWidth+1)
		help(cmd, args)
	})
	const about = "About the program:"
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Play:", []*cobra.Command{play.Command(p)}},
		{"Help with puzzles played elsewhere:", []*cobra.Command{solve.Command(p), solve.ReviewCommand(p), solve.PokleCommand(p), solve.EvilCommand(p)}},
		{"The solver's workshop:", []*cobra.Command{workshop.SimulateCommand(p), workshop.TreeCommand(p)}},
		{"Run the Discord bot:", []*cobra.Command{
			serve.BotCommand(p), serve.RegisterCommand(p), serve.DoctorCommand(p), serve.HealthyCommand(p), serve.DirectoryCommand(p),
			data.MigrateCommand(p), data.CopyCommand(p), data.ExportCommand(p), data.BackupCommand(p), data.RestoreCommand(p),
			data.CheckCommand(p), data.RepairCommand(p), data.CompactCommand(p),
		}},
		{about, []*cobra.Command{licences.Command(p)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(&cobra.Command{Use: "settings", Short: "All settings", Long: "Settings come from the environment or a file .env; see --env-file.\n\n" + settings.Help()})
	root.SetHelpCommandGroupID(about)
	root.SetCompletionCommandGroupID(about)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() { // by themselves, both take any argument
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				_, _, err := root.Find(args)
				return err
			}
		case "completion":
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	return root
}
