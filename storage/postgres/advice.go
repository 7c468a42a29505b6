package postgres

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// Advice for operators.
const (
	adviceAway    = "check the URL, and that the server runs and takes connections from here"
	adviceReplica = "a replica takes no changes: name the primary in the URL, or all servers and target_session_attrs=read-write"
	advicePooler  = "if there is a pooler such as PgBouncer on the way, write default_query_exec_mode=exec in the URL"
)

// Advice returns what an operator can do about an error of a server, or of the connection to it. It is empty for other
// errors.
func Advice(err error) string {
	switch code := codeOf(err); {
	case code == codeReadOnly, errors.Is(err, pgconn.ErrReadOnlyConnection):
		return adviceReplica
	case code == "26000", code == "42P05", code == "08P01": // a prepared statement is missing or there already; an error of the protocol
		return advicePooler
	case code != "":
		return "the server's log says more"
	case errors.Is(err, ErrUnreachable):
		return adviceAway
	}
	return ""
}

// Advised returns an error with its [Advice].
func Advised(err error) error {
	if advice := Advice(err); advice != "" {
		return fmt.Errorf("%w\n%s", err, advice)
	}
	return err
}
