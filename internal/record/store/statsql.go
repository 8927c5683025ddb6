package store

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// sums are the counts of a group of rows.
const sums = `CAST(sum(%events) AS BIGINT), CAST(sum(%input_tokens) AS BIGINT), CAST(sum(%cache_tokens) AS BIGINT),
	CAST(sum(%output_tokens) AS BIGINT), CAST(sum(%cost_micros) AS BIGINT)`

// namedSums are the same sums, under the names of the columns.
const namedSums = `sum(%events) AS events, sum(%input_tokens) AS input_tokens, sum(%cache_tokens) AS cache_tokens,
	sum(%output_tokens) AS output_tokens, sum(%cost_micros) AS cost_micros`

// kinds are the columns that distinguish rows of one group; "%" is replaced by the table with the names.
const kinds = "%type, %blocked, %would_be <> '', %verdict = 'audit'"

func in(table, text string) string { return strings.ReplaceAll(text, "%", table) }

// groupColumns are the name and the hour of a group. names is the table with the names, hour the expression for the hour. Grouping
// is by hour or by name; the other is NULL.
func (s *statistics) groupColumns(names, hour string) string {
	switch s.q.By {
	case "":
		return "CAST(NULL AS TEXT), CAST(NULL AS BIGINT)"
	case query.By.Hour, query.By.Day:
		return "CAST(NULL AS TEXT), " + hour
	}
	return names + string(s.q.By) + ", CAST(NULL AS BIGINT)"
}

// callTypes are the types of events that are calls: see record.Type.IsCall. askedTypes are the types of calls that models ask for,
// which have a share of their response's cost.
var (
	callTypes  = typeList(record.Type.IsCall)
	askedTypes = typeList(record.Type.IsAsked)
)

