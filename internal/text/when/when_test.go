package when

import (
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/text/truth"
)

func at(t *testing.T, text string) Moment {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return At(parsed)
}

func TestWindow(t *testing.T) {
	for _, tt := range []struct {
		days, hours []string
		zone, at    string
		want        truth.Value
	}{
		{nil, []string{"09:00-18:00"}, "UTC", "2026-11-18T09:00:00Z", truth.Yes},
		{nil, []string{"09:00-18:00"}, "UTC", "2026-11-18T17:59:59Z", truth.Yes},
		{nil, []string{"09:00-18:00"}, "UTC", "2026-11-18T18:00:00Z", truth.No},
		{nil, []string{"09:00-18:00"}, "Europe/Berlin", "2026-11-18T08:00:00Z", truth.Yes},
		{nil, []string{"09:00-18:00"}, "Europe/Berlin", "2026-07-18T07:30:00Z", truth.Yes}, // an hour earlier in summer
		{nil, []string{"09:00-18:00"}, "America/New_York", "2026-11-18T09:00:00Z", truth.No},
		{[]string{"mon-fri"}, nil, "UTC", "2026-11-20T23:59:00Z", truth.Yes},
		{[]string{"mon-fri"}, nil, "UTC", "2026-11-21T00:00:00Z", truth.No},
		{[]string{"Sat-Mon"}, nil, "UTC", "2026-11-22T12:00:00Z", truth.Yes},
		{[]string{"sat-mon"}, nil, "UTC", "2026-11-24T12:00:00Z", truth.No},
		{[]string{"mon", "wed"}, nil, "UTC", "2026-11-18T12:00:00Z", truth.Yes},
		{[]string{"fri"}, []string{"22:00-06:00"}, "UTC", "2026-11-20T21:59:00Z", truth.No},
		{[]string{"fri"}, []string{"22:00-06:00"}, "UTC", "2026-11-20T22:00:00Z", truth.Yes},
		{[]string{"fri"}, []string{"22:00-06:00"}, "UTC", "2026-11-21T05:59:00Z", truth.Yes}, // the night of Friday
		{[]string{"fri"}, []string{"22:00-06:00"}, "UTC", "2026-11-21T06:00:00Z", truth.No},
		{[]string{"fri"}, []string{"22:00-06:00"}, "UTC", "2026-11-20T05:00:00Z", truth.No}, // the night of Thursday
		{nil, []string{"08:00-12:00", "13:00-24:00"}, "UTC", "2026-11-18T23:59:00Z", truth.Yes},
		{nil, []string{"08:00-12:00", "13:00-24:00"}, "UTC", "2026-11-18T12:30:00Z", truth.No},
	} {
		w, err := ParseWindow(tt.days, tt.hours, tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Holds(at(t, tt.at)); got != tt.want {
			t.Errorf("%v %v %s at %s: %d", tt.days, tt.hours, tt.zone, tt.at, got)
		}
		if got := w.Holds(Moment{}); got != truth.Maybe {
			t.Errorf("%v %v: %d if the time is not known", tt.days, tt.hours, got)
		}
	}
}

func TestWindowProblems(t *testing.T) {
	for _, tt := range []struct {
		days, hours []string
		zone        string
	}{
		{zone: "Mars"},
		{zone: "Local"},
		{days: []string{"monday"}},
		{days: []string{"mon-"}},
		{days: []string{""}},
		{hours: []string{"9-18"}},
		{hours: []string{"9:00-18:00"}},
		{hours: []string{"09:00"}},
		{hours: []string{"09:00-25:00"}},
		{hours: []string{"24:00-01:00"}},
		{hours: []string{"10:00-10:00"}},
		{zone: "../../etc/passwd"},
	} {
		if _, err := ParseWindow(tt.days, tt.hours, tt.zone); err == nil {
			t.Errorf("%v is taken", tt)
		}
	}
}

func TestEnd(t *testing.T) {
	midday := time.Date(2026, 12, 24, 12, 0, 0, 0, time.Local)
	for _, tt := range []struct {
		end  string
		at   time.Time
		want truth.Value
	}{
		{"2026-12-24", midday, truth.No}, // the day itself counts
		{"2026-12-24", midday.Add(12 * time.Hour), truth.Yes},
		{"2026-12-23", midday, truth.Yes},
		{"2026-12-24T10:00:00Z", time.Date(2026, 12, 24, 9, 59, 59, 0, time.UTC), truth.No},
		{"2026-12-24T10:00:00+01:00", time.Date(2026, 12, 24, 9, 0, 0, 0, time.UTC), truth.Yes},
		{"2026-12-24", time.Time{}, truth.Maybe},
	} {
		e, err := ParseEnd(tt.end)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Passed(At(tt.at)); got != tt.want {
			t.Errorf("%s at %s: %d", tt.end, tt.at, got)
		}
	}
	for _, wrong := range []string{"", "tomorrow", "2026-13-01", "2026-12-24 10:00", "24.12.2026"} {
		if _, err := ParseEnd(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}
