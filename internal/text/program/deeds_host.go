package program

// HostTables say which words of programs name the other end of a connection. A line has names of programs and, after =, what is a host;
// one that begins with + continues the line before it:
//
//	url           every operand that is a URL or looks like a host
//	urls          every word with a scheme
//	first         the first operand; the second is a port if it is a number
//	login         the first operand, after user@
//	path          operands of the form host:path
//	at            operands after @
//	-h|--host     the value of an option
//	port=-p       the option with the port; :22 the usual port
//	quiet         it sends nothing
//	default       without a host it is this machine
const HostTables = `
curl = url --url -x|--proxy --preproxy --socks5 --socks5-hostname --socks4 --doh-url -e
wget wget2 = url
http https xh xhs httpie curlie = url --proxy
ffmpeg avconv = urls
aria2c axel lynx w3m links elinks wscat websocat grpcurl yt-dlp youtube-dl httpx ab wrk hey siege vegeta = url -u|--url
bombardier gobuster ffuf nikto sqlmap feroxbuster dirb = url -u|--url
invoke-webrequest iwr invoke-restmethod irm start-bitstransfer = url -uri -source -proxy
bitsadmin certutil mshta regsvr32 msiexec installutil rundll32 = urls
nc ncat netcat nc.traditional nc.openbsd telnet pwncat rustcat rcat tcpclient s6-tcpclient s6-tcpclient4 tcpconnect = first
tcping nping hping3 masscan nmap zmap = first
socat = socat
ssh autossh mosh slogin dropbear dbclient plink putty = login -J -W :22 port=-p
sshpass = none
scp rsync pscp unison = path urls :22
sftp psftp = path login urls :22
ztcp = first
dnscat2 dnscat = names --host|--domain
cryptcat sbd = first
powercat = -c port=-p
invoke-powershelltcp invoke-powershelludp invoke-powershellicmp invoke-powershelltcponeline = -ipaddress port=-port
invoke-conptyshell = first -remoteip
icmpsh = -t
resolve-dnsname = names -name
finger rdate ntpdate sntp = names at
snmptrap snmpset snmpinform = first :162
xterm = -display
logger = -n|--server
sshfs = path :22
ssh-copy-id = login :22 port=-p
ftp lftp tftp ncftp ncftpput ncftpget = first urls :21
smbclient = first urls :445
rdesktop xfreerdp vncviewer = first
ping ping6 traceroute tracepath mtr arping fping whois nslookup resolve-dnsname host dig drill kdig doggo resolvectl getent dog
+ delv adig unbound-host systemd-resolve dscacheutil dnslookup finger = names at quiet
telnet-ssl = first :23
gnutls-cli ftpput ftpget snmptrap snmpset nsca send_nsca = first
lp lpr = -h|-H
open xdg-open sensible-browser x-www-browser gnome-open kde-open wslview firefox google-chrome chromium brave-browser = urls
openssl = -connect -proxy
psql pg_dump pg_restore createdb dropdb pg_basebackup pgcli pg_dumpall vacuumdb reindexdb = urls -h|--host port=-p :5432 default
mysql mariadb mysqldump mysqladmin mycli mysqlimport = urls -h|--host port=-P :3306 default
redis-cli valkey-cli keydb-cli = urls -h port=-p :6379 default
mongosh mongo mongodump mongorestore mongoexport mongoimport = urls -h|--host port=--port :27017 default
sqlcmd bcp = -S :1433 default
cypher-shell = -a|--address|--uri urls :7687 default
surreal = --conn|-e|--endpoint urls :8000 default
cqlsh = first :9042 default
clickhouse-client clickhouse = -h|--host port=--port :9000 default
influx = --host
kcat kafkacat = -b
kafka-topics kafka-topics.sh kafka-console-producer kafka-console-producer.sh = --bootstrap-server
mosquitto_pub mosquitto_sub = -h :1883 port=-p
nats = -s|--server
ldapsearch ldapadd ldapmodify ldapdelete = -H -h :389
snmpwalk snmpget = first :161
git = urls gitpath
svn hg bzr jj = urls
docker podman = -H|--host urls
docker-compose = -H|--host
consul = -http-addr|--http-addr
vault bao openbao nomad = -address|--address
etcdctl = --endpoints :2379
kubectl oc = -s|--server
helm = urls
gh glab = --hostname
npm pnpm yarn bun = --registry|--proxy|--https-proxy urls
pip pip3 uv poetry pdm pipx = -i|--index-url|--extra-index-url|--proxy|--default-index urls
go = none
aws = --endpoint-url
sendmail msmtp = --host
swaks = -s|--server :25
mail mailx = none
chisel frpc bore ngrok cloudflared localtunnel lt zrok inlets pagekite gsocket gs-netcat = first urls
proxychains proxychains4 torsocks = none
mount mount.nfs mount.cifs = path
showmount rpcinfo = first
evil-winrm = -i
psexec psexec.py wmiexec.py smbexec.py secretsdump.py crackmapexec nxc = at first
test-netconnection tnc = first -computername port=-port
enter-pssession new-pssession = first -computername|-hostname|-cn
invoke-command = -computername|-hostname|-cn
invoke-sqlcmd invoke-dbaquery = -serverinstance|-sqlinstance :1433 default
winrm winrs = -r
nsenter = none
`

// SilentNames are programs that connect to nothing, so that a URL in their words is only mentioned.
const SilentNames = `echo printf grep egrep fgrep rg ag ack sed awk gawk jq yq cat tee ls cd test [ true false : export set read alias head
	tail cut sort uniq wc diff cmp tr rev cp mv rm mkdir touch chmod chown find xargs env which type command basename dirname date sleep
	node python python3 ruby perl php lua make cmake gcc clang rustc cargo javac java mvn gradle tsc eslint prettier jest vitest pytest
	less more nano vim vi emacs code start man tar zip unzip gzip gunzip base64 md5sum sha256sum xxd od strings file stat
	write-output write-host select-string out-file set-content add-content get-content eval exec source . sh bash zsh dash ksh fish
	sudo doas su nohup time timeout nice tmux screen watch trap wait kill pkill killall ps top df du free history unset local declare
	if while for case let ln readlink realpath mktemp sha1sum shasum jot seq yes crontab at claude codex gemini aider opencode goose
	terraform tofu pulumi ansible ansible-playbook vercel netlify wrangler heroku fly flyctl firebase playwright cypress puppeteer k6`
