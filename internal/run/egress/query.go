package egress

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// The sizes of messages of DNS.
const (
	minUDP  = 512  // what every client accepts
	maxUDP  = 4096 // more is never sent, even if a client accepts more
	ednsUDP = 1232 // what weir says that it accepts: no network cuts this size
	maxTCP  = 65535
)

// rcodeVersion says that a client uses a later version of EDNS.
const rcodeVersion dnsmessage.RCode = 16

// A query is a question of a client.
type query struct {
	id       uint16
	recurse  bool
	checking bool // the client checks signatures itself
	question dnsmessage.Question
	asked    bool // the message has a question
	edns     bool
	limit    int // bytes that a reply may have
}

// errNoQuery says that a message gets no reply: a client does not send such messages.
var errNoQuery = errors.New("not a query")

// readQuery parses a message of a client strictly. limit is the longest reply over TCP, whatever the client says; over UDP it is 0.
// If the code is not success, the reply must have this code.
func readQuery(message []byte, limit int) (query, dnsmessage.RCode, error) {
	var p dnsmessage.Parser
	h, err := p.Start(message)
	if err != nil || h.Response {
		return query{}, 0, errNoQuery
	}
	q := query{id: h.ID, recurse: h.RecursionDesired, checking: h.CheckingDisabled, limit: max(limit, minUDP)}
	if h.OpCode != 0 {
		return q, dnsmessage.RCodeNotImplemented, nil
	}
	questions, err := p.AllQuestions()
	if err != nil || len(questions) != 1 {
		return q, dnsmessage.RCodeFormatError, nil
	}
	q.question, q.asked = questions[0], true
	if _, err := p.Answer(); !errors.Is(err, dnsmessage.ErrSectionDone) {
		return q, dnsmessage.RCodeFormatError, nil
	}
	if _, err := p.Authority(); !errors.Is(err, dnsmessage.ErrSectionDone) {
		return q, dnsmessage.RCodeFormatError, nil
	}
	return q, q.readAdditionals(&p, limit), nil
}

// readAdditionals parses the record of EDNS. Its options are ignored: they can carry anything, such as the client's network.
func (q *query) readAdditionals(p *dnsmessage.Parser, limit int) dnsmessage.RCode {
	for {
		h, err := p.AdditionalHeader()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			return dnsmessage.RCodeSuccess
		}
		if err != nil || h.Type != dnsmessage.TypeOPT || q.edns || h.Name.String() != "." {
			return dnsmessage.RCodeFormatError
		}
		if err := p.SkipAdditional(); err != nil {
			return dnsmessage.RCodeFormatError
		}
		q.edns = true
		if limit == 0 {
			q.limit = min(max(int(h.Class), minUDP), maxUDP)
		}
		if h.TTL>>16&0xff != 0 {
			return rcodeVersion
		}
	}
}

// outward returns the query that weir sends: it has its own id, the question letter by letter, and nothing else from the client.
func (q *query) outward(id uint16) ([]byte, error) {
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{ID: id, RecursionDesired: true, CheckingDisabled: q.checking})
	var edns dnsmessage.ResourceHeader
	err := errors.Join(b.StartQuestions(), b.Question(q.question), b.StartAdditionals(),
		edns.SetEDNS0(ednsUDP, dnsmessage.RCodeSuccess, false), b.OPTResource(edns, dnsmessage.OPTResource{}))
	if err != nil {
		return nil, err
	}
	return b.Finish()
}

// A reply is the response to a client.
type reply struct {
	rcode       dnsmessage.RCode
	truncated   bool
	answers     []dnsmessage.Resource
	authorities []dnsmessage.Resource
}

