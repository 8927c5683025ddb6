package egress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/weir-gate/weir/internal/call"
)

// question writes a query.
func question(t testing.TB, name string, kind dnsmessage.Type, adjust func(*dnsmessage.Message)) []byte {
	t.Helper()
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: 4711, RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: mustName(name), Type: kind, Class: dnsmessage.ClassINET}},
	}
	if adjust != nil {
		adjust(&m)
	}
	b, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func unpack(t testing.TB, b []byte) dnsmessage.Message {
	t.Helper()
	var m dnsmessage.Message
	if err := m.Unpack(b); err != nil {
		t.Fatalf("unpack %x: %v", b, err)
	}
	return m
}

// texts are the records of an answer in short.
func texts(records []dnsmessage.Resource) (all []string) {
	for _, r := range records {
		value := fmt.Sprintf("%v", r.Body)
		if ip, ok := recordAddr(r); ok {
			value = ip.String()
		}
		if c, ok := r.Body.(*dnsmessage.CNAMEResource); ok {
			value = c.CNAME.String()
		}
		all = append(all, r.Header.Name.String()+" "+value)
	}
	return all
}

func resolveCall(name string) call.Connection {
	return call.Connection{Act: call.Resolve, Hosts: []string{name}, HostFrom: fromDNS, Protocol: "udp"}
}

