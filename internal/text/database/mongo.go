package database

import (
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/text/sqltext"
)

// mongoKinds has the kinds of statements that the methods and commands of MongoDB are. Case does not count.
var mongoKinds = func() map[string]string {
	kinds := map[string]string{}
	for kind, names := range map[string]string{
		"DROP DATABASE": "dropDatabase",
		"DROP TABLE":    "drop dropCollection",
		"DROP INDEX":    "dropIndex dropIndexes deleteIndexes hideIndex dropSearchIndex",
		"DROP USER":     "dropUser dropAllUsers removeUser dropAllUsersFromDatabase",
		"DROP ROLE":     "dropRole dropAllRoles dropAllRolesFromDatabase",
		"DELETE":        "deleteOne deleteMany remove findOneAndDelete findAndRemove delete",
		"UPDATE":        "updateOne updateMany update replaceOne findOneAndUpdate findOneAndReplace findAndModify",
		"INSERT":        "insertOne insertMany insert save",
		"MERGE":         "bulkWrite initializeOrderedBulkOp initializeUnorderedBulkOp",
		"SELECT":        "find findOne aggregate count countDocuments estimatedDocumentCount distinct",
		"CREATE INDEX":  "createIndex createIndexes ensureIndex createSearchIndex",
		"CREATE TABLE":  "createCollection",
		"CREATE VIEW":   "createView",
		"CREATE USER":   "createUser addUser",
		"CREATE ROLE":   "createRole",
		"ALTER USER":    "updateUser changeUserPassword",
		"GRANT":         "grantRolesToUser grantPrivilegesToRole grantRolesToRole",
		"REVOKE":        "revokeRolesFromUser revokePrivilegesFromRole",
		"ALTER TABLE":   "collMod convertToCapped compact",
		"RENAME":        "renameCollection",
		"SHUTDOWN":      "shutdownServer shutdown",
		"KILL":          "killOp killSessions killAllSessions",
		"SHOW": `stats serverStatus getCollectionNames getCollectionInfos listCollections listDatabases getIndexes hello isMaster ping buildInfo
			currentOp hostInfo getMongo getName version printCollectionStats dataSize storageSize totalSize validate status conf explain`,
		"SHELL": "child_process execSync spawn spawnSync run runProgram runMongoProgram",
		"FILE":  "load cat removeFile writeFile writeFileSync readFileSync copyFile",
		"":      "eval Function mapReduce $where",
	} {
		for name := range strings.FieldsSeq(names) {
			kinds[strings.ToLower(name)] = kind
		}
	}
	return kinds
}()

// mongoStatements finds what code for the shell of MongoDB asks for. It looks for the names of methods, and of commands in objects,
// wherever they are. A name that is computed could be any.
func mongoStatements(code string) (found []sqltext.Statement, certain bool) {
	certain = true
	for i := 0; i < len(code); {
		switch c := code[i]; {
		case isNameByte(c):
			start := i
			for i < len(code) && isNameByte(code[i]) {
				i++
			}
			found = appendCall(found, code[start:i], code[i:])
		case c == '"' || c == '\'' || c == '`':
			end := stringEnd(code, i)
			text := strings.Trim(code[i:end], "\"'`")
			if isMember(code, i, end) {
				found = appendCall(found, text, "("+afterMember(code[end:]))
			} else {
				found = appendCall(found, text, strings.TrimLeft(code[end:], " \t\n")) // the name of a command: {"drop": "x"}
			}
			i = end
		case c == '[':
			if i++; isIndex(code[:i-1]) && !plainIndex(code[i:]) {
				found = append(found, sqltext.Statement{}) // db[x]() could be any method
			}
		default:
			i++
		}
	}
	if words := strings.Fields(code); len(found) == 0 && len(words) > 0 {
		switch words[0] {
		case "show", "help", "it":
			return []sqltext.Statement{{Kind: "SHOW"}}, true
		case "use":
			return []sqltext.Statement{{Kind: "USE"}}, true
		}
		return []sqltext.Statement{{Kind: "OTHER"}}, false
	}
	return found, certain
}

