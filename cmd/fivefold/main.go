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
	"syscall"

	"github.com/spf13/cobra"

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
	case err == nil || err == cli.ErrInterrupted:
	case p.Serves && p.Env[settings.EnvLog] == "json":
		slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error("ended", "error", err)
	default:
		fmt.Fprintf(os.Stderr, "fivefold: %v\n", err)
		keepWindow()
	}
	return cli.ExitCode(err)
}

// run is the whole program. It ends cleanly when ctx ends. After SIGINT, its error wraps
// [cli.ErrInterrupted], except for a bot, which runs until then.
func run(ctx context.Context, args []string, p *cli.Program) error {
	// With a text, cobra would not run after a double click.
	cobra.MousetrapHelpText = ""
	root := newRoot(p)
	root.SetArgs(args)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.ErrOut)
	err := root.ExecuteContext(ctx)
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("a line of the input has more than %d KB", bufio.MaxScanTokenSize>>10)
	}
	if cli.Interrupted(ctx) && !p.Serves {
		return cli.StoppedWith(err)
	}
	return err
}

// newRoot returns the program as a command with all its subcommands.
func newRoot(p *cli.Program) *cobra.Command {
	root := &cobra.Command{
		Use:   "fivefold",
		Short: "Two puzzles for Discord and the terminal: a word game, and Pokle with poker cards",
		Long: "Two puzzles for Discord and the terminal: the five-letter word game, and Pokle, its\n" +
			"cousin with poker cards.\n\n" +
			"Without a command it runs the bot where DISCORD_TOKEN is set, and otherwise\nplays in the terminal. \"fivefold help settings\" lists all settings.",
		Example: "  fivefold\n" +
			"  fivefold solve slate bbybb\n" +
			"  fivefold help pokle solve",
		Args:          cli.OnlyCommands,
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
	cli.SetUp(root)
	const about = "About the program:"
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Play:", []*cobra.Command{play.Command(p)}},
		{"Help with puzzles played elsewhere:", []*cobra.Command{solve.Command(p), solve.ReviewCommand(p), solve.PokleCommand(p)}},
		{"The solver's workshop:", []*cobra.Command{workshop.SimulateCommand(p), workshop.TreeCommand(p)}},
		{"Run the Discord bot:", []*cobra.Command{
			serve.BotCommand(p), serve.RegisterCommand(p), serve.DoctorCommand(p), serve.HealthyCommand(p),
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
	help, _, _ := root.Find([]string{"help"})
	help.Args = cli.KnownCommand
	completion, _, _ := root.Find([]string{"completion"})
	completion.Args, completion.RunE = cli.OnlyCommands, cli.ShowHelp // by itself it takes any argument
	return root
}
