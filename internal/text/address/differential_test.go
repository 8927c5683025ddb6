package address

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	neturl "net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// generate makes URLs out of pieces that readers are known to disagree about.
func generate(r *rand.Rand) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	host := func() string {
		return pick("good.example", "EVIL.example", "127.0.0.1", "0x7f.1", "0177.1", "2130706433", "[::1]", "[::ffff:1.2.3.4]", "bücher.example", "faß.de",
			"evil。example", "ev%69l.example", "ev\u00adil.example", "xn--bcher-kva.example", "a_b.example", "x", "1.2.3", "a.b.", "ｅvil.example", "σς.example",
			"%31.2.3.4", "a;b.example", "a,b.example", "$x.example", "a*b", "0x.1", "1..2", "256.1.1.1", "08.1", "a.1", "Ω.example", "a!b", "(a)", "a'b", "{a}",
			"\u200da.example", "①.example", "⒈.example", "ǅ.example", "ﬁ.example", "İ.example", "ẞ.example", "na\u0308hen.example")
	}
	var b strings.Builder
	b.WriteString(pick("", "", "", " ", "\t", "\x01"))
	b.WriteString(pick("http", "https", "HTTP", "ws", "ftp", "ssh", "foo", "file", "git+ssh", "ht\ttp"))
	b.WriteString(pick(":", ":", ":", ":/", ":\\"))
	b.WriteString(pick("//", "//", "//", "/", "", "///", "\\\\", "/\\", "\n//"))
	for range max(0, r.IntN(4)-1) {
		b.WriteString(pick("", "", "user@", "u:p@", host()+"@", "@", host()+"\\@", host()+":80@", host()+"#@", host()+"?@", "a\tb@"))
	}
	b.WriteString(host())
	b.WriteString(pick("", "", ":80", ":", ":08", "\t", ":1\n2"))
	b.WriteString(pick("", "/", "/p", "\\p", "?q", "#f", "/@x", "?u=https://"+host()+"/", "/%2f", " "))
	return b.String()
}

// named says whether Hosts finds the host that another reader found. Names are compared as Hosts writes them.
func named(text, host string) bool {
	want := map[string]bool{}
	for _, h := range readHost(cutPort(host)) {
		want[h.Name] = true
	}
	hosts, _ := Hosts(text)
	for _, h := range hosts {
		if want[h.Name] || h.Partial {
			return true
		}
	}
	return len(want) == 0
}

func TestAgainstNetURL(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 100_000 {
		text := generate(r)
		u, err := neturl.Parse(text)
		if err != nil || u.Hostname() == "" || u.Scheme == "file" {
			continue
		}
		read++
		if !named(text, u.Host) {
			hosts, _ := Hosts(text)
			t.Fatalf("%q: net/url reads %q, we %v", text, u.Host, hosts)
		}
	}
	if read < 2_000 {
		t.Errorf("net/url read only %d", read)
	}
}

// urlScript prints, for each URL of a list, its host as the WHATWG standard reads it; "" if it has none.
const urlScript = `
let input = "";
process.stdin.on("data", d => input += d).on("end", () => {
  const out = JSON.parse(input).map(u => { try { return new URL(u).hostname } catch { return "" } });
  process.stdout.write(JSON.stringify(out));
});`

func TestAgainstBrowsers(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		need.Missing(t, "hosts as browsers read them", "node is not installed")
	}
	r := rand.New(rand.NewPCG(3, 4))
	texts := make([]string, 100_000)
	for i := range texts {
		texts[i] = generate(r)
	}
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "-e", urlScript)
	cmd.Stdin = bytes.NewReader(input)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run node: %v", err)
	}
	var hosts []string
	if err := json.Unmarshal(out, &hosts); err != nil || len(hosts) != len(texts) {
		t.Fatalf("read %d answers for %d: %v", len(hosts), len(texts), err)
	}
	read, bad := 0, 0
	for i, host := range hosts {
		if host == "" {
			continue
		}
		read++
		if !named(texts[i], host) {
			ours, _ := Hosts(texts[i])
			t.Errorf("%q: browsers read %q, we %v", texts[i], host, ours)
			if bad++; bad > 20 {
				break
			}
		}
	}
	if read < 2_000 {
		t.Errorf("browsers read only %d", read)
	}
}

func ExampleHosts() {
	hosts, certain := Hosts(`http://good.example\@0x7f.1/`)
	for _, h := range hosts {
		fmt.Println(h.Name)
	}
	fmt.Println(certain)
	// Output:
	// good.example
	// 127.0.0.1
	// false
}