// appendCall adds the statement of a name, if a call or a command's value follows it.
func appendCall(found []sqltext.Statement, name, after string) []sqltext.Statement {
	kind, known := mongoKinds[strings.ToLower(name)]
	rest := strings.TrimLeft(after, " \t\n")
	called := strings.HasPrefix(rest, "(")
	switch {
	case name == "child_process":
		return append(found, sqltext.Statement{Kind: "SHELL"})
	case !known, !called && !strings.HasPrefix(rest, ":"):
		return found
	case !called && (kind == "SHOW" || kind == "SELECT" && name != "find" && name != "aggregate"):
		return found // a field of that name
	}
	s := sqltext.Statement{Kind: kind}
	if (kind == "CREATE USER" || kind == "GRANT" || kind == "ALTER USER") && administers.MatchString(rest) {
		found = append(found, sqltext.Statement{Kind: "ADMIN"})
	}
	if kind == "DELETE" || kind == "UPDATE" {
		s.NoWhere = called && matchesAll(rest[1:])
	}
	return append(found, s)
}

// administers matches the roles that may do everything.
var administers = regexp.MustCompile(`["'](?:root|__system|\w+AnyDatabase|clusterAdmin|hostManager)["']`)

// matchesAll reports whether the first argument of a call selects every document.
func matchesAll(args string) bool {
	args = strings.TrimLeft(args, " \t\n")
	if strings.HasPrefix(args, ")") || strings.HasPrefix(args, "null") || strings.HasPrefix(args, "undefined") {
		return true
	}
	inner, ok := strings.CutPrefix(args, "{")
	inner = strings.TrimLeft(inner, " \t\n")
	if !ok {
		return false
	}
	if strings.HasPrefix(inner, "}") {
		return true
	}
	// {_id: {$exists: true}} and {_id: {$ne: null}} select all.
	plain := strings.NewReplacer(" ", "", "\"", "", "'", "").Replace(inner[:min(len(inner), 64)])
	for _, everything := range []string{"_id:{$exists:true}}", "_id:{$ne:null}}", "$expr:true}"} {
		if strings.HasPrefix(plain, everything) {
			return true
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// stringEnd returns the position after a string that begins at i.
func stringEnd(code string, i int) int {
	for j := i + 1; j < len(code); j++ {
		switch code[j] {
		case '\\':
			j++
		case code[i]:
			return j + 1
		}
	}
	return len(code)
}

// isMember reports a string that is the name of a member: ["drop"].
func isMember(code string, start, end int) bool {
	return strings.HasSuffix(strings.TrimRight(code[:start], " "), "[") && strings.HasPrefix(strings.TrimLeft(code[end:], " "), "]")
}

// afterMember returns what follows the call of such a member, after its parenthesis.
func afterMember(code string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(code, " "), "]"), " ")
	return strings.TrimPrefix(rest, "(")
}

// isIndex reports that a bracket after that code selects a member, and does not begin a list.
func isIndex(before string) bool {
	before = strings.TrimRight(before, " \t\n")
	if before == "" {
		return false
	}
	last := before[len(before)-1]
	return isNameByte(last) || last == ')' || last == ']'
}

// plainIndex reports that a bracket holds one string, or that no call follows it.
func plainIndex(code string) bool {
	const longest = 256
	end := strings.IndexByte(code[:min(len(code), longest)], ']')
	if end < 0 {
		return len(code) < longest
	}
	inner := strings.TrimSpace(code[:end])
	if !strings.HasPrefix(strings.TrimLeft(code[end+1:], " "), "(") {
		return true
	}
	return len(inner) > 1 && strings.Trim(inner[1:len(inner)-1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" &&
		strings.ContainsAny(inner[:1], "\"'`")
}
