package complete

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/show"
)

// A person waits for completions after each press of a key, and cannot choose from many.
const (
	patience   = 2 * time.Second
	mostNames  = 100
	mostCalls  = 30
	recentDays = 30
)

// read lets a function read the record that the flags of a command name. If it cannot be read, there is nothing to offer.
func read(cmd *cobra.Command, look func(ctx context.Context, r home.View) []string) []string {
	var f excerpt.Flags
	for name, into := range map[string]*string{"store": &f.Store, "config": &f.Config} {
		if flag := cmd.Flags().Lookup(name); flag != nil {
			*into = flag.Value.String()
		}
	}
	url, err := f.URL()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := home.OpenReadOnly(ctx, url)
	if err != nil {
		return nil
	}
	defer r.Close() // nothing was written
	return look(ctx, r)
}

// names offers the names of a group on record, those with the most calls first.
func names(by query.Group) source {
	return func(cmd *cobra.Command, _ []string) []string {
		return read(cmd, func(ctx context.Context, r home.View) (all []string) {
			since := time.Now().AddDate(0, 0, -recentDays)
			stats, err := r.Stats(ctx, query.StatsQuery{By: by, Filter: query.Filter{Since: since, NoCanaries: true}})
			if err != nil {
				return nil
			}
			for _, s := range stats.Groups {
				if len(all) < mostNames && s.Name != "" {
					all = append(all, s.Name)
				}
			}
			return all
		})
	}
}

// calls offers the newest calls by the beginnings of their ids, with what they are.
func calls(cmd *cobra.Command, _ []string) []string {
	return read(cmd, func(ctx context.Context, r home.View) (all []string) {
		newest := query.Filter{
			Types: record.Types.Where(record.Type.IsCall), Limit: mostCalls, Newest: true, NoCanaries: true,
		}
		for e, err := range r.Entries(ctx, newest) {
			if err != nil {
				break
			}
			ev, err := e.Event()
			if err != nil || e.CallID == "" {
				continue
			}
			meaning := strings.Join(strings.Fields(show.Style{Longest: 60}.Brief(ev)), " ")
			all = append(all, show.ShortID(e.CallID)+"\t"+meaning)
		}
		slices.Reverse(all)
		return all
	})
}

// toolsOf offers the tools of an MCP server.
func toolsOf(cmd *cobra.Command, server string) []string {
	return read(cmd, func(ctx context.Context, r home.View) (all []string) {
		known, err := excerpt.Registry(ctx, r)
		if err != nil {
			return nil
		}
		for _, t := range known.Tools(server) {
			all = append(all, t.Name+"\t"+string(known.State(server, t.Name).State))
		}
		return all
	})
}
