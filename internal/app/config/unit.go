package config

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

const mib = int64(1 << 20)

var units = map[string]int64{
	"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": mib, "GiB": 1 << 30,
}

var errSize = errors.New("this is not a size")

// parseSize parses a whole number with a unit, such as 16MiB.
func parseSize(text string) (int64, error) {
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end <= 0 {
		return 0, errSize
	}
	unit, known := units[text[end:]]
	n, err := strconv.ParseInt(text[:end], 10, 64)
	if err != nil || !known || n == 0 || n > math.MaxInt64/unit {
		return 0, errSize
	}
	return n * unit, nil
}

// formatSize returns a size with the largest unit that fits.
func formatSize(n int64) string {
	for _, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := units[unit]; n >= size && n%size == 0 {
			return strconv.FormatInt(n/size, 10) + unit
		}
	}
	return strconv.FormatInt(n, 10) + "B"
}

const day = 24 * time.Hour

// parseAge parses how long something is stored: days such as 30d, or a duration of at least a minute.
func parseAge(text string) (time.Duration, error) {
	const most = 100 * 365 * day
	if number, isDays := strings.CutSuffix(text, "d"); isDays {
		if n, err := strconv.ParseUint(number, 10, 32); err == nil && n > 0 && n <= uint64(most/day) {
			return time.Duration(n) * day, nil
		}
	} else if d, err := time.ParseDuration(text); err == nil && d >= time.Minute && d <= most {
		return d, nil
	}
	return 0, errors.New("this is not a time from a minute to a hundred years")
}

// parseDuration parses a duration of at least a second, such as 10m.
func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second {
		return 0, errors.New("this is not a duration of at least a second")
	}
	return d, nil
}