var wide = zone{
	"api.example.com.":        nil,
	"api.example.com. A":      {a("api.example.com.", "192.0.2.10"), a("api.example.com.", "192.0.2.11")},
	"api.example.com. AAAA":   {a("api.example.com.", "2001:db8::1"), a("api.example.com.", "::ffff:192.0.2.12")},
	"www.example.com. A":      {cname("www.example.com.", "edge.example.net."), cname("edge.example.net.", "e1.example.org."), a("e1.example.org.", "192.0.2.20")},
	"poisoned.example.com. A": {a("poisoned.example.com.", "192.0.2.30"), a("bank.example.", "192.0.2.31")},
	"rebind.example.com. A": {
		a("rebind.example.com.", "127.0.0.1"), a("rebind.example.com.", "0.0.0.0"), a("rebind.example.com.", "169.254.169.254"),
		a("rebind.example.com.", "0.1.2.3"), a("rebind.example.com.", "192.0.2.40"),
	},
	"rebind.example.com. AAAA": {
		a("rebind.example.com.", "::1"), a("rebind.example.com.", "::"), a("rebind.example.com.", "fe80::1"),
		a("rebind.example.com.", "::ffff:127.0.0.1"), a("rebind.example.com.", "64:ff9b::7f00:1"), a("rebind.example.com.", "2001:db8::40"),
	},
	"example.com. MX":              {record("example.com.", &dnsmessage.MXResource{Pref: 1, MX: mustName("mx.example.com.")})},
	"_sip._tcp.example.com. SRV":   {record("_sip._tcp.example.com.", &dnsmessage.SRVResource{Port: 1, Target: mustName("s.example.com.")})},
	"10.2.0.192.in-addr.arpa. PTR": {record("10.2.0.192.in-addr.arpa.", &dnsmessage.PTRResource{PTR: mustName("api.example.com.")})},
	"printer. A":                   {a("printer.", "10.0.0.9")},
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		name    string
		kind    dnsmessage.Type
		rcode   dnsmessage.RCode
		answers []string
		judged  bool
		asked   bool
		learned map[string][]string // names by address
	}{
		"A": {
			name: "api.example.com.", kind: dnsmessage.TypeA, judged: true, asked: true,
			answers: []string{"api.example.com. 192.0.2.10", "api.example.com. 192.0.2.11"},
			learned: map[string][]string{"192.0.2.10": {"api.example.com"}, "192.0.2.11": {"api.example.com"}},
		},
		"AAAA with mapped addresses": {
			name: "api.example.com.", kind: dnsmessage.TypeAAAA, judged: true, asked: true,
			answers: []string{"api.example.com. 2001:db8::1", "api.example.com. 192.0.2.12"},
			learned: map[string][]string{"2001:db8::1": {"api.example.com"}, "192.0.2.12": {"api.example.com"}},
		},
		"a chain": {
			name: "www.example.com.", kind: dnsmessage.TypeA, judged: true, asked: true,
			answers: []string{"www.example.com. edge.example.net.", "edge.example.net. e1.example.org.", "e1.example.org. 192.0.2.20"},
			learned: map[string][]string{"192.0.2.20": {"www.example.com"}},
		},
		"records for others": {
			name: "poisoned.example.com.", kind: dnsmessage.TypeA, judged: true, asked: true,
			answers: []string{"poisoned.example.com. 192.0.2.30"},
			learned: map[string][]string{"192.0.2.30": {"poisoned.example.com"}, "192.0.2.31": nil},
		},
		"rebinding": {
			name: "rebind.example.com.", kind: dnsmessage.TypeA, judged: true, asked: true, answers: []string{"rebind.example.com. 192.0.2.40"},
			learned: map[string][]string{"127.0.0.1": nil, "169.254.169.254": nil, "192.0.2.40": {"rebind.example.com"}},
		},
		"rebinding by IPv6": {
			name: "rebind.example.com.", kind: dnsmessage.TypeAAAA, judged: true, asked: true, answers: []string{"rebind.example.com. 2001:db8::40"},
			learned: map[string][]string{"::1": nil, "127.0.0.1": nil},
		},
		"MX":            {name: "example.com.", kind: dnsmessage.TypeMX, judged: true, asked: true, answers: []string{"example.com. &{1 mx.example.com.}"}},
		"SRV":           {name: "_sip._tcp.example.com.", kind: dnsmessage.TypeSRV, judged: true, asked: true, answers: []string{"_sip._tcp.example.com. &{0 0 1 s.example.com.}"}},
		"PTR":           {name: "10.2.0.192.in-addr.arpa.", kind: dnsmessage.TypePTR, judged: true, asked: true, answers: []string{"10.2.0.192.in-addr.arpa. &{api.example.com.}"}},
		"without dots":  {name: "printer.", kind: dnsmessage.TypeA, judged: true, asked: true, answers: []string{"printer. 10.0.0.9"}},
		"not there":     {name: "nowhere.example.com.", kind: dnsmessage.TypeA, judged: true, asked: true, rcode: dnsmessage.RCodeNameError},
		"no such type":  {name: "api.example.com.", kind: dnsmessage.TypeTXT, judged: true, asked: true},
		"refused":       {name: "evil.example.", kind: dnsmessage.TypeA, judged: true, rcode: dnsmessage.RCodeRefused},
		"localhost":     {name: "localhost.", kind: dnsmessage.TypeA, answers: []string{"localhost. 127.0.0.1"}},
		"LOCALHOST":     {name: "LOCALHOST.", kind: dnsmessage.TypeAAAA, answers: []string{"LOCALHOST. ::1"}},
		"a.localhost":   {name: "a.localhost.", kind: dnsmessage.TypeA, answers: []string{"a.localhost. 127.0.0.1"}},
		"localhost TXT": {name: "localhost.", kind: dnsmessage.TypeTXT},
		"HTTPS":         {name: "api.example.com.", kind: dnsmessage.TypeHTTPS},
		"SVCB":          {name: "api.example.com.", kind: dnsmessage.TypeSVCB},
		"ANY":           {name: "api.example.com.", kind: dnsmessage.TypeALL, rcode: dnsmessage.RCodeNotImplemented},
		"AXFR":          {name: "api.example.com.", kind: dnsmessage.TypeAXFR, rcode: dnsmessage.RCodeNotImplemented},
		"NULL":          {name: "api.example.com.", kind: 10, rcode: dnsmessage.RCodeNotImplemented},
		"odd":           {name: "a b.example.com.", kind: dnsmessage.TypeA, rcode: dnsmessage.RCodeRefused},
		"not ASCII":     {name: "ä.example.com.", kind: dnsmessage.TypeA, rcode: dnsmessage.RCodeRefused},
		"the root":      {name: ".", kind: dnsmessage.TypeNS, rcode: dnsmessage.RCodeRefused},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			names := &nameServer{zone: wide}
			r := newRig(t, &scriptedJudge{rule: refuseHost("evil.example")}, func(cfg *Config) { cfg.Names = names })
			query := question(t, tt.name, tt.kind, nil)
			got := unpack(t, r.lookup(query, 0))
			if got.ID != 4711 || !got.Response || got.RCode != tt.rcode || got.Truncated || len(got.Additionals) > 0 {
				t.Errorf("header %+v", got.Header)
			}
			if diff := cmp.Diff(unpack(t, query).Questions, got.Questions); diff != "" {
				t.Errorf("question (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.answers, texts(got.Answers)); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			var judged []call.Connection
			if tt.judged {
				judged = append(judged, resolveCall(strings.TrimSuffix(tt.name, ".")))
			}
			r.judge.expect(t, judged...)
			if asked := len(names.questions(t)) == 1; asked != tt.asked {
				t.Errorf("asked: %v", names.questions(t))
			}
			for ip, want := range tt.learned {
				if diff := cmp.Diff(want, r.addresses.at(addr(ip)).names); diff != "" {
					t.Errorf("names of %s (-want +got):\n%s", ip, diff)
				}
			}
		})
	}
}

