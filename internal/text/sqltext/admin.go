package sqltext

import "strings"

// administers says that a statement gives rights over all that a server has: to everybody, from anywhere, to give them on, or the role
// of those who administer it.
func administers(tokens []token) bool {
	verb := tokens[0].word
	if verb != "GRANT" && verb != "ALTER" && verb != "CREATE" {
		return false
	}
	object := ""
	if verb != "GRANT" {
		if object, _ = objectOf(tokens); object != "USER" && object != "ROLE" && object != "LOGIN" && object != "GROUP" && object != "SERVER" {
			return false
		}
	}
	for i, t := range tokens[1:] {
		next := ""
		if i+2 < len(tokens) {
			next = strings.ToUpper(tokens[i+2].text)
		}
		word := strings.ToUpper(t.text)
		switch {
		case t.kind == tokenString:
		case administrators[word] && (verb == "GRANT" || word == "SUPERUSER" || object == "SERVER" || object == "ROLE"):
			return true
		case verb != "GRANT":
		case (word == "GRANT" || word == "ADMIN") && next == "OPTION", word == "TO" && next == "PUBLIC", word == "@" && next == "%":
			return true
		case word == "ON" && next == "*" && i+4 < len(tokens) && tokens[i+3].text == "." && tokens[i+4].text == "*":
			return true
		}
	}
	return false
}

// administrators are the roles and rights of those who administer a server.
var administrators = set(`SUPERUSER DBA SYSDBA SYSADMIN SECURITYADMIN SERVERADMIN DB_OWNER ACCOUNTADMIN ORGADMIN RDS_SUPERUSER
	CLOUDSQLSUPERUSER AZURE_PG_ADMIN`)
