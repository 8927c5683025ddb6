package program

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Client is a program that speaks to a database: one that takes statements, or a tool with commands that change a whole database.
// In its options ; is a statement, < is a script of statements, and @ is the database's host or URL.
type Client struct {
	Names   string
	Options string
	Style   Style
	// Language is what its statements are written in; "": it takes none.
	Language Language
	// Statements is the operand at which statements begin, counted from one; 0: its operands are none.
	Statements int
	// Target is the number of operands at the begin that name the host, the URL, the database or its file.
	Target int
	// Databases are the options that name the database or the environment.
	Databases string
	// Variables are the variables of the environment that name the host, the URL, the database or the environment.
	Variables string
	// Default says where its database is if the command does not say so.
	Default Location
	// Develops says that it works on a developer's own database where no environment is named.
	Develops bool
	// Hosts says how it writes hosts.
	Hosts Hosts
	// Idle are the options with which it does nothing but answer, as with --version.
	Idle string
	// Tasks are its commands that change a database, one on each line: words, = and a kind of statement; no kind: it could be any. The words
	// are those of its first operands, in that order, with alternatives separated by bars, and * for any text. ~ before them means
	// anywhere among the operands, - an option that must be given, and ! one that must not be.
	Tasks string
	// Models are its commands that run code with the models of an application, whose methods change a database.
	Models string

	entry *Entry
}

// A Language is what statements are written in.
type Language string

// These are the languages.
const (
	SQL   Language = "sql"
	Redis Language = "redis"
	Mongo Language = "mongo"
)

// A Location is where a database is.
type Location uint8

// These are the locations.
const (
	Configured Location = iota // a file or a variable says so
	Local                      // on this machine
	Cloud                      // not on this machine
)

// Entry is the client's entry, with its options.
func (c *Client) Entry() *Entry { return c.entry }

// clientIndex finds the clients by name.
var clientIndex = map[string]*Client{}

// addClients adds the clients, and their entries where a program has none. Others have subcommands beside those for databases.
func addClients() {
	for _, c := range clients {
		c.entry = &Entry{Names: c.Names, Options: c.Options, Style: c.Style, Hosts: c.Hosts}
		for name := range strings.FieldsSeq(c.Names) {
			clientIndex[name] = c
			if index[name] == nil {
				index[name] = c.entry
			}
		}
	}
}

// LookupClient returns what is known of a program that speaks to a database, or nil. If a part of its name is unknown, it is the first
// client that it could be.
func LookupClient(path string) *Client {
	name := Name(path)
	if c := clientIndex[name]; c != nil {
		return c
	}
	if !utf8.ValidString(name) {
		return clientLike(name)
	}
	return clientIndex[strings.TrimRight(name, "0123456789.-")]
}

// clientLike returns the first client that a name with unknown parts could mean. Most of the name must be known.
func clientLike(name string) *Client {
	const longest = 64
	if len(name) > longest {
		return nil
	}
	known := 0
	for i := range len(name) {
		if name[i] < utf8.RuneSelf {
			known++
		}
	}
	for _, c := range clients {
		for full := range strings.FieldsSeq(c.Names) {
			if 2*known >= len(full) && couldBe(name, full) {
				return c
			}
		}
	}
	return nil
}

// These are variables that several clients know.
const (
	postgresVariables = "PGHOST PGHOSTADDR PGDATABASE PGSERVICE"
	urlVariables      = "DATABASE_URL DB_URL DATABASE_URI DB_HOST DB_DATABASE DB_NAME"
)

var clients = slices.Concat(askers, tools)

