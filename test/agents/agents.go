// Package agents runs real agents, headless, against scripted models through the real weir.
//
// A suite is a folder below this one: an agent, pinned by a lock file, and scenes that are played to it. The scripted
// models are in package model.
package agents

import (
	"os"
	"time"
)

// Patience is how long anything here may take before a test gives up.
const Patience = 2 * time.Minute

// CleanEnv is an environment without the keys and settings of whoever runs the tests. Programs that follow it reach
// nothing but loopback.
func CleanEnv(home string, more ...string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "NO_PROXY=127.0.0.1"}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		env = append(env, name+"=http://127.0.0.1:1") // where nobody listens
	}
	return append(env, more...)
}
