// Package install tests install.sh against a server with good and bad releases.
package install
