package deed

import (
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/shell"
)

// endsIn are the ends of the connections of a text.
func endsIn(text string) string {
	var out []string
	deeds := Find(shell.Read(text, shell.Start{}), nil)
	for i := range deeds {
		for _, e := range deeds[i].hosts {
			name := e.String()
			if e.here {
				name = "here"
			}
			if deeds[i].Verb == Connects && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return strings.Join(out, " ")
}

// The servers in connection strings of databases are ends of connections, wherever a client takes them.
func TestConnectionStrings(t *testing.T) {
	for text, want := range map[string]string{
		"psql -d 'host=db.example.com port=5433 dbname=x'":              "db.example.com:5433",
		"psql -d postgres://u:p@db.example.com/x":                       "db.example.com:5432",
		"psql --dbname=postgres://u:p@db.example.com:5/x -c 'select 1'": "db.example.com:5",
		"psql postgres://u:p@db.example.com/x":                          "db.example.com:5432",
		"psql 'host=db.example.com dbname=x'":                           "db.example.com:5432",
		"psql 'hostaddr=203.0.113.9 dbname=x'":                          "203.0.113.9:5432",
		"psql postgres://a.example.com:1,b.example.com:2/x":             "a.example.com:1 b.example.com:2",
		"psql 'postgres:///x?host=db.example.com'":                      "db.example.com:5432",
		"psql 'postgres:///x?host=/var/run/postgresql'":                 "here",
		"psql x":                  "here",
		"psql -d x -c 'select 1'": "here",
		`psql -c '\c postgres://db.example.com/x'`:                                "db.example.com:5432",
		`psql -c '\c x me db.example.com 5433'`:                                   "db.example.com:5433",
		`echo '\connect "host=db.example.com dbname=x"' | psql`:                   "db.example.com:5432",
		`psql -c "select dblink_exec('host=db.example.com dbname=x', 'q')"`:       "db.example.com:5432",
		"pg_dump -d postgres://db.example.com/x":                                  "db.example.com:5432",
		"pg_restore -d 'host=db.example.com' x.dump":                              "db.example.com:5432",
		"redis-cli -u redis://:p@db.example.com:6380/0 ping":                      "db.example.com:6380",
		"redis-cli -h db.example.com ping":                                        "db.example.com:6379",
		"mysqlsh --uri me@db.example.com:33060/x":                                 "db.example.com:33060",
		"mysqlsh mysql://me@db.example.com/x":                                     "db.example.com:3306",
		"mysqlsh me@db.example.com:3306":                                          "db.example.com:3306",
		"mycli mysql://me@db.example.com/x":                                       "db.example.com:3306",
		"mysql -h db.example.com x":                                               "db.example.com:3306",
		"mysql x":                                                                 "here",
		"mongosh mongodb+srv://u:p@a.example.net,b.example.net/":                  "a.example.net:27017 b.example.net:27017",
		"mongosh --host rs0/a.example.net:1,b.example.net:2":                      "a.example.net:1 b.example.net:2",
		"mongodump --uri mongodb://db.example.net/x":                              "db.example.net:27017",
		"sqlcmd -S tcp:db.example.com,1434 -Q 'select 1'":                         "db.example.com:1434",
		`sqlcmd -S 'db.example.com\sql1' -Q 'select 1'`:                           "db.example.com:1433",
		"sqlplus me/p@//db.example.com:1521/svc":                                  "db.example.com:1521",
		"usql postgres://db.example.com/x":                                        "db.example.com:5432",
		"beeline -u jdbc:hive2://db.example.com:10000/default":                    "db.example.com:10000",
		"flyway -url=jdbc:postgresql://db.example.com/x migrate":                  "db.example.com:5432",
		"liquibase --url=jdbc:mysql://db.example.com:3307/x update":               "db.example.com:3307",
		"DATABASE_URL=postgres://db.example.com/x prisma migrate deploy":          "db.example.com:5432",
		"DATABASE_URL=postgres://db.example.com/x npx prisma migrate deploy":      "db.example.com:5432",
		"export DATABASE_URL=postgres://db.example.com/x; rails db:migrate":       "db.example.com:5432",
		"DATABASE_URL=mysql://db.example.com/x diesel migration run":              "db.example.com:3306",
		"DATABASE_URL=postgresql+asyncpg://db.example.com/x alembic upgrade head": "db.example.com:5432",
		"DATABASE_URL=postgres://db.example.com/x python manage.py migrate":       "db.example.com:5432",
		"DATABASE_URL=postgres://db.example.com/x php artisan migrate":            "db.example.com:5432",
		"diesel migration run --database-url postgres://db.example.com/x":         "db.example.com:5432",
		"DATABASE_URL=postgres://db.example.com/x sqlx migrate run":               "db.example.com:5432",
		"DATABASE_URL=sqlite:///x.db prisma migrate dev":                          "",
		"prisma migrate dev":                                                      "",
		"sqlite3 x.db 'select 1'":                                                 "",
		"RAILS_ENV=test rails test":                                               "",
	} {
		if got := endsIn(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