// pack writes a reply that the client can accept: records are left out from the end, and if answers are missing the reply says so.
func (q *query) pack(r reply) ([]byte, error) {
	for {
		message, err := q.packWhole(r)
		if err != nil || len(message) <= q.limit {
			return message, err
		}
		switch {
		case len(r.authorities) > 0:
			r.authorities = nil
		case len(r.answers) > 0:
			// The excess shows about how many records are too many. So a long reply is not written once for each record.
			keep := min(len(r.answers)-1, len(r.answers)*q.limit/len(message))
			r.answers, r.truncated = r.answers[:keep], true
		default:
			return nil, errors.New("the question alone is too long")
		}
	}
}

func (q *query) packWhole(r reply) ([]byte, error) {
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{
		ID: q.id, Response: true, RecursionDesired: q.recurse, RecursionAvailable: true, CheckingDisabled: q.checking,
		RCode: r.rcode & 0xf, Truncated: r.truncated,
	})
	b.EnableCompression()
	if q.asked {
		if err := errors.Join(b.StartQuestions(), b.Question(q.question)); err != nil {
			return nil, err
		}
	}
	err := b.StartAnswers()
	for _, a := range r.answers {
		err = errors.Join(err, addRecord(&b, a))
	}
	err = errors.Join(err, b.StartAuthorities())
	for _, a := range r.authorities {
		err = errors.Join(err, addRecord(&b, a))
	}
	if q.edns {
		var edns dnsmessage.ResourceHeader
		err = errors.Join(err, b.StartAdditionals(), edns.SetEDNS0(ednsUDP, r.rcode, false), b.OPTResource(edns, dnsmessage.OPTResource{}))
	}
	if err != nil {
		return nil, err
	}
	return b.Finish()
}

// addRecord writes a record of one of the forwarded types.
func addRecord(b *dnsmessage.Builder, r dnsmessage.Resource) error {
	switch body := r.Body.(type) {
	case *dnsmessage.AResource:
		return b.AResource(r.Header, *body)
	case *dnsmessage.AAAAResource:
		return b.AAAAResource(r.Header, *body)
	case *dnsmessage.CNAMEResource:
		return b.CNAMEResource(r.Header, *body)
	case *dnsmessage.MXResource:
		return b.MXResource(r.Header, *body)
	case *dnsmessage.TXTResource:
		return b.TXTResource(r.Header, *body)
	case *dnsmessage.SRVResource:
		return b.SRVResource(r.Header, *body)
	case *dnsmessage.NSResource:
		return b.NSResource(r.Header, *body)
	case *dnsmessage.SOAResource:
		return b.SOAResource(r.Header, *body)
	case *dnsmessage.PTRResource:
		return b.PTRResource(r.Header, *body)
	default:
		return errors.New("a record of a type that is not forwarded")
	}
}

// passedTypes are the types that may be asked for. Others are useless to a client, or hide names, or ask for everything at once.
var passedTypes = []dnsmessage.Type{
	dnsmessage.TypeA, dnsmessage.TypeAAAA, dnsmessage.TypeCNAME, dnsmessage.TypeMX, dnsmessage.TypeTXT, dnsmessage.TypeSRV,
	dnsmessage.TypeNS, dnsmessage.TypeSOA, dnsmessage.TypePTR,
}

// passedType says whether a type of records is forwarded.
func passedType(t dnsmessage.Type) bool { return slices.Contains(passedTypes, t) }

// isAnswer says that a message answers a query: it has its id and its question. Servers may write the name in another case.
func isAnswer(message, query []byte) bool {
	var asked, got dnsmessage.Parser
	qh, err := asked.Start(query)
	if err != nil {
		return false
	}
	h, err := got.Start(message)
	if err != nil || !h.Response || h.ID != qh.ID || h.OpCode != qh.OpCode {
		return false
	}
	want, err := asked.AllQuestions()
	if err != nil {
		return false
	}
	have, err := got.AllQuestions()
	return err == nil && slices.EqualFunc(want, have, func(a, b dnsmessage.Question) bool {
		return a.Type == b.Type && a.Class == b.Class && strings.EqualFold(a.Name.String(), b.Name.String())
	})
}