func TestWhatIsSentOut(t *testing.T) {
	t.Parallel()
	names := &nameServer{zone: wide}
	r := newRig(t, &scriptedJudge{}, func(cfg *Config) { cfg.Names = names })
	query := question(t, "aPi.eXample.com.", dnsmessage.TypeA, func(m *dnsmessage.Message) {
		var h dnsmessage.ResourceHeader
		_ = h.SetEDNS0(4000, 0, true)
		m.Additionals = []dnsmessage.Resource{{Header: h, Body: &dnsmessage.OPTResource{Options: []dnsmessage.Option{
			{Code: 8, Data: []byte("my network")}, {Code: 10, Data: []byte("a cookie")}, {Code: 65001, Data: []byte("a secret")},
		}}}}
	})
	reply := unpack(t, r.lookup(append(query, "and more"...), 0))
	if got := reply.Questions[0].Name.String(); got != "aPi.eXample.com." {
		t.Errorf("the question came back as %q", got)
	}
	if len(reply.Additionals) != 1 || len(reply.Additionals[0].Body.(*dnsmessage.OPTResource).Options) != 0 {
		t.Errorf("EDNS came back as %+v", reply.Additionals)
	}
	if len(reply.Answers) != 2 {
		t.Errorf("answers %v", texts(reply.Answers))
	}
	sent := names.asked[0]
	for _, data := range []string{"network", "cookie", "secret", "more"} {
		if bytes.Contains(sent, []byte(data)) {
			t.Errorf("%q was sent out", data)
		}
	}
	m := unpack(t, sent)
	if m.Questions[0].Name.String() != "aPi.eXample.com." || len(m.Additionals) != 1 || m.Additionals[0].Header.DNSSECAllowed() {
		t.Errorf("sent %+v", m)
	}
	r.judge.expect(t, resolveCall("api.example.com"))
}

func TestNoWayToIPv6(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, func(cfg *Config) { cfg.Names = &nameServer{zone: wide} })
	r.machine.route = func(netip.Addr) bool { return false }
	got := unpack(t, r.lookup(question(t, "api.example.com.", dnsmessage.TypeAAAA, nil), 0))
	if diff := cmp.Diff([]string{"api.example.com. 192.0.2.12"}, texts(got.Answers)); diff != "" || got.RCode != dnsmessage.RCodeSuccess {
		t.Errorf("%v, answers (-want +got):\n%s", got.RCode, diff)
	}
	if len(r.addresses.at(addr("2001:db8::1")).names) > 0 {
		t.Error("it learned an address that it did not give")
	}
	if got := unpack(t, r.lookup(question(t, "api.example.com.", dnsmessage.TypeA, nil), 0)); len(got.Answers) != 2 {
		t.Errorf("answers %v", texts(got.Answers))
	}
}

func TestWayOfTheSystem(t *testing.T) {
	t.Parallel()
	var m machine
	if l, err := net.Listen("tcp", "[::1]:0"); err == nil {
		_ = l.Close()
		if !m.leads(addr("::1")) {
			t.Error("no way to the loopback")
		}
	}
	if !m.leads(addr("192.0.2.1")) {
		t.Error("IPv4 is looked for")
	}
}

func TestBadQueries(t *testing.T) {
	t.Parallel()
	opt := func(version uint32) dnsmessage.Resource {
		return dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: mustName("."), Type: dnsmessage.TypeOPT, Class: 1232, TTL: version << 16}, Body: &dnsmessage.OPTResource{},
		}
	}
	tests := map[string]struct {
		adjust func(*dnsmessage.Message)
		rcode  dnsmessage.RCode
	}{
		"no question":   {func(m *dnsmessage.Message) { m.Questions = nil }, dnsmessage.RCodeFormatError},
		"two questions": {func(m *dnsmessage.Message) { m.Questions = append(m.Questions, m.Questions[0]) }, dnsmessage.RCodeFormatError},
		"an answer":     {func(m *dnsmessage.Message) { m.Answers = slices.Clone(wide["printer. A"]) }, dnsmessage.RCodeFormatError},
		"an authority":  {func(m *dnsmessage.Message) { m.Authorities = slices.Clone(wide["printer. A"]) }, dnsmessage.RCodeFormatError},
		"an additional": {func(m *dnsmessage.Message) { m.Additionals = slices.Clone(wide["printer. A"]) }, dnsmessage.RCodeFormatError},
		"EDNS twice":    {func(m *dnsmessage.Message) { m.Additionals = []dnsmessage.Resource{opt(0), opt(0)} }, dnsmessage.RCodeFormatError},
		"EDNS 1":        {func(m *dnsmessage.Message) { m.Additionals = []dnsmessage.Resource{opt(1)} }, rcodeVersion},
		"an update":     {func(m *dnsmessage.Message) { m.OpCode = 5 }, dnsmessage.RCodeNotImplemented},
		"chaos":         {func(m *dnsmessage.Message) { m.Questions[0].Class = dnsmessage.ClassCHAOS }, dnsmessage.RCodeRefused},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, &scriptedJudge{}, func(cfg *Config) { cfg.Names = &nameServer{zone: wide} })
			got := unpack(t, r.lookup(question(t, "printer.", dnsmessage.TypeA, tt.adjust), 0))
			rcode := got.RCode
			if len(got.Additionals) == 1 {
				rcode = got.Additionals[0].Header.ExtendedRCode(rcode)
			}
			if got.ID != 4711 || !got.Response || rcode != tt.rcode || len(got.Answers) > 0 {
				t.Errorf("got %+v", got)
			}
			r.judge.expect(t)
		})
	}
	t.Run("no query at all", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{}, nil)
		answer := question(t, "printer.", dnsmessage.TypeA, func(m *dnsmessage.Message) { m.Response = true })
		for _, b := range [][]byte{nil, {1, 2, 3}, answer} {
			if got := r.lookup(b, 0); got != nil {
				t.Errorf("answered %x", got)
			}
		}
	})
}

