package settings

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"fivefold/bot/admin"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/bot/discord/gateway"
	"fivefold/storage/engine"
)

// The names of the settings.
const (
	EnvToken     = "DISCORD_TOKEN"
	EnvGuild     = "DISCORD_GUILD_ID"
	EnvBaseURL   = "DISCORD_BASE_URL"
	envShards    = "DISCORD_SHARDS"
	envShardIDs  = "DISCORD_SHARD_IDS"
	EnvPublicKey = "DISCORD_PUBLIC_KEY"
	EnvHTTP      = "FIVEFOLD_HTTP"
	envHTTPPath  = "FIVEFOLD_HTTP_PATH"
	EnvStore     = "FIVEFOLD_STORE"
	envPassword  = "PGPASSWORD"
	envData      = "FIVEFOLD_DATA"
	envKeep      = "FIVEFOLD_KEEP"
	envIdle      = "FIVEFOLD_IDLE"
	envAnswers   = "FIVEFOLD_ANSWERS"
	envGuesses   = "FIVEFOLD_GUESSES"
	envTrees     = "FIVEFOLD_TREES"
	EnvLog       = "FIVEFOLD_LOG"
	envLogLevel  = "FIVEFOLD_LOG_LEVEL"

	EnvAdmin       = "FIVEFOLD_ADMIN"
	EnvBackupDir   = "FIVEFOLD_BACKUP_DIR"
	envBackupEvery = "FIVEFOLD_BACKUP_EVERY"
	envBackupKeep  = "FIVEFOLD_BACKUP_KEEP"
)

