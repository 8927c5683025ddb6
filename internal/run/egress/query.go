package egress

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// The sizes of messages of DNS.
const (
	minUDP  = 512  // what every client takes
	maxUDP  = 4096 // more is never sent, whatever a client says that it takes
	ednsUDP = 1232 // what weir says that it takes: no network cuts it
	maxTCP  = 65535
)

// rcodeVersion says that a client speaks a later version of EDNS.
const rcodeVersion dnsmessage.RCode = 16

// A query is a question as a client asked it.
type query struct {
	id       uint16
	recurse  bool
	checking bool // the client checks signatures itself
	question dnsmessage.Question
	asked    bool // there is a question
	edns     bool
	limit    int // bytes that an answer may have
}

// errNoQuery says that a message gets no answer: it is none that a client sends.
var errNoQuery = errors.New("not a query")

// readQuery reads a message of a client strictly. limit is how long answers can be on this way, whatever the client says; over UDP
// it is 0. With a code other than success the query is to be answered with it.
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

// readAdditionals reads what EDNS adds. Its options are left out: they can carry anything, such as the client's network.
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

// outward is the query as weir asks it: an id of its own, the question letter by letter, and nothing else of the client's.
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

// A reply is what a client is told.
type reply struct {
	rcode       dnsmessage.RCode
	truncated   bool
	answers     []dnsmessage.Resource
	authorities []dnsmessage.Resource
}

// pack writes a reply within what the client takes: records are left out from the end, and if answers are missing it says so.
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
			// What is over tells about how many are too many, so that long answers are not written once for each record.
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

// addRecord writes a record of one of the types that are passed on.
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

// passedTypes are what may be asked for. Others carry what a client has no use for, or hide names, or ask for everything at once.
var passedTypes = []dnsmessage.Type{
	dnsmessage.TypeA, dnsmessage.TypeAAAA, dnsmessage.TypeCNAME, dnsmessage.TypeMX, dnsmessage.TypeTXT, dnsmessage.TypeSRV,
	dnsmessage.TypeNS, dnsmessage.TypeSOA, dnsmessage.TypePTR,
}

// passedType says whether a type of records is passed on.
func passedType(t dnsmessage.Type) bool { return slices.Contains(passedTypes, t) }

// isAnswer says that a message answers a query: it has its id and its question. Servers may write the name in other cases.
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