// names is a Names that is a function.
type names func(query []byte) ([]byte, error)

func (n names) Exchange(_ context.Context, query []byte) ([]byte, error) { return n(query) }

func TestBadAnswers(t *testing.T) {
	t.Parallel()
	good := &nameServer{zone: wide}
	tests := map[string]names{
		"an error":  func([]byte) ([]byte, error) { return nil, errors.New("no network") },
		"nothing":   func([]byte) ([]byte, error) { return nil, nil },
		"the query": func(q []byte) ([]byte, error) { return q, nil },
		"another id": func(q []byte) ([]byte, error) {
			b, err := good.answer(q)
			b[0] ^= 1
			return b, err
		},
		"another question": func(q []byte) ([]byte, error) {
			b, err := good.answer(q)
			return bytes.Replace(b, []byte("printer"), []byte("pointer"), 1), err
		},
		"cut off": func(q []byte) ([]byte, error) {
			b, err := good.answer(q)
			return b[:len(b)-2], err
		},
	}
	for name, n := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var troubles []error
			r := newRig(t, &scriptedJudge{}, func(cfg *Config) {
				cfg.Names, cfg.OnTrouble = n, func(err error) { troubles = append(troubles, err) }
			})
			for range 3 {
				got := unpack(t, r.lookup(question(t, "printer.", dnsmessage.TypeA, nil), 0))
				if got.RCode != dnsmessage.RCodeServerFailure || len(got.Answers) > 0 {
					t.Errorf("got %+v", got)
				}
			}
			if len(troubles) != 1 {
				t.Errorf("told %v", troubles)
			}
			if len(r.addresses.at(addr("10.0.0.9")).names) > 0 {
				t.Error("it learned from a bad answer")
			}
		})
	}
}

func TestTruncation(t *testing.T) {
	t.Parallel()
	var many []dnsmessage.Resource
	for i := range 100 {
		many = append(many, a("many.example.com.", fmt.Sprintf("192.0.2.%d", i)))
	}
	r := newRig(t, &scriptedJudge{}, func(cfg *Config) { cfg.Names = &nameServer{zone: zone{"many.example.com. A": many}} })
	edns := func(size int) func(*dnsmessage.Message) {
		return func(m *dnsmessage.Message) {
			var h dnsmessage.ResourceHeader
			_ = h.SetEDNS0(size, 0, false)
			m.Additionals = []dnsmessage.Resource{{Header: h, Body: &dnsmessage.OPTResource{}}}
		}
	}
	tests := map[string]struct {
		adjust func(*dnsmessage.Message)
		limit  int
		most   int
		whole  bool
	}{
		"UDP": {nil, 0, 512, false}, "less than the least": {edns(1), 0, 512, false}, "some": {edns(1232), 0, 1232, false},
		"enough": {edns(4096), 0, 4096, true}, "TCP": {nil, maxTCP, maxTCP, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := r.lookup(question(t, "many.example.com.", dnsmessage.TypeA, tt.adjust), tt.limit)
			m := unpack(t, b)
			if len(b) > tt.most || m.Truncated == tt.whole || (len(m.Answers) == 100) != tt.whole || len(m.Answers) == 0 {
				t.Errorf("%d bytes, %d answers, truncated %v", len(b), len(m.Answers), m.Truncated)
			}
			if !tt.whole && tt.most-len(b) > 64 {
				t.Errorf("%d bytes of %d are used", len(b), tt.most)
			}
		})
	}
}

// resolver is Go's own, led to a monitor.
