package program

// tools are tools of frameworks, of migrations and of clouds. Where the database of most of them is stands in files and variables.
var tools = []*Client{
	{
		Names: "prisma", Variables: urlVariables + " NODE_ENV", Options: `schema: force f skip-seed skip-generate name: n: create-only force-reset
		accept-data-loss preview-feature file< url@ stdin config: print`,
		Tasks: "migrate reset = DROP DATABASE\ndb push -force-reset = DROP DATABASE\ndb push -accept-data-loss = DROP TABLE\ndb execute = ",
	},
	{
		Names: "rails rake", Develops: true, Variables: "RAILS_ENV RACK_ENV DATABASE_URL",
		Options:   "e,environment: f,rakefile: t,trace? s,silent q,quiet n,dry-run P T?",
		Databases: "e environment", Tasks: `
		~db:drop*|db:reset*|db:purge*|db:schema:load*|db:structure:load*|db:migrate:reset*|db:test:purge|db:setup* = DROP DATABASE
		~db:truncate_all*|db:seed:replant* = TRUNCATE
		db|dbconsole =`, Models: "runner r console c",
	},
	{
		Names: "manage.py django-admin django", Variables: urlVariables + " DJANGO_SETTINGS_MODULE", Databases: "settings database",
		Options: `settings: pythonpath: database: v,verbosity: no-input noinput traceback force-color no-color skip-checks fake fake-initial plan
		run-syncdb check router: D c close-sessions R`,
		Tasks:  "flush = TRUNCATE\nreset_db = DROP DATABASE\nreset_schema = DROP SCHEMA\nmigrate * zero !plan = DROP TABLE\ndbshell =",
		Models: "shell shell_plus",
	},
	{
		Names: "sequelize sequelize-cli", Develops: true,
		Variables: urlVariables + " NODE_ENV", Databases: "env", Options: `env: url@ config: options-path:
		migrations-path: seeders-path: models-path: debug name: to: from: s,seed: force`,
		Tasks: `db:drop = DROP DATABASE
			db:migrate:undo:all = DROP TABLE
			db:migrate:undo = ALTER TABLE
			db:seed:undo:all = DELETE without WHERE`,
	},
	{
		Names: "typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm", Variables: urlVariables + " NODE_ENV", Databases: "d dataSource",
		Options: "d,dataSource: f,config: c,connection: t,transaction: fake",
		Tasks:   "schema:drop = DROP SCHEMA\nschema:sync = ALTER TABLE\nquery = ",
	},
	{
		Names: "drizzle-kit", Variables: urlVariables + " NODE_ENV", Databases: "config", Options: `config: dialect: schema: out: url@ driver:
		force
		verbose strict host@ port: user: password: database: ssl: tablesFilter: schemaFilters:`,
		Tasks: "drop = DROP TABLE\npush -force = DROP TABLE",
	},
	{
		Names: "knex", Develops: true, Variables: urlVariables + " NODE_ENV", Databases: "env",
		Options: "env: knexfile: client: connection@ all esm cwd: debug migrations-directory: specific:",
		Tasks:   "migrate:rollback -all = DROP TABLE\nmigrate:rollback|migrate:down !all = ALTER TABLE",
	},
	{
		Names: "alembic", Variables: urlVariables + " ENV", Databases: "x n name", Options: "c,config: n,name: x: sql tag: rev-range: raiseerr",
		Tasks: "downgrade base !sql = DROP TABLE\ndowngrade !sql = ALTER TABLE",
	},
	{
		Names: "flask", Variables: urlVariables + " FLASK_ENV", Databases: "x", Options: "app: A: e,env-file: d,directory: debug x: sql tag:",
		Tasks: "db downgrade base !sql = DROP TABLE\ndb downgrade !sql = ALTER TABLE", Models: "shell",
	},
	{
		Names: "flyway", Variables: urlVariables + " FLYWAY_URL", Style: Dashed, Databases: "environment configFiles",
		Options: `url@ user: password: schemas:
		locations: configFiles: environment: cleanDisabled: table: target: X q`,
		Tasks: "~clean = DROP SCHEMA\n~undo = ALTER TABLE",
	},
	{
		Names: "liquibase", Variables: urlVariables + " LIQUIBASE_COMMAND_URL", Databases: "contexts", Options: `url@ username: password:
		changelog-file: changeLogFile: classpath: driver: defaults-file: defaultsFile: contexts: labels: log-level: logLevel: force requireForce`,
		Tasks: "~dropAll|drop-all|dropall = DROP SCHEMA\n~rollback* = ALTER TABLE",
	},
	{
		Names: "artisan", Variables: urlVariables + " APP_ENV", Databases: "env database", Options: `env: database: path: realpath force seed
		seeder: step?
		drop-views drop-types pretend n,no-interaction q,quiet v schema-path:`,
		Tasks: `migrate:fresh|migrate:reset|migrate:refresh !pretend = DROP TABLE
			db:wipe = DROP TABLE
			migrate:rollback !pretend = ALTER TABLE
			db =`, Models: "tinker",
	},
	{
		Names: "mix", Develops: true, Variables: urlVariables + " MIX_ENV",
		Options: "r,repo: f,force q,quiet no-compile no-deps-check all n,step: to: v: prefix: force-drop",
		Tasks:   "~ecto.drop|ecto.reset = DROP DATABASE\n~ecto.rollback -all = DROP TABLE\n~ecto.rollback !all = ALTER TABLE",
		Models:  "run eval",
	},
	{
		Names: "doctrine console doctrine-migrations", Variables: urlVariables + " APP_ENV", Databases: "e env em connection",
		Options: `e,env: em: connection: c: f,force full-database dump-sql complete if-exists n,no-interaction q,quiet v purge-with-truncate
		append
		purger: group:`,
		Tasks: `doctrine:database:drop|orm:database:drop -force|f = DROP DATABASE
			doctrine:schema:drop|orm:schema-tool:drop -force|f = DROP SCHEMA
			doctrine:schema:update|orm:schema-tool:update -force|f = ALTER TABLE
			doctrine:fixtures:load !append = DELETE without WHERE
			doctrine:migrations:migrate|migrations:migrate first = DROP TABLE`, Language: SQL, Statements: 2,
	},
	{
		Names: "dotnet", Develops: true,
		Variables: "ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT", Databases: "connection", Options: `c,context: p,project:
		s,startup-project: f,force dry-run framework: configuration: no-build connection: v,verbose`,
		Tasks: "ef database drop !dry-run = DROP DATABASE\nef database update 0 = DROP TABLE",
	},
	{
		Names: "dotnet-ef", Develops: true,
		Variables: "ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT", Databases: "connection", Options: `c,context: p,project:
		s,startup-project:
		f,force dry-run framework: configuration: no-build connection: v,verbose`,
		Tasks: "database drop !dry-run = DROP DATABASE\ndatabase update 0 = DROP TABLE",
	},
	{
		Names: "supabase", Develops: true,
		Default: Local, Databases: "db-url", Options: `db-url@ linked local debug workdir: experimental no-seed version:
		p,password: project-ref:
		profile: dns-resolver: yes last:`,
		Tasks: "db reset = DROP DATABASE\nprojects delete = DROP DATABASE\ndb push = ALTER TABLE",
	},
	{
		Names: "hasura", Variables: "HASURA_GRAPHQL_ENDPOINT", Databases: "database-name", Options: `endpoint@ admin-secret: database-name:
		all-databases project:
		envfile: down: up: goto: version: type: skip-execution no-color log-level: all from-server server`,
		Tasks: "migrate apply -down = DROP TABLE\nmigrate delete = DELETE\nmetadata clear = DROP SCHEMA",
	},
	{
		Names: "heroku", Language: SQL, Default: Cloud, Options: "c,command; f< a,app: r,remote: confirm: s,size:",
		Tasks: "pg:reset = DROP DATABASE",
	},
	{
		Names: "wrangler", Language: SQL, Options: `command; file< local remote config: c: env: e: persist-to: y,yes json batch-size: preview
		cwd: name: port: ip: var: define: binding: namespace-id: from: skip-confirmation`,
		Tasks: "d1 delete = DROP DATABASE",
	},
	{
		Names: "goose migrate dbmate diesel sqlx refinery", Variables: urlVariables + " GOOSE_DBSTRING", Databases: "database-url D",
		Style:   Dashed,
		Options: `dir: table: path: source: database@ database-url@ u@ url@ e,env: d: migrations-dir: D@ y f,force v verbose all`,
		Tasks: `~drop|reset = DROP DATABASE
			~down-to = DROP TABLE
			~down|rollback|revert = ALTER TABLE`,
	},
	{
		Names: "mvn mvnw gradle gradlew", Options: "P: D: f: p: b: s: q o x: T: pl: am U B e X i",
		Tasks: "~flyway:clean|flywayClean|liquibase:dropAll|dropAll = DROP SCHEMA",
	},
	{
		Names: "aws", Language: SQL, Default: Cloud, Options: `sql; sqls; query-string; statement; endpoint-url@ database: region: profile:
		output: query: resource-arn: secret-arn: cluster-identifier: workgroup-name: cli-input-json: no-cli-pager debug`,
		Tasks: "rds-data|redshift-data batch-execute-statement =",
	},
	{
		Names: "gcloud", Language: SQL, Default: Cloud,
		Options: "sql; project: account: configuration: format: filter: instance: database: u,user: q,quiet",
		Tasks:   "sql connect =",
	},
	{
		Names: "turso", Language: SQL, Statements: 4, Default: Cloud, Options: "proxy: instance: location: y,yes",
		Tasks: "db destroy = DROP DATABASE",
	},
	{
		Names: "wp", Options: "path: url: ssh: http: user: yes quiet debug allow-root defaults tables: dry-run force",
		Language: SQL, Statements: 3, Databases: "ssh url path",
		Tasks: `db reset|clean = DROP TABLE
			db drop = DROP DATABASE
			site empty = DELETE without WHERE
			site delete = DROP TABLE`,
		Models: "eval shell",
	},
	{
		Names: "drush", Options: "y,yes r,root: l,uri: database: target: db-url@ extra: q,quiet v", Language: SQL, Statements: 2,
		Databases: "l uri root", Tasks: `~sql-drop|sql:drop = DROP TABLE
			~sql-create|sql:create = DROP DATABASE
			~site-install|site:install|si = DROP DATABASE`, Models: "php:eval ev eval php-eval",
	},
	{
		Names: "mikro-orm mikro-orm-esm", Variables: urlVariables + " NODE_ENV",
		Options: "config: run r dump d drop-migrations-table drop-db fk-checks",
		Tasks: "schema:drop -run|r = DROP SCHEMA\nschema:fresh -run|r = DROP SCHEMA\n" +
			"migration:fresh = DROP SCHEMA\nmigration:down = ALTER TABLE",
	},
	{
		Names: "db-migrate node-pg-migrate", Variables: urlVariables + " NODE_ENV", Databases: "e env",
		Options: "e,env: config: m: d: count: c: to:",
		Tasks:   "reset|down|redo = ALTER TABLE\ndb:drop = DROP DATABASE",
	},
	{
		Names: "atlas", Variables: urlVariables, Databases: "env",
		Options: "u,url@ env: to: dev-url: schema: s: f: auto-approve dry-run c,config:",
		Tasks:   "schema clean = DROP SCHEMA\nschema apply -auto-approve !dry-run = ALTER TABLE\nmigrate down = ALTER TABLE",
	},
	{
		Names: "sqitch", Variables: urlVariables, Databases: "t target", Options: "t,target@ y to: d,db-name: h,db-host@ log-only",
		Tasks: "revert|rebase = DROP TABLE",
	},
	{
		Names: "tern", Variables: postgresVariables, Databases: "c config",
		Options: "d,destination: c,config: m,migrations: host@ database: e,environment:",
		Tasks:   "migrate -destination|d = ALTER TABLE",
	},
	{
		Names: "sea-orm-cli", Variables: urlVariables, Options: "u,database-url@ s,database-schema: d,migration-dir: n,num: v",
		Tasks: "migrate fresh|reset|refresh = DROP TABLE\nmigrate down = ALTER TABLE",
	},
	{
		Names: "aerich", Variables: urlVariables, Options: "c,config: app: v,version: d,delete yes",
		Tasks: "downgrade = ALTER TABLE",
	},
	{
		Names: "airflow superset", Variables: urlVariables + " AIRFLOW__DATABASE__SQL_ALCHEMY_CONN",
		Options: "y,yes s,skip-init v n,to-version: r:",
		Tasks:   "db reset = DROP DATABASE\ndb clean = DELETE\ndb downgrade = ALTER TABLE",
	},
	{
		Names: "db2", Language: SQL, Statements: 1, Options: "f,tvf< t v x z: o c m n s w p q",
	},
	{
		Names: "rman", Language: SQL, Options: "target: catalog: cmdfile< log: append using:",
	},
	{
		Names: "pscale", Language: SQL, Default: Cloud, Options: "org: format: force role: debug",
		Tasks: "database|db|branch delete = DROP DATABASE",
	},
}
