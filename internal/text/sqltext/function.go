package sqltext

import "strings"

// An effect is what a function or a procedure does although the statement with it may be a SELECT: the kind of a statement that does the
// same. anything says that it runs text that is not looked for here.
const anything = ""

// effects are functions and procedures by what they do, wherever their names stand.
var effects = effectsOf(map[string]string{
	"SHELL": `XP_CMDSHELL SYS_EXEC SYS_EVAL LOAD_EXTENSION SP_OACREATE SP_OAMETHOD DBMS_SCHEDULER DBMS_JOB DBMS_JAVA SP_START_JOB SP_ADD_JOB
		SP_ADD_JOBSTEP SP_EXECUTE_EXTERNAL_SCRIPT`,
	"FILE": `LOAD_FILE PG_READ_FILE PG_READ_BINARY_FILE PG_LS_DIR PG_LS_LOGDIR PG_LS_WALDIR PG_LS_TMPDIR PG_LS_ARCHIVE_STATUSDIR PG_STAT_FILE
		PG_FILE_WRITE PG_FILE_READ PG_FILE_UNLINK PG_FILE_RENAME PG_FILE_SYNC LO_IMPORT LO_EXPORT READFILE WRITEFILE UTL_FILE UTL_HTTP UTL_SMTP
		UTL_TCP UTL_INADDR UTL_MAIL DBMS_LDAP HTTPURITYPE XP_DIRTREE XP_FILEEXIST XP_SUBDIRS XP_CREATE_SUBDIR XP_DELETE_FILE XP_DELETE_FILES
		XP_COPY_FILE XP_COPY_FILES XP_REGREAD XP_REGWRITE XP_REGDELETEKEY XP_REGDELETEVALUE XP_REGENUMVALUES QUERY_EXPORT_TO_S3
		TABLE_IMPORT_FROM_S3 HTTP_POST HTTP_PUT SP_SEND_DBMAIL XP_SENDMAIL SP_ADDLINKEDSERVER DBLINK_CONNECT DBLINK_CONNECT_U`,
	"ADMIN": "SP_ADDSRVROLEMEMBER SP_ADDROLEMEMBER SP_ADDLOGIN",
	"KILL":  "PG_TERMINATE_BACKEND PG_CANCEL_BACKEND PG_DROP_REPLICATION_SLOT",
	anything: `DBLINK DBLINK_EXEC DBLINK_SEND_QUERY DBLINK_OPEN QUERY_TO_XML QUERY_TO_XML_AND_XMLSCHEMA QUERY_TO_XMLSCHEMA OPENQUERY
		OPENROWSET`,
	"ALTER SYSTEM": "SP_CONFIGURE",
})

// calls are functions that have the name of something else where no parenthesis follows.
var calls = effectsOf(map[string]string{
	"ALTER SEQUENCE": "SETVAL",
	"SET":            "SET_CONFIG",
	"ALTER SYSTEM": `PG_PROMOTE PG_RELOAD_CONF PG_ROTATE_LOGFILE PG_SWITCH_WAL PG_SWITCH_XLOG PG_WAL_REPLAY_PAUSE PG_WAL_REPLAY_RESUME
		PG_REPLICATION_SLOT_ADVANCE PG_CREATE_PHYSICAL_REPLICATION_SLOT PG_CREATE_LOGICAL_REPLICATION_SLOT PG_CREATE_RESTORE_POINT`,
	"BACKUP": "PG_START_BACKUP PG_BACKUP_START PG_STOP_BACKUP PG_BACKUP_STOP",
	"RESET":  "PG_STAT_RESET PG_STAT_RESET_SHARED PG_STAT_STATEMENTS_RESET",
	"NOTIFY": "PG_NOTIFY",
	"INSERT": "LO_CREATE LO_CREAT LO_FROM_BYTEA",
	"UPDATE": "LO_PUT LOWRITE LO_TRUNCATE",
	"DELETE": "LO_UNLINK",
	"FILE":   "HTTP_GET HTTP_DELETE HTTP_PATCH HTTP_REQUEST",
	"SHELL":  "EDIT LAMBDA_SYNC LAMBDA_ASYNC",
})

// effectsOf turns a table around: from each name to what it does.
func effectsOf(table map[string]string) map[string]string {
	out := map[string]string{}
	for kind, names := range table {
		for name := range strings.FieldsSeq(names) {
			out[name] = kind
		}
	}
	return out
}

// functions adds what functions and procedures do that a statement names.
func (r *reader) functions(tokens []token) {
	for i, t := range tokens {
		if t.kind == tokenString || t.word == "" && t.kind != tokenName {
			continue
		}
		word := t.word
		if word == "" {
			if word = keyword(t.text); word == "" {
				word = keyword(strings.Trim(t.text, "[]"))
			}
		}
		if kind, ok := effects[word]; ok {
			r.add(Statement{Kind: kind})
		}
		if kind, ok := calls[word]; ok && i+1 < len(tokens) && tokens[i+1].text == "(" && tokens[i+1].kind == tokenOther {
			r.add(Statement{Kind: kind})
		}
	}
}
