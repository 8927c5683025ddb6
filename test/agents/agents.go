// Package agents runs real agents, headless, against scripted models through the real weir.
//
// A suite is a folder below this one: an agent, pinned by a lock file, and scenes that are played to it. The scripted
// models are in package model.
package agents

import "time"

// Patience is how long anything here may take before a test gives up.
const Patience = 2 * time.Minute

// onlyLoopback has programs that follow it reach nothing but loopback: the proxy for all else is where nobody listens.
var onlyLoopback = []string{
	"HTTP_PROXY=" + nobody, "HTTPS_PROXY=" + nobody, "ALL_PROXY=" + nobody,
	"http_proxy=" + nobody, "https_proxy=" + nobody, "all_proxy=" + nobody, "NO_PROXY=127.0.0.1",
}

const nobody = "http://127.0.0.1:1"
