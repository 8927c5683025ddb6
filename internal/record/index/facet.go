package index

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A fieldOf is a column of events that has few values. A combination of the values of all fields is a facet: an event has one number
// for it.
type fieldOf struct {
	group query.Group // that statistics are split by; "": none
	get   func(*record.Columns) string
	set   func(*record.Columns, string)
	// part is the part of a filter that is about this field.
	part func(query.Filter) query.Filter
}

const (
	fieldType = iota
	fieldSurface
	fieldVerdict
	fieldWouldBe
	fieldBlocked
	fieldProvider
	fieldRule
	fieldModel
	fieldServer
	fieldTool
	fieldCode
	fieldOrg
	fieldTeam
	fieldEmployee
	fieldKey
	fieldCount
)

// text is a field that is a text.
func text(group query.Group, of func(*record.Columns) *string, part func(query.Filter) query.Filter) fieldOf {
	return fieldOf{
		group: group, part: part,
		get: func(c *record.Columns) string { return *of(c) },
		set: func(c *record.Columns, s string) { *of(c) = s },
	}
}

type (
	columns = record.Columns
	filter  = query.Filter
)

var fields = [fieldCount]fieldOf{
	fieldType: {
		get:  func(c *columns) string { return string(c.Type) },
		set:  func(c *columns, s string) { c.Type = record.Type(s) },
		part: func(f filter) filter { return filter{Type: f.Type, Types: f.Types} },
	},
	fieldBlocked: {
		get:  func(c *columns) string { return strconv.FormatBool(c.Blocked) },
		set:  func(c *columns, s string) { c.Blocked = s == "true" },
		part: func(f filter) filter { return filter{Blocked: f.Blocked} },
	},
	fieldSurface: text("", func(c *columns) *string { return &c.Surface }, func(f filter) filter { return filter{Surface: f.Surface} }),
	fieldVerdict: text(query.By.Verdict, func(c *columns) *string { return &c.Verdict },
		func(f filter) filter { return filter{Verdict: f.Verdict} }),
	fieldWouldBe: text("", func(c *columns) *string { return &c.WouldBe }, func(filter) filter { return filter{} }),
	fieldProvider: text(query.By.Provider, func(c *columns) *string { return &c.Provider },
		func(f filter) filter { return filter{Provider: f.Provider, NoCanaries: f.NoCanaries} }),
	fieldRule: text(query.By.Rule, func(c *columns) *string { return &c.Rule },
		func(f filter) filter { return filter{Rule: f.Rule, NoCanaries: f.NoCanaries} }),
	fieldModel: text(query.By.Model, func(c *columns) *string { return &c.Model }, func(f filter) filter { return filter{Model: f.Model} }),
	fieldServer: text(query.By.Server, func(c *columns) *string { return &c.Server },
		func(f filter) filter { return filter{Server: f.Server} }),
	fieldTool: text(query.By.Tool, func(c *columns) *string { return &c.Tool }, func(f filter) filter { return filter{Tool: f.Tool} }),
	fieldCode: text(query.By.Code, func(c *columns) *string { return &c.Code }, func(f filter) filter { return filter{Code: f.Code} }),
	fieldOrg:  text(query.By.Org, func(c *columns) *string { return &c.Org }, func(f filter) filter { return filter{Org: f.Org} }),
	fieldTeam: text(query.By.Team, func(c *columns) *string { return &c.Team }, func(f filter) filter { return filter{Team: f.Team} }),
	fieldEmployee: text(query.By.Employee, func(c *columns) *string { return &c.Employee },
		func(f filter) filter { return filter{Employee: f.Employee} }),
	fieldKey: text("", func(c *columns) *string { return &c.Key }, func(f filter) filter { return filter{Key: f.Key} }),
}

// isEmpty says whether a filter of one field selects everything.
func isEmpty(f filter) bool {
	types := f.Types
	f.Types = nil
	return len(types) == 0 && f.Blocked == nil && f.Type == "" && f.Surface == "" && f.Verdict == "" && f.Provider == "" && f.Rule == "" &&
		f.Model == "" && f.Server == "" && f.Tool == "" && f.Code == "" && f.Org == "" && f.Team == "" && f.Employee == "" && f.Key == "" &&
		!f.NoCanaries
}

// A facet is a combination of names: the number of the name of each field.
type facet [fieldCount]uint32

// A dictionary numbers the names and facets of a partition, from 0, as they come. Name 0 is empty. Sessions and logs are names, too.
type dictionary struct {
	names  []string
	facets []facet

	// Only the writer has these.
	numbers map[string]uint32 // of names
	keys    map[string]uint32 // of facets, by all their names
	key     []byte

	// How many of them are stored.
	storedNames, storedFacets int
}

func newDictionary() *dictionary { return &dictionary{names: []string{""}, storedNames: 1} }

// name returns the number of a name.
func (d *dictionary) name(s string) uint32 {
	n, ok := d.numbers[s]
	if !ok {
		n = uint32(len(d.names))
		s = strings.Clone(s) // it may be part of a text that can be freed
		d.names, d.numbers[s] = append(d.names, s), n
	}
	return n
}

// facet returns the number of the facet of an event.
func (d *dictionary) facet(c *columns) uint32 {
	d.key = d.key[:0]
	for i := range fields {
		s := fields[i].get(c)
		d.key = append(binary.AppendUvarint(d.key, uint64(len(s))), s...)
	}
	n, ok := d.keys[string(d.key)]
	if !ok {
		var f facet
		for i := range fields {
			f[i] = d.name(fields[i].get(c))
		}
		n = uint32(len(d.facets))
		d.facets, d.keys[string(d.key)] = append(d.facets, f), n
	}
	return n
}

// columns are the columns that a facet stands for.
func (d *dictionary) columns(facet uint32) (c columns) {
	for i, name := range d.facets[facet] {
		fields[i].set(&c, d.names[name])
	}
	return c
}

// news packs what is not stored yet; nil: nothing.
func (d *dictionary) news() packing {
	names, facets := d.names[d.storedNames:], d.facets[d.storedFacets:]
	if len(names) == 0 && len(facets) == 0 {
		return nil
	}
	var p packing
	p.number(uint64(len(names)))
	for _, name := range names {
		p.text(name)
	}
	p.number(uint64(len(facets)))
	for _, f := range facets {
		for _, name := range f {
			p.number(uint64(name))
		}
	}
	return p
}

// learn adds what was stored.
func (d *dictionary) learn(sealed []byte) error {
	u := unpack(sealed)
	for range u.count() {
		d.names = append(d.names, u.text())
	}
	more := u.count()
	d.facets = slices.Grow(d.facets, more)
	for range more {
		var f facet
		for i := range f {
			if f[i] = uint32(u.number()); int(f[i]) >= len(d.names) {
				u.fail()
				return u.err
			}
		}
		d.facets = append(d.facets, f)
	}
	d.storedNames, d.storedFacets = len(d.names), len(d.facets)
	return u.end()
}

// forWriting prepares the dictionary to take more.
func (d *dictionary) forWriting() *dictionary {
	d.numbers, d.keys = make(map[string]uint32, len(d.names)), make(map[string]uint32, len(d.facets))
	for n, name := range d.names {
		d.numbers[name] = uint32(n)
	}
	facets := d.facets
	d.facets = nil
	for n := range facets {
		d.facets = facets[:n+1]
		c := d.columns(uint32(n))
		d.facets = facets[:n]
		d.facet(&c)
	}
	return d
}
