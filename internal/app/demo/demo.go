// Package demo shows weir with a scripted model: a real daemon and a real proxy, without a key or a network.
package demo

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/daemon"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/show"
	"github.com/weir-gate/weir/internal/record/verify"
)

// Config sets up the demo.
type Config struct {
	Out   io.Writer
	Width int // of the terminal; 0: 120
	Style show.Style
	Pace  time.Duration // between two frames of the model
}

// upstreamName is the scripted model's name in the configuration.
const upstreamName = "scripted"

// Run plays all scenes and returns when the last one is over.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Width == 0 {
		cfg.Width = 120
	}
	dir, err := os.MkdirTemp("", "weir-demo-")
	if err != nil {
		return fmt.Errorf("create the demo's folder: %w", err)
	}
	defer os.RemoveAll(dir) // a temporary folder
	screen := newScreen(cfg.Out, cfg.Width, cfg.Style)
	m := &model{scenes: scenes(), pace: cfg.Pace, screen: screen}
	modelURL, stopModel, err := m.serve()
	if err != nil {
		return fmt.Errorf("start the scripted model: %w", err)
	}
	defer stopModel()
	d, storeURL, err := startWeir(ctx, dir, modelURL)
	if err != nil {
		return fmt.Errorf("start weir: %w", err)
	}
	serving, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- d.Run(serving) }()
	err = play(ctx, screen, m.scenes, "http://"+d.Address()+"/"+upstreamName, storeURL)
	stop()
	if runErr := <-ended; err == nil {
		err = runErr
	}
	if err != nil {
		return err
	}
	return checkRecord(context.WithoutCancel(ctx), screen, storeURL)
}

// startWeir starts weir the way weir serve does, with its own policy and record.
func startWeir(ctx context.Context, dir, modelURL string) (*daemon.Daemon, string, error) {
	policyPath := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(policyPath, []byte(policyText), 0o600); err != nil {
		return nil, "", err
	}
	u, err := url.Parse(modelURL)
	if err != nil {
		return nil, "", err
	}
	c := config.Default(dir)
	c.Listen = "127.0.0.1:0"
	c.Upstreams = map[string]config.Upstream{upstreamName: {URL: u}}
	d, err := daemon.Start(ctx, daemon.Config{
		Config: c,
		Policy: daemon.PolicySource{Path: policyPath, Parse: func(data []byte) (*policy.Policy, error) {
			return policy.Parse(policyPath, data)
		}},
	})
	return d, c.Store.URL, err
}

// play runs the scenes one after the other. The record of each is shown as it is written.
func play(ctx context.Context, screen *screen, scenes []scene, base, storeURL string) error {
	reader, err := home.OpenReadOnly(ctx, storeURL)
	if err != nil {
		return err
	}
	defer reader.Close() // nothing was written
	a := &agent{base: base, screen: screen}
	rec := &follower{reader: reader, screen: screen}
	for i, s := range scenes {
		screen.line(fmt.Sprintf("\n%d. %s\n   wire: %s\n   user: %s\n", i+1, s.title, s.format.Title, s.ask))
		screen.header()
		turn := make(chan error, 1)
		go func() { turn <- a.ask(ctx, s) }()
		if err := rec.follow(ctx, turn); err != nil {
			return err
		}
	}
	return nil
}

// checkRecord verifies the record when everything is over.
func checkRecord(ctx context.Context, screen *screen, storeURL string) error {
	reader, err := home.OpenReadOnly(ctx, storeURL)
	if err != nil {
		return err
	}
	defer reader.Close() // nothing was written
	report, err := verify.Check{Record: reader}.Run(ctx)
	if err != nil {
		return err
	}
	if report.Found > 0 {
		return fmt.Errorf("the record is not intact: %s", report.Problems[0])
	}
	screen.line("\nEvery record was on disk before its call was released. The right column is read back from the store, and so")
	screen.line("appears a moment later.")
	screen.line(fmt.Sprintf("The record is intact: %d events, hash-chained. Next: weir serve", report.Events))
	return nil
}
