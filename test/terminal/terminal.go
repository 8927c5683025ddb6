// Package terminal tests what people see of weir: the real binary on terminals of several sizes.
package terminal