// settingsTable has all settings, in the order of the help. The help and .env.example are made from it.
// A setting without read is read with others.
var settingsTable = []setting{
	{EnvToken, "", "", "the bot's token, from the developer portal; without it fivefold plays in the terminal", OfBot, func(s *Settings, text string) error {
		s.Token = Secret(strings.TrimPrefix(text, "Bot "))
		if strings.ContainsFunc(string(s.Token), func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\'' }) {
			return errors.New("it has a space, a quote or another character that no token has; copy it again")
		}
		return nil
	}},
	{EnvGuild, "everywhere", "", "register the commands in this server only, where they appear at once, and remove them everywhere else; without it, the next start removes them there", OfBot, func(s *Settings, text string) error {
		s.Guild = text
		return allowed(strings.Trim(text, "0123456789") == "" && len(text) <= 20, text, "a server's id, which is a number of up to 20 digits")
	}},
	{EnvBaseURL, "`https://discord.com/`", "", "Discord's address, or that of a rate-limit proxy, for REST calls and for finding the gateway", OfBot, func(s *Settings, text string) (err error) {
		s.BaseURL, err = url.Parse(text)
		ok := err == nil && (s.BaseURL.Scheme == "http" || s.BaseURL.Scheme == "https") && s.BaseURL.Host != ""
		return allowed(ok, text, "an address such as "+calls.DefaultBaseURL)
	}},
	{envShards, "`auto`", "4", "how many connections to Discord (shards) all processes have together: a number, or `auto` for as many as Discord recommends, one for each thousand servers or so", OfBot, func(s *Settings, text string) (err error) {
		s.Shards.Count, err = strconv.Atoi(text)
		ok := text == "auto" || err == nil && s.Shards.Count >= 1 && s.Shards.Count <= gateway.MaxShards
		return allowed(ok, text, fmt.Sprintf("auto or a number from 1 to %d", gateway.MaxShards))
	}},
	{envShardIDs, "all", "0-3", "the first and the last of them that are this process's, such as `0-3`; `DISCORD_SHARDS` must be a number then", OfBot, func(s *Settings, text string) error {
		from, to, _ := strings.Cut(text, "-")
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first > last || last >= gateway.MaxShards {
			return fmt.Errorf("%q is not a range such as 0-3, or 3-3 for one shard", text)
		}
		for id := first; id <= last; id++ {
			s.Shards.IDs = append(s.Shards.IDs, id)
		}
		return nil
	}},
	{EnvHTTP, "off", ":8080", "take interactions by HTTP at this address, such as `:8080`, instead of over the gateway", OfBot, func(s *Settings, text string) error {
		s.HTTP.Address = text
		_, port, err := net.SplitHostPort(text)
		if err == nil {
			_, err = net.LookupPort("tcp", port)
		}
		return allowed(err == nil, text, "an address such as :8080 or 127.0.0.1:8080")
	}},
	{EnvPublicKey, "", "", "the application's public key, from the developer portal; `FIVEFOLD_HTTP` needs it", OfBot, func(s *Settings, text string) (err error) {
		if s.HTTP.PublicKey, err = endpoint.ParsePublicKey(text); err != nil {
			return fmt.Errorf("%w; copy it from the developer portal's page General Information", err)
		}
		return nil
	}},
	{envHTTPPath, "`/interactions`", "", "where Discord posts interactions", OfBot, func(s *Settings, text string) error {
		s.HTTP.Path = text
		ok := strings.HasPrefix(text, "/") && !strings.ContainsAny(text, "?# ") && text != "/healthz" && text != "/readyz"
		return allowed(ok, text, "a path such as /interactions")
	}},
	{EnvStore, "`fivefold.db` in the data folder; `terminal.db` when playing in the terminal", "bolt:/var/lib/fivefold/fivefold.db", "where games are kept: `bolt:PATH`, a file, or `postgres://USER@HOST/DATABASE`, a PostgreSQL database", OfStore, func(s *Settings, text string) error { s.Store = text; return engine.Check(text) }},
	{envPassword, "none", "", "the password of that database, unless its URL or the file in `PGPASSFILE` has it", OfStore, nil},
	{envData, "one of the user's, such as `~/.local/share/fivefold`", "/var/lib/fivefold", "the data folder", OfStore, func(s *Settings, text string) error { s.Data = text; return nil }},
	{envKeep, "for ever", "365d", "how long finished games are kept: days such as `365d`, at least `7d`; statistics go on counting them", OfGames, func(s *Settings, text string) error {
		// The days of the latest daily puzzles, and of requests that may come again, are well within the least time.
		days, err := strconv.Atoi(strings.TrimSuffix(text, "d"))
		s.Keep = time.Duration(days) * 24 * time.Hour
		ok := err == nil && strings.HasSuffix(text, "d") && days >= 7 && days <= 36_500
		return allowed(ok, text, "a number of days such as 365d, from 7d to 36500d")
	}},
	{envIdle, "`24h`", "90m", "how long a game can go without a move before it counts as given up: a duration such as `24h` or `90m`, or `off`", OfGames, func(s *Settings, text string) (err error) {
		if text != "off" {
			s.Idle, err = atLeastAMinute(text, ", or off")
		}
		return err
	}},
	{envAnswers, "built in", "answers.txt", "a file of words that can be hidden, one on each line; all must be among the guesses", OfGames, nil},
	{envGuesses, "built in", "guesses.txt", "a file of words that may be guessed", OfGames, nil},
	{envTrees, "none", "easy.tree,hard.tree", "files that `fivefold tree` wrote for your own lists, with commas between them; hints are then found at once", OfGames, nil},
	{EnvLog, "`text`", "json", "how to log to standard error: `text` or `json`", OfStore, func(s *Settings, text string) error {
		s.logJSON = text == "json"
		return allowed(text == "json" || text == "text", text, "text or json")
	}},
	{envLogLevel, "`info`; `warn` in the terminal", "debug", "the least to log: `debug`, `info`, `warn` or `error`", OfStore, func(s *Settings, text string) error {
		s.logLevel = new(slog.Level)
		return allowed(s.logLevel.UnmarshalText([]byte(text)) == nil, text, "debug, info, warn or error")
	}},
	{EnvAdmin, "off", "unix:/run/fivefold/admin.sock,127.0.0.1:9095", "where the running bot shows its health and metrics: `unix:PATH`, `127.0.0.1:PORT`, or several with commas between them", OfStore, func(s *Settings, text string) error {
		for part := range strings.SplitSeq(text, ",") {
			a, err := admin.ParseAddress(strings.TrimSpace(part))
			if err != nil {
				return err
			}
			s.Admin = append(s.Admin, a)
		}
		return nil
	}},
	{EnvBackupDir, "`backups`, next to the store", "/var/backups/fivefold", "a folder in which the running bot keeps copies of its store, or `off`", OfStore, func(s *Settings, text string) error {
		s.backupDir = text
		return nil
	}},
	{envBackupEvery, "`24h`", "90m", "how often it makes one: a duration such as `24h` or `90m`, at least a minute", OfBot, func(s *Settings, text string) (err error) {
		s.BackupEvery, err = atLeastAMinute(text, "")
		return err
	}},
	{envBackupKeep, "`7`", "30", "how many of them it keeps", OfBot, func(s *Settings, text string) (err error) {
		s.BackupKeep, err = strconv.Atoi(text)
		return allowed(err == nil && s.BackupKeep >= 1, text, "a number from 1")
	}},
}

// allowed returns nil if ok, or an error that says what the text must be.
func allowed(ok bool, text, what string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%q is not %s", text, what)
}

func atLeastAMinute(text, orElse string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	return d, allowed(err == nil && d >= time.Minute, text, "a duration of at least a minute, such as 24h or 90m"+orElse)
}

// setting describes a setting. Backquotes mark values in standard and help.
type setting struct {
	name     string
	standard string // the default; empty for none
	example  string // an example of a value
	help     string
	of       Scope
	read     func(s *Settings, text string) error // reads a text that is not empty
}

// value returns the default if it is a value that can be set, or else "".
func (s setting) value() string {
	if text, ok := strings.CutSuffix(s.standard, "`"); ok && strings.HasPrefix(text, "`") {
		return text[1:]
	}
	return ""
}

// text returns the help with the default, as plain text.
func (s setting) text() string {
	text := s.help
	if s.standard != "" {
		text += " (default: " + s.standard + ")"
	}
	return strings.ReplaceAll(text, "`", "")
}
