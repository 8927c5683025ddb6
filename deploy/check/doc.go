// Package check proves that what is in deploy is valid: the Compose file and the Helm chart.
package check