// askers are programs that take statements, or whose only work is one on a database.
var askers = []*Client{
	{
		Names: "psql pgcli", Hosts: Connects, Language: SQL, Target: 1, Databases: "d dbname", Default: Local, Variables: postgresVariables,
		Idle: "V version l list ? help",
		Options: `c,command; f,file< d,dbname: h,host@ p,port: U,username: o,output> L,log-file> v,set,variable: F,field-separator:
		R,record-separator: P,pset: T,table-attr: a,echo-all b,echo-errors e,echo-queries E,echo-hidden l,list n,no-readline q,quiet
		s,single-step S,single-line A,no-align H,html csv t,tuples-only x,expanded X,no-psqlrc z 0 1,single-transaction w,no-password
		W,password V,version ?,help?`,
	},
	{
		Names: "mysql mariadb mysqlsh mycli", Hosts: Connects, Language: SQL, Target: 1,
		Databases: "D database schema login-path defaults-file defaults-extra-file",
		Default:   Local, Variables: "MYSQL_HOST", Idle: "V version ? help",
		Options: `e,execute; D,database: schema: h,host@ P,port: u,user: p,password? S,socket@ init-command; uri@
		f,force
		file< sql js py defaults-file: defaults-extra-file: default-character-set: delimiter: pager$ tee> plugin-dir: protocol: ssl-ca:
		ssl-cert: ssl-key: ssl-mode: max-allowed-packet: connect-timeout: login-path: A,no-auto-rehash B,batch b C,compress G g H,html i L
		N,skip-column-names n o q,quick r,raw s,silent t,table v,verbose V,version w W X,xml E,vertical T ?,help`,
	},
	{
		Names: "sqlite3 sqlite litecli", Language: SQL, Statements: 2, Target: 1, Default: Local, Idle: "version help", Style: Dashed,
		Options: `cmd; init< separator: newline: nullvalue: A? bail batch column csv header noheader html json line list markdown memtrace
		mmap: quote readonly safe stats table tabs box echo interactive vfs: zip version help ascii nofollow deserialize append`,
	},
	{
		Names: "duckdb", Language: SQL, Statements: 2, Target: 1, Default: Local, Idle: "version help", Style: Dashed,
		Options: `c; s; cmd; f< init< separator: newline: nullvalue: bail batch box column csv echo header noheader html json jsonlines line
		list markdown no-stdin quote readonly storage-version: table unsigned version help ui unredacted safe`,
	},
	{
		Names:    "clickhouse-client clickhouse clickhouse-local",
		Language: SQL, Databases: "d database", Default: Local, Variables: "CLICKHOUSE_HOST",
		Idle: "V version help",
		Options: `q,query; queries-file< h,host@ port: u,user: password: d,database: C,config-file: c: format: f: m,multiline n,multiquery
		secure t,time client local server E,vertical help V,version param_? history_file: external name: structure: connection:`,
	},
	{
		Names: "sqlcmd osql isql mssql-cli tsql", Language: SQL, Databases: "d", Default: Local, Variables: "SQLCMDSERVER SQLCMDDBNAME",
		Idle: "? L version help",
		Options: `Q; q; i< o> S@ d: U: P: E G N C s: W h: w: v: x l: t: e I y: Y: f: m: V: r? b k? K: a: H: c: D: z: Z: g j M R u X? p? L?
		A version help ?`,
	},
	{
		Names: "invoke-sqlcmd invoke-dbaquery", Language: SQL, Databases: "database", Default: Local, Style: Dashed | Folds,
		Options: `query; inputfile,file< serverinstance,sqlinstance@ database: username: password: credential,sqlcredential: connectionstring:
		querytimeout: connectiontimeout: variable: outputas,as: trustservercertificate encrypt: erroraction: hostname: maxcharlength: verbose
		outputsqlerrors abortonerror disablevariables disablecommands includesqlusererrors parameter,sqlparameter: commandtype:`,
	},
	{Names: "sqlplus sqlplus64 sql sqlcl", Language: SQL, Target: 1, Idle: "V version H", Options: "S s L l R: M: C: F V H nolog version"},
	{
		Names: "cqlsh", Language: SQL, Target: 1, Databases: "k keyspace", Default: Local, Variables: "CQLSH_HOST", Idle: "version h help",
		Options: `e,execute; f,file< k,keyspace: u,username: p,password: C,color ssl debug cqlversion: protocol-version: connect-timeout:
		request-timeout: encoding: t,tty cqlshrc: credentials: b,secure-connect-bundle: insecure-password-without-warning version h,help`,
	},
	{
		Names: "snowsql snow", Language: SQL, Databases: "d dbname database", Default: Cloud, Idle: "v version ? help",
		Options: `q,query; f,filename< a,accountname: u,username: d,dbname,database: s,schemaname: h,host: p,port: w,warehouse: r,rolename:
		m,mfa-passcode: o,option: D,variable: c,connection: P,prompt N,noup? authenticator: private-key-path: v,version? ?,help sql`,
	},
	{
		Names: "bq", Language: SQL, Statements: 2, Default: Cloud, Options: `project_id: dataset_id: location: format: api: q,quiet headless
		use_legacy_sql? nouse_legacy_sql dry_run? n,max_rows: parameter: destination_table: replace? append_table? batch? f,force? r,recursive?
		d,dataset? t,table? j,job? m,model? allow_large_results? flagfile< synchronous_mode? maximum_bytes_billed: label:`,
		Idle: "dry_run", Tasks: "rm !t|table = DROP SCHEMA\nrm -t|table = DROP TABLE\nload|insert|cp = INSERT",
	},
	{
		Names: "cockroach", Language: SQL, Databases: "d database", Default: Local, Variables: "COCKROACH_URL COCKROACH_HOST COCKROACH_DATABASE",
		Options: `e,execute; f,file< url@ host@ p,port: u,user: d,database: certs-dir: insecure format: set: watch: echo-sql read-only s,store:
		listen-addr: http-addr: join: locality: cache: background`, Tasks: "node drain = SHUTDOWN",
	},
	{Names: "usql", Language: SQL, Target: 1, Idle: "V version help", Options: `c,command; f,file< w,no-password X,N,no-init
		o,out> W,password 1,single-transaction v,set: P,pset: F: R: T: A H t x z 0 J C G q,quiet V,version help`},
	{
		Names: "beeline hive impala-shell presto trino spark-sql phoenix-sqlline", Language: SQL, Databases: "d database catalog schema S",
		Options: `e,execute,query,q; f,file,query_file< u@ i@ server@ d: n: p: w: database: catalog: schema: S,silent o> hiveconf: hivevar: conf:
		master: user: k,kerberos B,delimited`,
	},
	{
		Names: "influx", Language: SQL, Style: Dashed, Default: Local, Databases: "database bucket b n", Variables: "INFLUX_HOST",
		Options: `execute; host@ port: database: username: password: format: precision: ssl unsafeSsl t,token: o,org: org-id: b,bucket: n,name:
		i,id: f,file: start: stop: p,predicate: c,active-config: skip-verify json hide-headers import path: compressed type: version`,
		Tasks: `delete !predicate = DELETE without WHERE
			delete = DELETE
			bucket|org|user delete = DROP DATABASE
			auth|task|secret|dashboards delete = DROP`,
	},
	{
		Names: "mongosh mongo", Language: Mongo, Target: 1, Databases: "db", Default: Local, Idle: "version h help",
		Variables: "MONGO_URL MONGODB_URI MONGO_HOST",
		Options: `eval; f,file< host@ port: u,username: p,password: db: authenticationDatabase: authenticationMechanism: quiet norc nodb shell
		json? tls ssl tlsCAFile: tlsCertificateKeyFile: tlsAllowInvalidCertificates apiVersion: retryWrites verbose version h,help`,
	},
	{
		Names: "redis-cli valkey-cli keydb-cli iredis", Hosts: Connects, Language: Redis, Statements: 1, Default: Local, Databases: "n",
		Idle:      "v version help bigkeys memkeys latency stat scan hotkeys",
		Variables: "REDIS_URL REDIS_HOST", Options: `h@ p: a: u,url@ n: r: i: s@ d: D: x X: c t: 2 3 e v user: pass: tls sni: cacert: cert:
		key: raw
		no-raw csv json scan pattern: bigkeys memkeys hotkeys pipe pipe-timeout: eval< ldb cluster: no-auth-warning rdb> functions-rdb> stat
		latency askpass verbose intrinsic-latency: count: version help quoted-pattern: dsn@`,
	},

	{
		Names: "dropdb", Target: 1, Default: Local, Variables: postgresVariables, Idle: "V version help",
		Options: "h,host@ p,port: U,username: e,echo f,force i,interactive if-exists maintenance-db: w,no-password W,password V,version help",
		Tasks:   "= DROP DATABASE",
	},
	{
		Names: "dropuser", Default: Local, Variables: postgresVariables, Idle: "V version help",
		Options: "h,host@ p,port: U,username: e,echo i,interactive if-exists w,no-password W,password V,version help", Tasks: "= DROP USER",
	},
	{
		Names: "createdb", Target: 1, Default: Local, Variables: postgresVariables, Idle: "V version help",
		Options: `h,host@ p,port: U,username: O,owner: E,encoding: l,locale: T,template: D,tablespace: lc-collate: lc-ctype: maintenance-db:
		e,echo
		w,no-password W,password V,version help`, Tasks: "= CREATE DATABASE",
	},
	{
		Names: "createuser", Default: Local, Variables: postgresVariables, Idle: "V version help", Options: `h,host@ p,port: U,username:
		s,superuser
		d,createdb r,createrole P,pwprompt e,echo g,role: c,connection-limit: interactive l,login i,inherit replication V,version help`,
		Tasks: "= CREATE USER",
	},
	{
		Names: "pg_restore", Databases: "d dbname", Default: Local, Variables: postgresVariables, Idle: "V version l list help",
		Options: `h,host@ p,port: U,username: d,dbname: f,file> F,format: j,jobs: L,use-list: n,schema: N: t,table: I: T: P: S,superuser:
		role: section:
		c,clean C,create a,data-only s,schema-only O,no-owner x,no-privileges v,verbose e,exit-on-error 1,single-transaction if-exists
		l,list w,no-password W,password V,version disable-triggers help`,
		Tasks: "-clean|c -dbname|d = DROP\n-dbname|d !clean|c = RESTORE",
	},
	{
		Names: "pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport", Databases: "d dbname db", Default: Local,
		Variables: postgresVariables,
		Options: `h,host@ p,port: P: U,username: u: d,dbname: f,file> F,format: j,jobs: n: N: t,table: T: s,schema-only a,data-only c,clean
		C,create
		uri@ o,out> db: collection: q,query: gzip archive? v,verbose`,
		Tasks: "= SELECT",
	},
	{
		Names: "mysqladmin mariadb-admin", Default: Local, Variables: "MYSQL_HOST", Options: `h,host@ P,port: u,user: p,password? S,socket@
		f,force c,count:
		i,sleep: defaults-file: defaults-extra-file: protocol: s,silent v,verbose V,version w,wait? r,relative b,no-beep`,
		Tasks: "drop = DROP DATABASE\ncreate = CREATE DATABASE\nshutdown = SHUTDOWN\npassword = ALTER USER",
	},
	{
		Names: "mongorestore mongoimport", Databases: "d db", Default: Local, Variables: "MONGO_URL MONGODB_URI",
		Options: `h,host@ port: uri@ u,username: p,password: d,db: c,collection: nsInclude: nsExclude: nsFrom: nsTo: drop dir: archive? gzip
		file< type:
		headerline mode: jsonArray dryRun authenticationDatabase: v,verbose numInsertionWorkersPerCollection: ssl tls fields: upsertFields:`,
		Tasks: "-drop !dryRun = DROP TABLE\n!drop !dryRun = INSERT",
	},
}
