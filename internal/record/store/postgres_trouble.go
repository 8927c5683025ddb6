package store

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// postgresTroubles are listed by SQLSTATE, or by its first two characters, which are its class.
var postgresTroubles = map[string]trouble{
	"28":    {"the server refuses the login", "check user and password in store.url, and the server's pg_hba.conf"},
	"3D000": {"there is no such database", "create it or change store.url"},
	"3F000": {"there is no such schema", "create it or change search_path in store.url"},
	"42501": {"the role lacks rights", "grant what docs/store.md lists, and let the tables' owner run weir store migrate"},
	"42P01": {"a table is missing", "run weir store migrate"},
	"25006": {"the server only allows reading", "let store.url name the primary server"},
	"53100": {"disk full", "free space on the database server"},
	"53300": {"too many connections", "raise max_connections or end other programs; each weir needs up to six"},
	"53":    {"the server lacks resources", "check the database server"},
	"54":    {"event too large", "lower bounds.arguments"},
	"55P03": {"another transaction holds the tables", "end what locks them"},
	"57014": {"the server took too long", "check its load and what locks its tables"},
	"57":    {"the server is stopping or starting", "weir goes on by itself when it is back"},
	"58":    {"the server's disk fails", "check the database server"},
	"XX":    {"damaged database", "check the database server's log"},
}

func postgresTrouble(err error) (trouble, bool) {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		t, known := postgresTroubles[e.Code]
		if !known && len(e.Code) == 5 {
			t, known = postgresTroubles[e.Code[:2]]
		}
		return t, known
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[*net.OpError](err)
	switch {
	case pgconn.Timeout(err), connecting && errors.Is(err, context.DeadlineExceeded):
		return trouble{"no response in time", "check the server and the network; weir goes on by itself when it responds"}, true
	case connecting:
		return trouble{"cannot connect", "start the server, or check host and port in store.url"}, true
	case network, errors.Is(err, io.ErrUnexpectedEOF):
		return trouble{"the connection broke", "weir goes on by itself when the server is back"}, true
	}
	return trouble{}, false
}

func postgresPassing(err error) (goesAway, known bool) {
	if code := sqlState(err); code != "" {
		// Broken connections, missing resources, a server that stops or starts.
		return slices.Contains([]string{"08", "53", "57"}, code[:2]), true
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	goesAway = connecting || pgconn.Timeout(err)
	return goesAway, goesAway
}

// sqlState is the code of an error of the server, "" for any other error.
func sqlState(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}
