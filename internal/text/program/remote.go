package program

// remote are the programs that reach other machines or send files there.
var remote = []*Entry{
	{Names: "ssh autossh mosh plink", Hosts: Logins | Connects, Style: Stops, Options: `4 6 A a C f G g K k N n q s T t V v X x Y y B: b:
		c: D: E> e: F< I$ i: J@ L: l: m: O: o: P: p: Q: R: S: W@ w: ssh$ server: port: batch pw: ssh-pty`},
	{Names: "rsync", Hosts: Logins | Connects, Options: `e,rsh$ rsync-path$ f,filter: T,temp-dir: B,block-size: M,remote-option: exclude:
		include: exclude-from< include-from< files-from< password-file: log-file> backup-dir: partial-dir: compare-dest: copy-dest: link-dest:
		port: bwlimit: timeout: contimeout: chmod: chown: info: debug: out-format: log-file-format: max-size: min-size: suffix: usermap:
		groupmap: modify-window: compress-level: max-delete: address: sockopts: iconv: outbuf: a,archive r,recursive v,verbose q,quiet
		c,checksum z,compress n,dry-run u,update p,perms t,times g,group o,owner l,links L,copy-links D,devices H,hard-links x,one-file-system
		i,itemize-changes h,human-readable P R,relative b,backup d,dirs S,sparse W,whole-file A,acls X,xattrs C,cvs-exclude 0,from0 4 6 E k K
		I y,fuzzy delete delete-before delete-during delete-delay delete-after delete-excluded progress stats partial inplace append
		ignore-existing existing size-only ignore-times remove-source-files list-only mkpath numeric-ids safe-links force del
		delete-missing-args`},
	{Names: "scp", Hosts: Logins | Connects, Options: "c: D: F: i: J: l: o: P: S$ X: 3 4 6 A B C O p q R r s T v"},
	{Names: "sftp", Hosts: Logins | Connects, Style: Stops, Options: "b< c: D$ F: i: J: l: o: P: S$ X: B: R: s: 4 6 A a C f N p q r v"},
	{Names: "curl curlie", Hosts: Connects, Options: `o,output> T,upload-file< K,config< c,cookie-jar> D,dump-header> b,cookie: d,data: F,form:
		H,header: X,request: u,user: A,user-agent: e,referer: x,proxy@ U,proxy-user: m,max-time: w,write-out: r,range: E,cert: C,continue-at:
		Y,speed-limit: y,speed-time: z,time-cond: t,telnet-option: P,ftp-port: Q,quote: h,help? data-ascii: data-binary: data-raw:
		data-urlencode: json: form-string: proxy-header: key: cacert: capath: cert-type: key-type: pass: ciphers: resolve: connect-to@
		connect-timeout: retry: retry-delay: retry-max-time: limit-rate: max-redirs: output-dir: trace> trace-ascii> stderr> netrc-file: url@
		url-query: interface: unix-socket: abstract-unix-socket: dns-servers: noproxy: oauth2-bearer: aws-sigv4: etag-save> etag-compare<
		hsts: alt-svc: variable: rate: parallel-max: create-file-mode: expect100-timeout: keepalive-time: mail-from: mail-rcpt: pinnedpubkey:
		preproxy@ proto: proto-default: proto-redir: pubkey: service-name: tls-max: happy-eyeballs-timeout-ms: socks4@ socks4a@ socks5@
		socks5-hostname@ proxy1.0@ doh-url@ login-options: max-filesize: local-port: tls13-ciphers: curves: crlfile: engine$ egd-file:
		random-file: delegation: krb: libcurl> ipfs-gateway@ mail-auth: sasl-authzid: tftp-blksize: request-target: trace-config:
		haproxy-clientip: 0 1 2 3 4 6 a,append B,use-ascii f,fail G,get g,globoff I,head i,include,show-headers J,remote-header-name
		j,junk-session-cookies k,insecure L,location l,list-only M,manual N,no-buffer n,netrc O,remote-name p,proxytunnel q,disable
		R,remote-time S,show-error s,silent v,verbose V,version Z,parallel #,progress-bar ssl ssl-reqd compressed compressed-ssh create-dirs
		fail-with-body fail-early remote-name-all location-trusted anyauth basic digest negotiate ntlm http1.0 http1.1 http2
		http2-prior-knowledge http3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 sslv2 sslv3 ipv4 ipv6 path-as-is post301 post302 post303 raw
		retry-all-errors retry-connrefused styled-output tcp-fastopen tcp-nodelay tr-encoding trace-time xattr crlf ftp-pasv ftp-create-dirs
		next`},
	{Names: "wget", Hosts: Connects, Options: `O,output-document> o,output-file> a,append-output> i,input-file< e,execute: t,tries:
		T,timeout: w,wait: Q,quota: P,directory-prefix: U,user-agent: l,level: A,accept: R,reject: D,domains: I: X: B,base@ post-file<
		body-file< post-data: body-data: header: method: user: password: load-cookies< save-cookies> certificate: private-key: ca-certificate:
		referer: limit-rate: cut-dirs: default-page: progress: bind-address: config< use-askpass$ http-user: http-password: ftp-user:
		ftp-password: q,quiet v,verbose n? c,continue N,timestamping b,background S,server-response r,recursive k,convert-links
		K,backup-converted m,mirror p,page-requisites no-clobber x,force-directories F,force-html E,adjust-extension H,span-hosts L,relative
		4,inet4-only 6,inet6-only d,debug h,help V,version spider no-check-certificate content-disposition https-only show-progress`},
	{Names: "http https", Options: httpOptions},
	{Names: "xh xhs", Hosts: Connects, Options: httpOptions},
	{Names: "nc netcat ncat", Hosts: Connects, Options: `e,exec$ c,sh-exec$ lua-exec: p,source-port: s,source: w,wait: i,idle-timeout: q:
		x,proxy@ X: g: G: m,max-conns: o,output> O: T: V: I: M: d,delay: P: proxy-type: proxy-auth: allow: deny: allowfile< denyfile<
		hex-dump> l,listen k,keep-open n,nodns u,udp v,verbose z t,telnet r D h N S U,unixsock 4 6 C,crlf L: b broker chat sctp ssl ssl-verify
		ssl-cert: ssl-key: append-output send-only recv-only no-shutdown`},
	{Names: "rclone", Options: `config: transfers: checkers: bwlimit: exclude: include: filter: filter-from< exclude-from< include-from<
		files-from< log-file> log-level: max-age: min-age: max-size: min-size: backup-dir: suffix: retries: password-command$ metadata-mapper$
		drive-shared-with-me P,progress v,verbose n,dry-run q,quiet c,checksum i,interactive u,update L,copy-links l,links
		create-empty-src-dirs delete-excluded delete-before delete-during delete-after fast-list immutable ignore-existing rc stats:
		s3-no-check-bucket size-only track-renames use-json-log`},
	{Names: "socat", Hosts: Connects, Options: "d D v x b: s t: T: u U g L: W: h V lf> ly? lm? lp: ls lu lh 4 6", Style: Dashed},
	{Names: "hping3", Hosts: Connects, Options: `E,file< p,destport: s,baseport: d,data: c,count: i,interval: I,interface: a,spoof: e,sign:
		t,ttl: 0 1 2 8 9 S A F R P U X Y n q V D z Z Q T,traceroute flood faster fast rand-source rand-dest u,end`},
	{Names: "telnet", Hosts: Connects, Options: "l,user: n: X: e: b: S: a E L K 4 6 8 d"},
	{Names: "ftp", Hosts: Connects, Options: "a d e g i n p v t"},
	{Names: "ssh-copy-id", Hosts: Logins, Options: "i: p: o: F: f n s"},
	{Names: "sshfs", Hosts: Logins, Options: "o: p: F: C f d s"},
	{Names: "dig drill kdig delv doggo dog", Hosts: Resolves | Connects, Options: "b: c: f< k< m p: q: t: x: y: 4 6 v h"},
	{Names: "nslookup", Hosts: Connects, Style: Dashed},
	{Names: "ping", Hosts: Connects, Options: "c: i: I: s: t: W: w: Q: l: m: M: p: S: T: 4 6 a A b B d D f h L n O q R r U v V"},
}

const httpOptions = `o,output> a,auth: A,auth-type: p,print: s,style: session: session-read-only: proxy@ verify: cert:
		cert-key: timeout: max-redirects: pretty: response-charset: format-options: raw: ssl: ciphers: boundary: j,json f,form multipart
		x,compress h,headers b,body v,verbose m,meta q,quiet F,follow d,download c,continue S,stream I,ignore-stdin offline check-status
		debug all https`
