package confine

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"
)

// dropGroup is the log group, within the namespace, for dropped datagrams.
const dropGroup = 1

// How many dropped datagrams are logged: enough for a person to see what happens, too few to cause load.
const (
	dropsPerSecond = 50
	dropsAtOnce    = 50
)

// Reasons to reject, from linux/netfilter/nf_tables.h.
const (
	rejectUnreachable = 2 // an ICMP message of the packet's family
	rejectPort        = 1 // says that the port is unreachable
	rejectProhibited  = 3 // says that it is forbidden
)

// redirect makes rules that send everything from the namespace to its outlets, or reject it.
func redirect(out *outlets) error {
	if drops, err := openDropLog(); err == nil {
		if applyRules(out, true) == nil {
			out.add(door{Kind: doorDropped}, drops)
			return nil
		}
		if err := drops.Close(); err != nil {
			return err
		}
	}
	// Some kernels cannot log datagrams. They are rejected anyway.
	if err := applyRules(out, false); err != nil {
		return fmt.Errorf("redirect connections with nf_tables: %w%s", err, modules(err))
	}
	return nil
}

// modules names the kernel modules to load after an error; "": the error does not come from a missing module.
func modules(err error) string {
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EPROTONOSUPPORT) || errors.Is(err, unix.ENOENT) {
		return ": this kernel lacks a part; load the modules nf_tables, nft_redir, nft_reject_inet, nft_ct and nft_chain_nat"
	}
	return ""
}

// applyRules makes all rules, or none.
func applyRules(out *outlets, tell bool) error {
	conn, err := nftables.New()
	if err != nil {
		return err
	}
	table := conn.AddTable(&nftables.Table{Family: nftables.TableFamilyINet, Name: "weir"})
	r := rules{conn: conn, table: table}
	r.chain = conn.AddChain(&nftables.Chain{
		Name: "lead", Table: table,
		Type: nftables.ChainTypeNAT, Hooknum: nftables.ChainHookOutput, Priority: nftables.ChainPriorityNATDest,
	})
	r.lead(ipv4, out.tcp4, out.dns4)
	if out.tcp6 != 0 {
		r.lead(ipv6, out.tcp6, out.dns6)
	}
	drop := nftables.ChainPolicyDrop
	r.chain = conn.AddChain(&nftables.Chain{
		Name: "stop", Table: table, Policy: &drop,
		Type: nftables.ChainTypeFilter, Hooknum: nftables.ChainHookOutput, Priority: nftables.ChainPriorityFilter,
	})
	r.stop(tell)
	return conn.Flush()
}

// A family is a version of IP.
type family struct {
	number   byte
	loopback []expr.Any // matches packets to the namespace's own loopback
	other    []expr.Any // matches all other packets
	icmp     byte
	failed   byte // the ICMP type of "destination unreachable"
}

var (
	ipv4 = family{
		number: unix.NFPROTO_IPV4, icmp: unix.IPPROTO_ICMP, failed: 3,
		loopback: destination(expr.CmpOpEq, 16, []byte{127}),
		other:    destination(expr.CmpOpNeq, 16, []byte{127}),
	}
	ipv6 = family{
		number: unix.NFPROTO_IPV6, icmp: unix.IPPROTO_ICMPV6, failed: 1,
		loopback: destination(expr.CmpOpEq, 24, []byte{15: 1}),
		other:    destination(expr.CmpOpNeq, 24, []byte{15: 1}),
	}
)

// destination compares the destination in the header at offset with an address, or with the start of one.
func destination(op expr.CmpOp, offset uint32, address []byte) []expr.Any {
	return []expr.Any{
		&expr.Payload{DestRegister: 1, Base: expr.PayloadBaseNetworkHeader, Offset: offset, Len: uint32(len(address))},
		&expr.Cmp{Op: op, Register: 1, Data: address},
	}
}

func (f family) is() []expr.Any { return meta(expr.MetaKeyNFPROTO, f.number) }

func protocol(p byte) []expr.Any { return meta(expr.MetaKeyL4PROTO, p) }

