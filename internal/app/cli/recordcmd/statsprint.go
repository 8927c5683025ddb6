package recordcmd

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
	"github.com/weir-gate/weir/internal/text/table"
)

// printTable prints a line for each group.
func (f *statsFlags) printTable(out io.Writer, width int, a groupedStats) error {
	if len(a.Groups) == 0 {
		_, err := fmt.Fprintln(out, "no event on record matches")
		return err
	}
	title := strings.ToUpper(f.by)
	if by := query.Group(f.by); by == query.By.Hour || by == query.By.Day {
		title += " " + time.Now().In(f.Zone()).Format("MST")
	}
	columns := []table.Column{{Title: title, Min: 10}}
	for _, c := range []struct {
		title string
		rank  int // what a narrow terminal leaves out first
	}{
		{"CALLS", 0},
		{"REFUSED", 0},
		{"FLAGGED", 4},
		{"WOULD BE", 6},
		{"TOKENS IN", 3},
		{"OUT", 2},
		{"COST", 1},
		{"P50", 7},
		{"P95", 5},
		{"P99", 8},
		{"HELD P95", 9},
	} {
		columns = append(columns, table.Column{Title: c.title, Right: true, Rank: c.rank})
	}
	t := table.New(out, width, columns...)
	for _, s := range a.Groups {
		cells := []string{f.name(s)}
		for _, n := range []int64{s.Calls, s.Refused, s.Flagged, s.WouldBe, s.InputTokens + s.CacheTokens, s.OutputTokens} {
			cells = append(cells, quantity.Thousands(n))
		}
		cells = append(cells, quantity.Dollars(s.CostMicros))
		for _, micros := range []int64{s.Times.Total.P50, s.Times.Total.P95, s.Times.Total.P99, s.Times.Held.P95} {
			cells = append(cells, timeOf(s, micros))
		}
		if err := t.Line(cells...); err != nil {
			return err
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if a.more > 0 {
		fmt.Fprintf(out, "and %s more; --limit 0 shows all\n", quantity.Count(a.more, "group"))
	}
	return printSampled(out, a)
}

// timeOf returns a time of a group as text; a group without measured times has none.
func timeOf(s query.Stat, micros int64) string {
	if s.Times.Measured == 0 {
		return "-"
	}
	return quantity.Duration(micros)
}

// printSampled says how many responses were measured, if not all.
func printSampled(out io.Writer, a groupedStats) error {
	if a.Every == 1 {
		return nil
	}
	var measured int64
	for _, s := range a.Groups {
		measured += s.Times.Measured
	}
	_, err := fmt.Fprintf(out, "times from a sample: about one response in %s, %s measured\n",
		quantity.Thousands(a.Every), quantity.Thousands(measured))
	return err
}

// printSummary prints one screen.
func (f *statsFlags) printSummary(ctx context.Context, r statistics, out io.Writer, a groupedStats) error {
	s := a.Groups[0]
	fmt.Fprintf(out, "calls      %s: %s released, %s refused, %s flagged, %s with a verdict that was not enforced\n",
		quantity.Thousands(s.Calls), quantity.Thousands(s.Calls-s.Refused), quantity.Thousands(s.Refused), quantity.Thousands(s.Flagged),
		quantity.Thousands(s.WouldBe))
	if !a.ofCalls {
		fmt.Fprintf(out, "responses  %s\n", quantity.Thousands(s.Responses))
	}
	fmt.Fprintf(out, "tokens     %s in, %s cached, %s out\ncost       %s\n",
		quantity.Thousands(s.InputTokens), quantity.Thousands(s.CacheTokens), quantity.Thousands(s.OutputTokens), quantity.Dollars(s.CostMicros))
	if s.Times.Measured > 0 {
		printTimes(out, s.Times)
		if err := printSampled(out, a); err != nil {
			return err
		}
	}
	for _, top := range []struct {
		by    query.Group
		title string
	}{{query.By.Tool, "most used tools"}, {query.By.Rule, "most frequent rules"}, {query.By.Code, "most frequent codes"}} {
		if err := f.printTop(ctx, r, out, top.by, top.title); err != nil {
			return err
		}
	}
	return nil
}

func printTimes(out io.Writer, t query.Times) {
	fmt.Fprintf(out, "\n%-10s %8s %8s %8s\n", "time", "p50", "p95", "p99")
	for _, line := range []struct {
		name string
		p    query.Percentiles
	}{{"total", t.Total}, {"upstream", t.Upstream}, {"held", t.Held}, {"judged", t.Judged}, {"recorded", t.Recorded}} {
		fmt.Fprintf(out, "%-10s %8s %8s %8s\n", line.name,
			quantity.Duration(line.p.P50), quantity.Duration(line.p.P95), quantity.Duration(line.p.P99))
	}
}

// printTop prints the named groups with the most calls.
func (f *statsFlags) printTop(ctx context.Context, r statistics, out io.Writer, by query.Group, title string) error {
	const most = 5
	a, err := f.ask(ctx, r, by, 0)
	if err != nil {
		return err
	}
	shown := 0
	for _, s := range a.Groups {
		if s.Name == "" && by != query.By.Tool || shown == most {
			continue
		}
		if shown++; shown == 1 {
			fmt.Fprintf(out, "\n%s\n", title)
		}
		fmt.Fprintf(out, "%10s  %s", quantity.Thousands(s.Calls), inert.CutTo(groupName(by, s.Name), 60))
		if s.Refused > 0 {
			fmt.Fprintf(out, "  (%s refused)", quantity.Thousands(s.Refused))
		}
		fmt.Fprintln(out)
	}
	return nil
}

// A statLine is a group as JSON.
type statLine struct {
	By           string     `json:"by,omitzero"`
	Group        string     `json:"group,omitzero"`
	Begin        *time.Time `json:"begin,omitzero"`
	Calls        int64      `json:"calls"`
	Released     int64      `json:"released"`
	Refused      int64      `json:"refused"`
	Flagged      int64      `json:"flagged"`
	WouldBe      int64      `json:"would_be"`
	Of           string     `json:"of"` // whether tokens, cost and times are of responses or of calls
	Responses    int64      `json:"responses,omitzero"`
	InputTokens  int64      `json:"input_tokens"`
	CacheTokens  int64      `json:"cache_tokens"`
	OutputTokens int64      `json:"output_tokens"`
	CostMicros   int64      `json:"cost_usd_micros"`
	Times        *timesLine `json:"times,omitzero"`
}

// timesLine are times as JSON.
type timesLine struct {
	Measured int64             `json:"measured"`
	Every    int64             `json:"one_in"`
	Total    query.Percentiles `json:"total"`
	Upstream query.Percentiles `json:"upstream"`
	Held     query.Percentiles `json:"held"`
	Judged   query.Percentiles `json:"judged"`
	Recorded query.Percentiles `json:"recorded"`
}

func (f *statsFlags) printJSON(out io.Writer, a groupedStats) error {
	for _, s := range a.Groups {
		line := statLine{
			By: f.by, Group: s.Name, Calls: s.Calls, Released: s.Calls - s.Refused, Refused: s.Refused, Flagged: s.Flagged, WouldBe: s.WouldBe,
			Of: "responses", Responses: s.Responses, InputTokens: s.InputTokens, CacheTokens: s.CacheTokens, OutputTokens: s.OutputTokens,
			CostMicros: s.CostMicros,
		}
		if a.ofCalls {
			line.Of = "calls"
		}
		if !s.Begin.IsZero() {
			begin := s.Begin.In(f.Zone())
			line.Begin = &begin
		}
		if t := s.Times; t.Measured > 0 {
			line.Times = &timesLine{t.Measured, a.Every, t.Total, t.Upstream, t.Held, t.Judged, t.Recorded}
		}
		text, err := json.Marshal(line)
		if err != nil {
			return fmt.Errorf("statistics: %w", err)
		}
		if _, err := fmt.Fprintln(out, inert.JSON(string(text))); err != nil {
			return err
		}
	}
	return nil
}