// typeList is a list of types for SQL.
func typeList(holds func(record.Type) bool) string {
	var names []string
	for _, t := range record.Types.Where(holds) {
		names = append(names, "'"+string(t)+"'")
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// types selects the events of a table that count: calls, and responses unless the question is about calls alone. Offers of a
// request are not counted, unless the filter has a surface. A call that a model asks for and a client then makes through weir is
// ruled on twice, and counts on both surfaces.
func (s *statistics) types(table string) string {
	calls := in(table, "%type IN "+callTypes)
	if s.q.Filter.Surface == "" {
		calls += in(table, " AND %surface <> 'inbound'")
	}
	if s.q.OfCalls() {
		return "(" + calls + ")"
	}
	return "(" + calls + in(table, " OR %type = 'response_done')")
}

// names are the conditions of a filter on the names in a table.
func (s *statistics) names(f query.Filter, table string) (terms string, args []any) {
	var w where
	for _, c := range conditionsOf(f) {
		if c.value != "" {
			w.condition(plain(s.r.db.flavour), c, table+c.column)
		}
	}
	w.nots(plain(s.r.db.flavour), f, func(column string) string { return table + column })
	if f.NoCanaries {
		w.add("NOT "+isCanary(table), call.CanaryProvider, call.CanaryRule)
	}
	for _, t := range w.terms {
		terms += " AND " + t
	}
	return terms, w.args
}

// plain is a flavour for tables whose texts have no index.
func plain(f flavour) flavour {
	f.prefix = 0
	return f
}

// A counting is a query whose counts are multiplied by times and added.
type counting struct {
	sql   string
	args  []any
	times int64
}

// tallyQueries count the tallies of a period. Summaries have no names: the canaries in them are counted separately, and subtracted.
func (s *statistics) tallyQueries(p period) []counting {
	ask := func(times int64, terms string, args []any) counting {
		query, args := s.tallyQuery(p, terms, args)
		return counting{query, args, times}
	}
	if !s.summarised() {
		terms, args := s.names(s.q.Filter, "f.")
		return []counting{ask(1, " AND f.summary = FALSE"+terms, args)}
	}
	all := []counting{ask(1, " AND f.summary = TRUE", nil)}
	if s.q.Filter.NoCanaries {
		all = append(all, ask(-1, " AND f.summary = FALSE AND "+isCanary("f."), []any{call.CanaryProvider, call.CanaryRule}))
	}
	return all
}

// tallyQuery selects the counts of whole hours, or days. The order of the tables is the order in which SQLite reads them: few
// combinations of names match, and the hours of each are stored together. So each combination is added up first, and few rows are
// left to be sorted into groups.
func (s *statistics) tallyQuery(p period, terms string, args []any) (string, []any) {
	hour, each := "0", "f.facet"
	if s.q.By == query.By.Hour || s.q.By == query.By.Day {
		hour, each = "t.begins / 3600000000", "f.facet, t.begins"
	}
	counted := "SELECT " + hour + " AS hour, f.type, f.blocked, f.would_be, f.verdict, " + in("t.",
		namedSums) + strings.ReplaceAll(s.groupName(), ", ", ", f.") +
		" FROM facets f CROSS JOIN tallies t WHERE t.facet = f.facet AND t.span = ? AND t.begins >= ? AND t.begins < ? AND " +
		"" + s.types("f.") + terms +
		" GROUP BY " + each
	return s.grouped(counted), append([]any{p.span, p.first * microsPerHour, p.end * microsPerHour}, args...)
}

// grouped adds up the counts of a query by groups.
func (s *statistics) grouped(counted string) string {
	return "SELECT " + s.groupColumns("e.", "e.hour") + ", " + in("e.", kinds) + ", " + in("e.",
		sums) + " FROM (" + counted + ") e GROUP BY 1, 2, 3, 4, 5, 6"
}

// summarised says whether summaries can be used: the question has no conditions on names.
func (s *statistics) summarised() bool {
	switch s.q.By {
	case "", query.By.Hour, query.By.Day:
		return len(s.q.Filter.Not) == 0 &&
			!slices.ContainsFunc(conditionsOf(s.q.Filter), func(c condition) bool { return c.value != "" })
	}
	return false
}

// eventQuery counts the events themselves.
func (s *statistics) eventQuery(w where) (string, []any) {
	clause, args := w.sql()
	counted := `SELECT row_id, time / 3600000000 AS hour, type, surface, blocked, would_be, verdict, 1 AS events,
		input_tokens, cache_tokens, output_tokens, cost_micros,
		request_id, within` + s.groupName() + ` FROM events` + clause + " AND " + s.types(s.r.db.flavour.unindexed(""))
	if s.q.OfCalls() {
		counted = `SELECT c.hour, c.type, c.blocked, c.would_be, c.verdict, 1 AS events,
			coalesce(d.input_tokens / d.calls, 0) AS input_tokens, coalesce(d.cache_tokens / d.calls, 0) AS cache_tokens,
			coalesce(d.output_tokens / d.calls, 0) AS output_tokens, coalesce(d.cost_micros / d.calls, 0) AS cost_micros` +
			strings.ReplaceAll(s.groupName(), ", ", ", c.") + `
			FROM (` + counted + `) c LEFT JOIN events d ON d.request_id = c.request_id AND d.request_id <> '' AND d.type = 'response_done'
				AND d.calls > 0 AND c.within = '' AND c.surface = 'response'`
	}
	return s.grouped(counted), args
}

// groupName is the column with the name of a group, to be added to a list of columns that lacks it.
func (s *statistics) groupName() string {
	switch s.q.By {
	case "", query.By.Hour, query.By.Day, query.By.Verdict:
		return ""
	}
	return ", " + string(s.q.By)
}

// times are the columns of a response with its times.
const times = "%total_us, %upstream_us, %held_us, %judged_us, %recorded_us"

// timesQuery selects the times of the responses in a lot or a higher one.
func (s *statistics) timesQuery(lot int64) (string, []any) {
	f := s.q.Filter
	ofResponse, args := s.names(responsesOf(f), "df.")
	since, until := span(f)
	from := " FROM facets df CROSS JOIN events d"
	clause := " WHERE df.type = 'response_done' AND df.summary = FALSE" + ofResponse + " AND d.facet = df.facet AND d.type = " +
		"'response_done' AND " + lotsFrom(s.r.db.flavour, lot) +
		" AND d.time >= ? AND d.time < ?"
	args = append(args, since, until)
	group := s.groupColumns("df.", "d.time / 3600000000")
	if s.q.OfCalls() {
		terms, more := s.names(f, "f.")
		from += " CROSS JOIN events c CROSS JOIN facets f"
		clause += " AND c.request_id = d.request_id AND c.request_id <> '' AND c.type IN " + callTypes + " AND f.facet = c.facet AND " +
			"" + s.types("f.") + terms
		args = append(args, more...)
		group = s.groupColumns("f.", "d.time / 3600000000")
	}
	return "SELECT " + group + ", " + in("d.", times) + from + clause + " AND d.total_us > 0", args
}

// eventTimesQuery selects the times of all responses that a filter selects, or of the responses of the selected calls. The filter's
// selection is read first, and the index on types is not used: it would find all responses that exist.
func (s *statistics) eventTimesQuery(w where) (string, []any) {
	clause, args := w.sql()
	hour, unindexed := "time / 3600000000", s.r.db.flavour.unindexed("")
	if !s.q.OfCalls() {
		return "SELECT " + s.groupColumns("", hour) + ", " + in("",
			times) + " FROM events" + clause + " AND " + unindexed + "type = 'response_done' AND total_us > 0", args
	}
	return "SELECT " + s.groupColumns("c.", "c.hour") + ", " + in("d.",
		times) + " FROM (SELECT request_id, verdict, " + hour + " AS hour" + s.groupName() +
		" FROM events" + clause + " AND " + s.types(unindexed) + ") c CROSS JOIN events d WHERE d.request_id = c.request_id AND d.request_id " +
		"<> '' AND " +
		unindexed + "d.type = 'response_done' AND d.total_us > 0", args
}

// responsesOf is the part of a filter that is about responses.
func responsesOf(f query.Filter) query.Filter {
	of := query.Filter{
		NoCanaries: f.NoCanaries, Org: f.Org, Team: f.Team, Employee: f.Employee, Key: f.Key, Provider: f.Provider,
		Model: f.Model,
	}
	for _, n := range f.Nots() {
		// What names a call too leaves out single calls, not their responses.
		if responsesOf(n).Conditions() == n.Conditions() {
			of.Not = append(of.Not, n)
		}
	}
	return of
}

// lotsFrom selects a lot and all higher lots. PostgreSQL reads only these lots of an index if they are a range. SQLite uses the
// next column of the index, the time, only if they are listed.
func lotsFrom(f flavour, lot int64) string {
	if f.ranged {
		return "d.lot >= " + strconv.FormatInt(lot, 10)
	}
	var all []string
	for ; lot <= mostLots; lot++ {
		all = append(all, strconv.FormatInt(lot, 10))
	}
	return "d.lot IN (" + strings.Join(all, ", ") + ")"
}