func meta(key expr.MetaKey, value byte) []expr.Any {
	return []expr.Any{&expr.Meta{Key: key, Register: 1}, &expr.Cmp{Op: expr.CmpOpEq, Register: 1, Data: []byte{value}}}
}

// toPort matches the destination port, which is at the same offset in TCP and UDP.
func toPort(port uint16) []expr.Any {
	return []expr.Any{
		&expr.Payload{DestRegister: 1, Base: expr.PayloadBaseTransportHeader, Offset: 2, Len: 2},
		&expr.Cmp{Op: expr.CmpOpEq, Register: 1, Data: binary.BigEndian.AppendUint16(nil, port)},
	}
}

func redirectTo(port uint16) []expr.Any {
	return []expr.Any{
		&expr.Immediate{Register: 1, Data: binary.BigEndian.AppendUint16(nil, port)},
		&expr.Redir{RegisterProtoMin: 1},
	}
}

func accept() []expr.Any { return []expr.Any{&expr.Verdict{Kind: expr.VerdictAccept}} }

// rules adds rules to a chain.
type rules struct {
	conn  *nftables.Conn
	table *nftables.Table
	chain *nftables.Chain
}

func (r rules) add(parts ...[]expr.Any) {
	var all []expr.Any
	for _, p := range parts {
		all = append(all, p...)
	}
	r.conn.AddRule(&nftables.Rule{Table: r.table, Chain: r.chain, Exprs: all})
}

// lead redirects what a family sends. Port 53 is redirected on the namespace's own loopback, too: many machines have their resolver
// there.
func (r rules) lead(f family, tcp, dns uint16) {
	r.add(f.is(), protocol(unix.IPPROTO_UDP), toPort(53), redirectTo(dns))
	r.add(f.is(), protocol(unix.IPPROTO_TCP), toPort(53), redirectTo(tcp))
	r.add(f.is(), protocol(unix.IPPROTO_TCP), f.other, redirectTo(tcp))
}

// stop accepts what was redirected or stays on loopback, and rejects the rest: without a rejection, senders would wait for a
// response.
func (r rules) stop(tell bool) {
	known := binary.NativeEndian.AppendUint32(nil, expr.CtStateBitESTABLISHED|expr.CtStateBitRELATED)
	r.add([]expr.Any{
		&expr.Ct{Key: expr.CtKeySTATE, Register: 1},
		&expr.Bitwise{SourceRegister: 1, DestRegister: 1, Len: 4, Mask: known, Xor: make([]byte, 4)},
		&expr.Cmp{Op: expr.CmpOpNeq, Register: 1, Data: make([]byte, 4)},
	}, accept())
	r.add(protocol(unix.IPPROTO_TCP), accept())
	for _, f := range []family{ipv4, ipv6} {
		r.add(f.is(), f.loopback, accept())
		// This is how rejections reach the sender. Only the kernel can send them here.
		r.add(f.is(), protocol(f.icmp), []expr.Any{
			&expr.Payload{DestRegister: 1, Base: expr.PayloadBaseTransportHeader, Offset: 0, Len: 1},
			&expr.Cmp{Op: expr.CmpOpEq, Register: 1, Data: []byte{f.failed}},
		}, accept())
	}
	if tell {
		r.add(protocol(unix.IPPROTO_UDP), []expr.Any{
			&expr.Limit{Type: expr.LimitTypePkts, Rate: dropsPerSecond, Unit: expr.LimitTimeSecond, Burst: dropsAtOnce},
			&expr.Log{Key: 1<<unix.NFTA_LOG_GROUP | 1<<unix.NFTA_LOG_SNAPLEN, Group: dropGroup, Snaplen: dropSnap},
		})
	}
	r.add(protocol(unix.IPPROTO_UDP), []expr.Any{&expr.Reject{Type: rejectUnreachable, Code: rejectPort}})
	r.add([]expr.Any{&expr.Reject{Type: rejectUnreachable, Code: rejectProhibited}})
}
