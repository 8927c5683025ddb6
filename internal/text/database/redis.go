package database

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/sqltext"
)

// redisKinds has the kinds of statements that the commands of Redis are. A command of two words comes before its first word alone.
var redisKinds = func() map[string]string {
	kinds := map[string]string{}
	for kind, names := range map[string]string{
		"DROP DATABASE": "FLUSHALL FLUSHDB",
		"DELETE": `DEL UNLINK GETDEL HDEL SREM ZREM LREM LTRIM XDEL XTRIM ZREMRANGEBYLEX ZREMRANGEBYRANK ZREMRANGEBYSCORE SPOP LPOP RPOP BLPOP
			BRPOP ZPOPMIN ZPOPMAX JSON.DEL FT.DROPINDEX`,
		"SELECT": `GET MGET GETRANGE SUBSTR STRLEN EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME KEYS SCAN HSCAN SSCAN ZSCAN HGET
			HMGET HGETALL HKEYS HVALS HLEN HEXISTS HSTRLEN HRANDFIELD LRANGE LINDEX LLEN LPOS SMEMBERS SISMEMBER SMISMEMBER
			SCARD SINTER SUNION SDIFF SRANDMEMBER
			ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZSCORE ZMSCORE ZCARD ZCOUNT ZRANK ZREVRANK ZLEXCOUNT BITCOUNT GETBIT
			BITPOS PFCOUNT XRANGE XREVRANGE XLEN XREAD XINFO XPENDING GEOPOS GEODIST GEOSEARCH GEOHASH RANDOMKEY DUMP OBJECT DBSIZE JSON.GET
			JSON.MGET FT.SEARCH FT.AGGREGATE TS.RANGE TS.GET`,
		"SHOW": `PING ECHO INFO TIME MEMORY LASTSAVE COMMAND LATENCY SLOWLOG MONITOR ROLE HELLO AUTH QUIT CLUSTER SENTINEL PUBSUB LOLWUT READONLY
			READWRITE WAIT FT.INFO FT._LIST CLIENT SUBSCRIBE PSUBSCRIBE`,
		"USE":    "SELECT SWAPDB",
		"BEGIN":  "MULTI WATCH UNWATCH",
		"COMMIT": "EXEC", "ROLLBACK": "DISCARD",
		"UPSERT": `SET SETEX PSETEX SETNX MSET MSETNX APPEND GETSET SETRANGE SETBIT INCR INCRBY INCRBYFLOAT DECR DECRBY HSET HMSET HSETNX HINCRBY
			HINCRBYFLOAT LPUSH RPUSH LPUSHX RPUSHX LSET LINSERT LMOVE RPOPLPUSH SADD SMOVE SINTERSTORE SUNIONSTORE SDIFFSTORE ZADD ZINCRBY
			ZRANGESTORE ZINTERSTORE ZUNIONSTORE PFADD PFMERGE XADD XACK XCLAIM XGROUP XSETID GEOADD EXPIRE PEXPIRE EXPIREAT PEXPIREAT PERSIST
			TOUCH COPY RESTORE SORT JSON.SET BITFIELD BITOP PUBLISH TS.ADD`,
		"RENAME":   "RENAME RENAMENX MOVE",
		"SHUTDOWN": "SHUTDOWN FAILOVER",
		"GRANT":    "ACL",
		"SHELL":    "MODULE",
		"FILE":     "SAVE BGSAVE BGREWRITEAOF DEBUG",
		"":         "EVAL EVALSHA EVAL_RO FCALL FUNCTION SCRIPT MIGRATE SLAVEOF REPLICAOF",
	} {
		for name := range strings.FieldsSeq(names) {
			kinds[name] = kind
		}
	}
	return kinds
}()

// redis adds one command of Redis.
func (a *asked) redis(words []string) {
	if !utf8.ValidString(words[0]) {
		a.unknown()
		return
	}
	name := strings.ToUpper(words[0])
	kind, known := redisKinds[name]
	if !known {
		kind = "OTHER"
	}
	s := sqltext.Statement{Kind: kind}
	second := ""
	if len(words) > 1 {
		second = strings.ToUpper(words[1])
	}
	switch {
	case name == "CONFIG" && second == "GET":
		s.Kind = "SHOW"
	case name == "CONFIG" && second == "SET" && len(words) > 2 && wordList("dir dbfilename")[strings.ToLower(words[2])]:
		s.Kind = "FILE"
	case name == "CONFIG":
		s.Kind = "SET"
	case name == "ACL" && (second == "LIST" || second == "WHOAMI" || second == "CAT" || second == "GETUSER" || second == "USERS"):
		s.Kind = "SHOW"
	case name == "ACL" && slices.ContainsFunc(words, func(word string) bool {
		return strings.EqualFold(word, "+@all") || strings.EqualFold(word, "allcommands") || strings.EqualFold(word, "nopass")
	}):
		s.Kind = "ADMIN"
	case name == "CLIENT" && second == "KILL":
		s.Kind = "KILL"
	case name == "CLUSTER" && (second == "RESET" || second == "FLUSHSLOTS"):
		s.Kind = "DROP DATABASE"
	}
	if s.Kind == "DELETE" {
		for _, word := range words[1:] {
			s.NoWhere = s.NoWhere || !utf8.ValidString(word) // every key that another command lists
		}
	}
	a.statements = append(a.statements, s)
}
