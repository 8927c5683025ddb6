// Package blocks has clients of models whose turns are content blocks: the Messages API, and Converse and InvokeModel of Amazon Bedrock.
package blocks
