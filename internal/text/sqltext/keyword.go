package sqltext

import "strings"

// verbs are the words that begin statements.
var verbs = set(`SELECT INSERT UPDATE DELETE MERGE REPLACE UPSERT TRUNCATE DROP CREATE ALTER RENAME COMMENT GRANT REVOKE DENY WITH VALUES
	TABLE
	EXPLAIN DESCRIBE DESC SHOW PRAGMA USE SET RESET BEGIN START COMMIT ROLLBACK END SAVEPOINT RELEASE LOCK UNLOCK CALL EXEC EXECUTE PREPARE
	DEALLOCATE DO COPY LOAD IMPORT VACUUM ANALYZE ANALYSE REINDEX CLUSTER REFRESH CHECKPOINT LISTEN NOTIFY UNLISTEN DISCARD DECLARE FETCH
	CLOSE MOVE ATTACH DETACH BACKUP RESTORE SHUTDOWN KILL FLUSH PURGE OPTIMIZE REPAIR HANDLER INSTALL UNINSTALL SYSTEM SOURCE GO DELIMITER
	REASSIGN SECURITY BULK OPENROWSET DBCC RECONFIGURE DUMP UNLOAD EXPORT CHANGE STOP RESTART CLONE HELP BINLOG CACHE XA ABORT FLASHBACK AUDIT
	NOAUDIT DISASSOCIATE ASSOCIATE UNDROP PUT GET REMOVE`)

// objects are the kinds of objects that CREATE, ALTER and DROP work on.
var objects = set(`TABLE DATABASE SCHEMA VIEW INDEX FUNCTION PROCEDURE TRIGGER SEQUENCE TYPE DOMAIN USER ROLE GROUP EXTENSION LANGUAGE
	POLICY
	RULE SERVER TABLESPACE COLLATION CONVERSION CAST AGGREGATE OPERATOR PUBLICATION SUBSCRIPTION STATISTICS EVENT LOGIN SYNONYM PACKAGE PROFILE
	KEYSPACE PARTITION ASSEMBLY CERTIFICATE ENDPOINT CREDENTIAL ROUTINE TRANSFORM OWNED PREPARE SYSTEM SESSION INSTANCE WAREHOUSE STAGE STREAM
	TASK PIPE DIRECTORY LIBRARY CLUSTER DEFAULT`)

// modifiers are the words between a verb and its object.
var modifiers = set(`OR REPLACE TEMP TEMPORARY UNLOGGED UNIQUE CLUSTERED NONCLUSTERED FULLTEXT SPATIAL MATERIALIZED RECURSIVE FORCE
	PUBLIC FOREIGN
	CONSTRAINT GLOBAL LOCAL VIRTUAL EXTERNAL TRANSIENT EDITIONABLE BITMAP COLUMNSTORE DEFINER ALGORITHM AGGREGATE TRUSTED PROCEDURAL EVENT
	ACCESS
	DATA USER UNDO ONLINE OFFLINE IGNORE COLUMN DYNAMIC ICEBERG SNAPSHOT HYBRID SECURE`)

// objectNames maps the names of objects, and their plurals, to the names.
var objectNames = func() map[string]string {
	out := map[string]string{"POLICIES": "POLICY", "INDEXES": "INDEX", "INDICES": "INDEX"}
	for name := range objects {
		out[name] = name
		if !strings.HasSuffix(name, "S") && out[name+"S"] == "" {
			out[name+"S"] = name
		}
	}
	return out
}()

var others = set(`FROM INTO SET WHERE AS ON IF EXISTS NOT TRUE FALSE NULL AND LIKE IS IN BETWEEN HAVING ORDER LIMIT RETURNING UNION
	INTERSECT EXCEPT
	PROGRAM STDIN STDOUT TO OUTFILE DUMPFILE INFILE IMMEDIATE LOW_PRIORITY QUICK ONLY TOP CURRENT OUTPUT USING WHEN OPTION GROUP
	SP_EXECUTESQL TABLE_TO_XML QUERY VERBOSE FORMAT PLAN ANALYZE ANALYSE DUPLICATE
	THEN ELSE LOOP KEY FOR DELAYED HIGH_PRIORITY OVERWRITE CONFLICT`)

// objectName returns the kind of object that a word names, or "".
func objectName(t token) string {
	if t.kind != tokenWord || len(t.text) > maxKeyword {
		return ""
	}
	return objectNames[strings.ToUpper(t.text)]
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

// keywords maps each known word to itself, so that a lookup makes no copy.
var keywords = func() map[string]string {
	out := map[string]string{}
	for _, from := range []map[string]bool{verbs, objects, modifiers, others} {
		for word := range from {
			out[word] = word
		}
	}
	for _, from := range []map[string]string{effects, calls} {
		for word := range from {
			out[word] = word
		}
	}
	return out
}()

// maxKeyword is longer than any keyword.
const maxKeyword = 40

// keyword returns a known word in upper case; "" for others.
func keyword(text string) string {
	var b [maxKeyword]byte
	if len(text) > maxKeyword {
		return ""
	}
	for i := range len(text) {
		c := text[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		b[i] = c
	}
	return keywords[string(b[:len(text)])]
}
