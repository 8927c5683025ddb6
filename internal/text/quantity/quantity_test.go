package quantity

import "testing"

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 12345678: "12,345,678"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	for micros, want := range map[int64]string{0: "$0.00", 1: "$0.0000", 1234: "$0.0012", 999_999: "$1.0000", 1_000_000: "$1.00", 1_234_567_890: "$1,234.57"} {
		if got := Dollars(micros); got != want {
			t.Errorf("%d is %q, want %q", micros, got, want)
		}
	}
	for micros, want := range map[int64]string{
		0: "0µs", 999: "999µs", 1500: "1.5ms", 42_400: "42ms", 1_234_567: "1.23s", 12_345_678: "12.3s", 95_400_000: "1m35s",
	} {
		if got := Duration(micros); got != want {
			t.Errorf("%d is %q, want %q", micros, got, want)
		}
	}
}
