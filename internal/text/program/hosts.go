package program

import "strings"

// Hosts are the ways in which a program writes hosts that mean something else elsewhere.
type Hosts uint8

const (
	// Logins: user@host.
	Logins Hosts = 1 << iota
	// Resolves: @host.
	Resolves
	// Connects: -xhost, a:b:host:c and $X.host.
	Connects
)

// LongestHosts is the length of the longest name of a program that writes hosts.
const LongestHosts = len("ssh-copy-id")

// HostsOf returns how the program of a name, in lower case, writes hosts.
func HostsOf(name string) Hosts {
	if e := index[name]; e != nil {
		return e.Hosts
	}
	return 0
}

// hostVariables are the variables that name the host of a client, by the names of its programs.
var hostVariables = func() map[string][]string {
	out := map[string][]string{}
	for names, variables := range map[string]string{
		"psql pg_dump pg_restore createdb dropdb pg_basebackup pgcli pg_dumpall vacuumdb reindexdb": "PGHOST PGHOSTADDR PGSERVICE",
		"mysql mariadb mysqldump mysqladmin mycli mysqlimport mysqlcheck mysqlshow":                 "MYSQL_HOST",
		"redis-cli valkey-cli":               "REDISCLI_HOST REDIS_HOST REDIS_URL",
		"mongosh mongo mongodump":            "MONGO_URL MONGODB_URI MONGO_HOST",
		"sqlcmd bcp":                         "SQLCMDSERVER",
		"cqlsh":                              "CQLSH_HOST",
		"clickhouse-client clickhouse":       "CLICKHOUSE_HOST",
		"influx":                             "INFLUX_HOST",
		"docker docker-compose":              "DOCKER_HOST",
		"podman":                             "CONTAINER_HOST DOCKER_HOST",
		"consul":                             "CONSUL_HTTP_ADDR",
		"vault bao openbao":                  "VAULT_ADDR BAO_ADDR VAULT_AGENT_ADDR",
		"nomad":                              "NOMAD_ADDR",
		"etcdctl":                            "ETCDCTL_ENDPOINTS",
		"gh":                                 "GH_HOST",
		"glab":                               "GITLAB_HOST",
		"aws":                                "AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3",
		"nats":                               "NATS_URL",
		"npm pnpm":                           "npm_config_registry NPM_CONFIG_REGISTRY",
		"pip pip3":                           "PIP_INDEX_URL PIP_EXTRA_INDEX_URL",
		"uv":                                 "UV_INDEX_URL UV_DEFAULT_INDEX",
		"curl wget git http https xh curlie": "http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY",
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = strings.Fields(variables)
		}
	}
	return out
}()

// HostVariables are the variables that name the host to which the program of a name, in lower case, connects.
func HostVariables(name string) []string { return hostVariables[name] }
