package metrics

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/weir-gate/weir/internal/record"
)

// described finds name and labels in what a metric says of itself.
var described = regexp.MustCompile(`fqName: "(weir_[a-z_]+)".*variableLabels: \{([a-z_,]*)\}`)

// all returns the labels of every metric of weir's own, by name.
func all(t *testing.T) map[string][]string {
	t.Helper()
	descriptions := make(chan *prometheus.Desc)
	m := New(Config{})
	go func() {
		m.registry.Describe(descriptions)
		close(descriptions)
	}()
	labels := map[string][]string{}
	for d := range descriptions {
		if f := described.FindStringSubmatch(d.String()); f != nil {
			labels[f[1]] = slices.DeleteFunc(strings.Split(f[2], ","), func(s string) bool { return s == "" })
		}
	}
	if len(labels) < 20 {
		t.Fatalf("found only %v", labels)
	}
	return labels
}

// Prometheus has rules for names and help, and every metric keeps them.
func TestNamesAreGood(t *testing.T) {
	m := New(Config{})
	m.Export("webhook/alerts").Failed()
	m.Stored([]record.Event{{Type: record.Types.ToolCall}, {Type: record.Types.PolicyLoaded}})
	problems, err := testutil.GatherAndLint(m.registry, slices.Collect(maps.Keys(all(t)))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	if n, err := testutil.GatherAndCount(m.registry, slices.Collect(maps.Keys(all(t)))...); err != nil || n < len(all(t)) {
		t.Errorf("%d series of %d metrics were looked at, %v", n, len(all(t)), err)
	}
}

// A row of the table of metrics: name, type, labels.
var row = regexp.MustCompile("(?m)^\\| `(weir_[a-z_]+)` \\| (counter|gauge|histogram) \\| ([a-z_` ]*)\\| ")

// The documentation lists every metric with its labels, and no other.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string][]string{}
	for _, r := range row.FindAllStringSubmatch(string(page), -1) {
		listed[r[1]] = append([]string{}, strings.Fields(strings.ReplaceAll(r[3], "`", ""))...)
	}
	if diff := cmp.Diff(all(t), listed); diff != "" {
		t.Errorf("docs/telemetry.md (-there is +it lists):\n%s", diff)
	}
	for _, name := range metricName.FindAllString(string(page), -1) {
		if _, ok := all(t)[base(name)]; !ok && !strings.HasSuffix(name, "_") {
			t.Errorf("docs/telemetry.md speaks of %s", name)
		}
	}
}

var (
	metricName = regexp.MustCompile(`\bweir_[a-z_]+`)
	selector   = regexp.MustCompile(`(weir_[a-z_]+)\{([^}]*)\}`)
	labelName  = regexp.MustCompile(`([a-z_]+)(?:=|!=|=~|!~)"`)
	grouping   = regexp.MustCompile(`by \(([^)]*)\)`)
)

// base is the metric of a series of a histogram.
func base(name string) string {
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if cut, ok := strings.CutSuffix(name, suffix); ok {
			return cut
		}
	}
	return name
}

// scraped are labels that Prometheus or the histogram adds.
var scraped = []string{"instance", "le"}

// The dashboard asks only for what there is.
func TestDashboard(t *testing.T) {
	data, err := os.ReadFile("../../../deploy/grafana/weir.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		SchemaVersion int
		UID, Title    string
		Templating    struct{ List []struct{ Name, Type string } }
		Panels        []struct {
			ID                       int
			Title, Type, Description string
			Datasource               struct{ Type, UID string }
			GridPos                  struct{ X, Y, W, H int }
			Targets                  []struct{ Expr, RefID string }
		}
	}
	if err := json.Unmarshal(data, &board); err != nil {
		t.Fatal(err)
	}
	if board.UID != "weir" || board.SchemaVersion < 39 || len(board.Panels) < 12 || len(board.Templating.List) != 2 {
		t.Errorf("the dashboard is %s, version %d, with %d panels", board.UID, board.SchemaVersion, len(board.Panels))
	}
	metrics, used, ids := all(t), map[string]bool{}, map[int]bool{}
	for _, p := range board.Panels {
		if p.Datasource.UID != "${datasource}" || p.Title == "" || p.Description == "" || len(p.Targets) == 0 || ids[p.ID] {
			t.Errorf("panel %d, %q, is not whole", p.ID, p.Title)
		}
		if g := p.GridPos; g.W <= 0 || g.H <= 0 || g.X+g.W > 24 {
			t.Errorf("panel %q stands at %+v", p.Title, g)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			checkQuery(t, metrics, target.Expr)
			for _, name := range metricName.FindAllString(target.Expr, -1) {
				used[base(name)] = true
			}
		}
	}
	for _, name := range metricName.FindAllString(string(data), -1) {
		if _, ok := metrics[base(name)]; !ok {
			t.Errorf("the dashboard asks for %s, which is not there", name)
		}
	}
	for _, name := range []string{
		"weir_calls_total", "weir_refusals_total", "weir_call_release_seconds", "weir_held_bytes", "weir_streams_open", "weir_audit_queue_events",
		"weir_audit_commit_seconds", "weir_upstream_errors_total", "weir_cost_usd_total", "weir_tokens_total", "weir_requests_total",
	} {
		if !used[name] {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
}

// checkQuery finds labels that no metric of a query has.
func checkQuery(t *testing.T, metrics map[string][]string, query string) {
	t.Helper()
	known := slices.Clone(scraped)
	for _, s := range selector.FindAllStringSubmatch(query, -1) {
		labels := append(slices.Clone(scraped), metrics[base(s[1])]...)
		known = append(known, labels...)
		for _, l := range labelName.FindAllStringSubmatch(s[2], -1) {
			if !slices.Contains(labels, l[1]) {
				t.Errorf("%s has no label %s: %s", s[1], l[1], query)
			}
		}
	}
	if !selector.MatchString(query) {
		t.Errorf("no metric is in %s", query)
	}
	for _, g := range grouping.FindAllStringSubmatch(query, -1) {
		for _, label := range strings.Split(g[1], ",") {
			if label = strings.TrimSpace(label); !slices.Contains(known, label) {
				t.Errorf("nothing has the label %s: %s", label, query)
			}
		}
	}
}
