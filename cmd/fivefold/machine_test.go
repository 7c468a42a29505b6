package main

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// machine is a machine on which documents install the bot, and run it as a service on the
// fake Discord. Its folders are in one of the test's; the commands that only root can use
// are scripts that do as much as the test needs.
//
// If the test runs as root, the machine has three users, as a real one has: the one who types, who can do
// nothing but what sudo allows; fivefold, who runs the bot; and root. Otherwise all are the test's own.
type machine struct {
	root    string // in place of /
	cwd     string
	env     []string
	mapping *strings.Replacer // of its folders to the test's
	reverse *strings.Replacer
}

// machineToken is the token in the documents.
const machineToken = "YOUR_TOKEN"

// machineFolders are the folders that documents name.
var machineFolders = []string{"/etc/fivefold", "/etc/systemd/system", "/usr/local/bin", "/var/lib/fivefold", "/var/backups/fivefold", "/run/fivefold", "/tmp"}

// The ids of the users who are not root. There is no need to make them.
const (
	typistID  = 65534 // nobody
	serviceID = 65533 // fivefold
)

// machineScripts are the machine's commands, apart from those that every machine has.
var machineScripts = map[string]string{
	"sudo":    "export " + beSudo + "=$ROOT/sudo/socket; exec $ROOT/programs/fivefold \"$@\"",
	"useradd": "exit 0",
	"chown":   `[ $(id -u) != 0 ] || { shift; exec /bin/chown $FIVEFOLD:$FIVEFOLD "$@"; }`,
	"go":      `[ "$*" = "build ./cmd/fivefold" ] && cp $ROOT/programs/fivefold fivefold`,
	"install": `
owner='\1'" $FIVEFOLD"
[ $(id -u) = 0 ] || owner=
set -- $(echo " $* " | sed "s/\( -[og]\) fivefold/$owner/g")
exec /usr/bin/install "$@"`,
	// systemctl does what the unit says: one process, in that folder, that must get ready.
	"systemctl": `
stop() {
	[ -f $ROOT/run/fivefold/pid ] || return 0
	kill $(cat $ROOT/run/fivefold/pid)
	while kill -0 $(cat $ROOT/run/fivefold/pid) 2>/dev/null; do sleep 0.02; done
	rm $ROOT/run/fivefold/pid
}
start() {
	cd $ROOT/etc/fivefold && install -d -o fivefold -g fivefold -m 700 $ROOT/run/fivefold $ROOT/var/lib/fivefold || exit 1
	sudo -u fivefold sh -c 'echo $$ >$ROOT/run/fivefold/pid; exec $ROOT/usr/local/bin/fivefold bot 2>>$ROOT/run/fivefold/log' >/dev/null 2>&1 &
	fivefold healthy --ready --wait 2m >/dev/null || { cat $ROOT/run/fivefold/log; exit 1; }
}
case "$*" in
daemon-reload) ;;
"start fivefold" | "enable --now fivefold") start ;;
"stop fivefold" | "disable --now fivefold") stop ;;
"restart fivefold") stop; start ;;
*) echo "systemctl does not know: $*"; exit 1 ;;
esac`,
	"journalctl": `[ "$1 $2" = "-u fivefold" ] && cat $ROOT/run/fivefold/log`,
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	root := filepath.Dir(socketPath(t)) // its path is short
	discord := discordtest.New(t, discordtest.Options{Token: machineToken})
	m := &machine{root: root, cwd: filepath.Join(root, "fivefold")}
	var to, from []string
	for _, folder := range machineFolders {
		to, from = append(to, folder, root+folder), append(from, root+folder, folder)
	}
	m.mapping, m.reverse = strings.NewReplacer(to...), strings.NewReplacer(append(from, discord.URL(), "https://discord.com/")...)
	m.env = []string{
		beSession + "=1", "ROOT=" + root, "HOME=" + root, "DISCORD_BASE_URL=" + discord.URL(), fmt.Sprint("FIVEFOLD=", serviceID),
		fmt.Sprintf("PATH=%s/bin:%[1]s/usr/local/bin:/usr/bin:/bin", root),
	}
	err := os.Chmod(root, 0o755)
	for folder, mode := range map[string]os.FileMode{
		"bin": 0o755, "programs": 0o755, "etc/systemd/system": 0o755, "usr/local/bin": 0o755, "tmp": 0o777 | os.ModeSticky, "fivefold": 0o755, "sudo": 0o700,
	} {
		path := filepath.Join(root, folder)
		err = errors.Join(err, os.MkdirAll(path, 0o755), os.Chmod(path, mode))
		if os.Getuid() == 0 && (folder == "fivefold" || folder == "sudo") { // who may use sudo is root there
			err = errors.Join(err, os.Chown(path, typistID, typistID))
		}
	}
	repository, failed := filepath.Abs("../..")
	self, noSelf := os.Executable()
	program, unread := os.ReadFile(self)
	err = errors.Join(err, failed, noSelf, unread,
		os.WriteFile(filepath.Join(root, "programs/fivefold"), program, 0o755),
		os.Symlink(filepath.Join(repository, "docs"), filepath.Join(m.cwd, "docs")),
		os.Symlink(filepath.Join(repository, ".env.example"), filepath.Join(m.cwd, ".env.example")),
	)
	for name, script := range machineScripts {
		err = errors.Join(err, os.WriteFile(filepath.Join(root, "bin", name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	sudoers, unheard := net.Listen("unix", filepath.Join(root, "sudo/socket"))
	if err = errors.Join(err, unheard); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "sudo/socket"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sudoers.Close() })
	go m.serveSudo(sudoers)
	t.Cleanup(func() {
		if out, err := m.run(context.Background(), "sudo systemctl stop fivefold"); err != nil {
			t.Errorf("stopping the bot: %v: %s", err, out)
		}
	})
	return m
}

// command returns a command of a user of the machine, run by a shell in a folder.
func (m *machine) command(ctx context.Context, user int, folder string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", args...)
	cmd.Dir, cmd.Env = folder, m.env
	if os.Getuid() == 0 && user != 0 {
		runAs(cmd, user)
	}
	return cmd
}

// run is [shell.run] on the machine, where nothing is typed.
func (m *machine) run(ctx context.Context, command string) ([]string, error) {
	command = m.mapping.Replace(command)
	out, err := m.command(ctx, typistID, m.cwd, "-c", command).CombinedOutput()
	if folder, ok := strings.CutPrefix(command, "cd "); ok && err == nil {
		m.cwd = folder
	}
	return []string{strings.ReplaceAll(m.reverse.Replace(string(out)), mark, "")}, err
}

// With the variable beSudo the test binary is the client of sudo, which no test can be: it asks
// the test at that socket, for which root may run it.
const beSudo = "FIVEFOLD_TEST_BE_SUDO"

type sudoRequest struct {
	Folder string
	Args   []string
}

type sudoAnswer struct {
	Out  []byte
	Code int
}

// serveSudo carries out what clients ask for, as root or as the user that -u names.
func (m *machine) serveSudo(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			in := bufio.NewReader(conn) // what follows the request is the input
			var r sudoRequest
			if err := gob.NewDecoder(in).Decode(&r); err != nil {
				return
			}
			user := 0
			if r.Args[0] == "-u" {
				user, r.Args = serviceID, r.Args[2:]
			}
			cmd := m.command(context.Background(), user, r.Folder, append([]string{"-c", `exec "$@"`, "sudo"}, r.Args...)...)
			cmd.Stdin = in
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil {
				out = append(out, err.Error()...)
			}
			// A client that has gone sees nothing.
			_ = gob.NewEncoder(conn).Encode(sudoAnswer{out, cmd.ProcessState.ExitCode()})
		}()
	}
}

// sudo is the client.
func sudo(socket string) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		panic(err)
	}
	folder, err := os.Getwd()
	if err := errors.Join(err, gob.NewEncoder(conn).Encode(sudoRequest{folder, os.Args[1:]})); err != nil {
		panic(err)
	}
	go func() {
		_, _ = io.Copy(conn, os.Stdin)
		_ = conn.(*net.UnixConn).CloseWrite()
	}()
	var answer sudoAnswer
	if err := gob.NewDecoder(conn).Decode(&answer); err != nil {
		panic(err)
	}
	_, _ = os.Stdout.Write(answer.Out)
	os.Exit(answer.Code)
}
