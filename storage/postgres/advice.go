package postgres

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Advice returns what an operator can do about an error of this package that comes from a server, or
// from the way to it. It is empty for all other errors.
func Advice(err error) string {
	var (
		refused     *pgconn.PgError
		connecting  *pgconn.ConnectError
		certificate *tls.CertificateVerificationError
	)
	if errors.As(err, &refused) {
		withoutTLS := errors.As(err, &connecting) && connecting.Config.TLSConfig == nil
		return adviceOn(refused.Code, withoutTLS)
	}
	switch {
	case errors.As(err, &certificate):
		return "name the authority that signed the server's certificate with sslrootcert in the URL, and the server as its certificate does"
	case errors.Is(err, pgconn.ErrReadOnlyConnection):
		return adviceOn(codeReadOnly, false)
	case !errors.Is(err, ErrUnreachable):
		return ""
	case strings.Contains(err.Error(), "server refused TLS connection"): // pgx has no type for it
		return "turn TLS on at the server, or write sslmode=disable in the URL if the way to it is private"
	}
	return adviceAway
}

const adviceAway = "check the URL, and that the server runs and takes connections from here"

// adviceOn returns the advice for a server's error code.
func adviceOn(code string, withoutTLS bool) string {
	switch code {
	case "28P01":
		return "check the user in the URL and the password, which comes from PGPASSWORD, PGPASSFILE or the URL"
	case "28000":
		if withoutTLS {
			return "if the server wants TLS, write sslmode=verify-full in the URL; otherwise check the user in the URL, and the server's pg_hba.conf"
		}
		return "check the user in the URL, and the server's pg_hba.conf, which says who may connect from where"
	case "3D000":
		return "make the database, such as with createdb, or correct its name in the URL"
	case "42501", "3F000":
		return "make the user the owner of the database and of the tables in it, or let it use and create tables in the schema public"
	case codeLocked:
		return "end the session that has locked the tables, which pg_stat_activity shows, and try again"
	case codeTooMany:
		return "all connections are taken: lower pool_max_conns in the URL, raise the server's max_connections or the user's limit, or use a pooler"
	case "26000", "42P05", "08P01": // prepared statements that are there or not, and the protocol
		return "if there is a pooler such as PgBouncer on the way, write default_query_exec_mode=exec in the URL"
	case codeReadOnly:
		return "a replica takes no changes: name the primary in the URL, or all servers and target_session_attrs=read-write"
	case codeDiskFull:
		return "make room on the disk of the database"
	}
	return "the server's log says more"
}

// Passing reports whether an error may pass by itself: no server answers, or one is starting, stopping or full.
func Passing(err error) bool {
	refused := (*pgconn.PgError)(nil)
	if errors.As(err, &refused) {
		return isUnavailable(refused.Code)
	}
	return Advice(err) == adviceAway
}

// Advised adds what to do about it to the error of a database. Other errors stay as they are.
func Advised(err error) error {
	if advice := Advice(err); advice != "" {
		return fmt.Errorf("%w\n%s", err, advice)
	}
	return err
}
