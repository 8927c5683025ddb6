package code

import (
	"regexp"
	"slices"
	"strings"
)

// Code names the host of a database where it connects, and gives statements later. So the hosts are collected first, and each statement
// is noted for all of them.

var (
	// openers match the names of functions that open a database, or describe how.
	openers = regexp.MustCompile(`(?i)(?:connect\w*|connection\w*|client|pool|engine|mysqli|pdo|open|dsn|sequel\w*|knex|redis\w*|valkey|` +
		`data_?source|database|dbi|elasticsearch|new|conn)(?:\(\))?$`)
	// databaseURL matches the address of a database.
	databaseURL = regexp.MustCompile(`(?i)^(?:jdbc:|dbi:)?(?:postgres(?:ql)?|mysql2?|mariadb|mssql|sqlserver|oracle|redis|rediss|valkey|` +
		`mongodb|cockroachdb|clickhouse|cassandra|redshift|snowflake|db2|tcp)(?:\+[\w.]+)?:(?:thin:)?(?:@)?//([^/?#;\s]+)`)
	// hostSetting matches a host among other settings, as in "host=h dbname=d", "Server=h;" and "user:p@tcp(h:3306)/d".
	hostSetting = regexp.MustCompile(`(?i)(?:^|[\s;:])(?:host|server|data source|hostaddr)\s*=\s*(?:tcp:)?([\w.-]+)|@tcp\(([\w.-]+)`)
	// fileDatabase matches the address of a database that is a file.
	fileDatabase = regexp.MustCompile(`(?i)^(?:jdbc:|dbi:)?(?:sqlite3?|duckdb)(?:\+\w+)?:(?:///|//)?(?:(?:dbname|database)=)?([^?;]+)`)
	// openedByPosition match the functions whose first argument is the host.
	openedByPosition = regexp.MustCompile(`(?i)mysqli|mysqli_connect|pymysql\.connect|MySQLdb\.connect|Redis(?:\(\)|\.new)?$|pymssql\.connect`)
	// plainHost matches what may be the name of a host.
	plainHost = regexp.MustCompile(`^[\w-]+(?:\.[\w-]+)+$`)
)

// maxHosts bounds the hosts of databases.
const maxHosts = 4

// opensDatabase collects the host that a call names, if it may open a database.
func (e *evaluator) opensDatabase(name string, c invocation) {
	if e.pass > 0 || len(e.databases) >= maxHosts || !openers.MatchString(name) {
		return
	}
	if host, ok := c.key("host", "hostname", "server", "Host", "Server", "addr", "Addr"); ok {
		e.databaseHost(host.texts)
	}
	for i, a := range c.args {
		if i == 0 && a.key == "" && openedByPosition.MatchString(name) && len(a.texts) == 1 && plainHost.MatchString(a.texts[0]) {
			e.databaseHost(a.texts)
		}
		e.databaseText(a.value)
		for _, item := range a.items {
			e.databaseText(item.value)
		}
	}
}

// databaseText collects the host in a text that describes a database.
func (e *evaluator) databaseText(v value) {
	for _, t := range v.texts {
		if found := databaseURL.FindStringSubmatch(t); found != nil {
			host := found[1][strings.LastIndexByte(found[1], '@')+1:]
			host, _, _ = strings.Cut(host, ",")
			e.databaseHost([]string{host})
		} else if found := fileDatabase.FindStringSubmatch(t); found != nil {
			e.dataFile(found[1])
		} else if found := hostSetting.FindStringSubmatch(t); found != nil {
			e.databaseHost([]string{found[1] + found[2]})
		}
	}
}

func (e *evaluator) databaseHost(texts []string) {
	for _, host := range texts {
		name, _, _ := strings.Cut(host, ":")
		if name != "" && !hasHole(name) && !strings.ContainsAny(name, " /=") {
			e.databases = more(e.databases, []string{name}, maxHosts)
		}
	}
}

// opensFile reads functions that open a database that is a file.
func opensFile(e *evaluator, c invocation) value {
	for _, file := range c.first("database", "path", "filename").texts {
		e.dataFile(file)
	}
	return value{}
}

// dataFile notes a database that is a file. It is read as soon as it is open; statements say what else is done to it.
func (e *evaluator) dataFile(file string) {
	file, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(file, "file://"), "file:"), "?")
	if strings.HasPrefix(file, ":") || saysNothing(file) {
		return
	}
	e.dataFiles = more(e.dataFiles, []string{file}, maxHosts)
}

// asksKeyring reads functions that ask the keyring of the person, or the browser, for a secret.
func asksKeyring(e *evaluator, _ invocation) value {
	e.note(Act{Words: []string{"secret-tool", "lookup", "service", Unknown}})
	return value{texts: []string{Unknown}}
}

// queries reads statements that are given to a database.
func queries(e *evaluator, c invocation) value {
	for _, v := range []value{c.arg(0), c.arg(1)} {
		for _, statement := range e.statements(v) {
			e.asked([]string{"psql"}, "-c", statement)
		}
	}
	return value{}
}

// statements are the texts of a value that are statements of SQL. Some libraries wrap them, as in execute(text("…")).
func (e *evaluator) statements(v value) []string {
	texts := v.texts
	if len(texts) == 0 && len(v.made) > 0 {
		texts = v.made[0].texts
	}
	if member, ok := v.member("text"); ok {
		texts = member.texts
	}
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return !isStatement(s) })
}

// isStatement reports a text that begins as statements of SQL do.
func isStatement(s string) bool {
	verb, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	rest = strings.ToLower(rest)
	switch strings.ToLower(strings.TrimSuffix(verb, ";")) {
	case "update":
		return strings.Contains(rest, "set ")
	case "delete":
		return strings.HasPrefix(strings.TrimSpace(rest), "from")
	case "select", "insert", "drop", "truncate", "alter", "create", "grant", "revoke", "with", "merge", "replace",
		"attach", "vacuum", "copy", "call":
		return strings.TrimSpace(rest) != ""
	}
	return false
}

// asked notes a command that asks a database, at each of the hosts that the code names.
func (e *evaluator) asked(client []string, words ...string) {
	for _, host := range e.databases {
		e.note(Act{Words: append(append(slices.Clone(client), "-h", host), words...)})
	}
	for _, file := range e.dataFiles {
		e.note(Act{Words: append([]string{"sqlite3", "--", file}, words[len(words)-1:]...)})
	}
	if len(e.databases) == 0 {
		e.note(Act{Words: append(slices.Clone(client), words...)})
	}
}

// flushes reads the methods that empty a store of keys.
func flushes(e *evaluator, _ invocation) value {
	if len(e.databases) > 0 {
		e.asked([]string{"redis-cli"}, "FLUSHALL")
	}
	return value{}
}

// dropsDocuments reads the methods that drop a database of documents, or empty a collection. Where the code names no host, they may be
// methods of something else.
func dropsDocuments(e *evaluator, c invocation) value {
	last := strings.ToLower(c.name[strings.LastIndexByte(c.name, '.')+1:])
	filter := c.arg(0)
	if strings.Contains(last, "delete") && len(filter.items) > 0 {
		return value{} // only those that match
	}
	if strings.HasSuffix(last, "drop") && c.count() > 0 {
		return value{}
	}
	for _, host := range e.databases {
		e.note(Act{Words: []string{"mongosh", "--host", host, "--eval", "db.dropDatabase()"}})
	}
	return value{}
}
