// Package bedrock has clients of the Amazon Bedrock runtime talk through the real weir.
package bedrock
