package program

import "strings"

// PlaceVariables are the variables of the environment that name a folder or a file of the user, with what they name unless somebody
// moved it; ~ is the user's folder.
var PlaceVariables = map[string]string{
	"XDG_CONFIG_HOME": "~/.config", "XDG_STATE_HOME": "~/.local/state", "XDG_DATA_HOME": "~/.local/share", "XDG_CACHE_HOME": "~/.cache",
	"CLAUDE_CONFIG_DIR": "~/.claude", "CODEX_HOME": "~/.codex", "GH_CONFIG_DIR": "~/.config/gh", "GLAB_CONFIG_DIR": "~/.config/glab-cli",
	"KUBECONFIG": "~/.kube/config", "DOCKER_CONFIG": "~/.docker", "GNUPGHOME": "~/.gnupg", "PASSWORD_STORE_DIR": "~/.password-store",
	"AWS_SHARED_CREDENTIALS_FILE": "~/.aws/credentials", "CLOUDSDK_CONFIG": "~/.config/gcloud", "AZURE_CONFIG_DIR": "~/.azure",
	"GOOGLE_APPLICATION_CREDENTIALS": "~/.config/gcloud/application_default_credentials.json", "PGPASSFILE": "~/.pgpass",
	"NETRC": "~/.netrc", "NPM_CONFIG_USERCONFIG": "~/.npmrc", "RCLONE_CONFIG": "~/.config/rclone/rclone.conf",
	"SOPS_AGE_KEY_FILE": "~/.config/sops/age/keys.txt",
}

// SecretVariable reports the name of a variable that holds a password, a token or a key for much. Keys for small services are in the
// addresses of many requests.
func SecretVariable(name string) bool {
	name = lower(name)
	for _, end := range []string{"_id", "_name", "_file", "_path", "_dir", "_url", "_arn", "tokens", "_length", "_ttl", "_type"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	for _, part := range []string{"secret", "token", "passw", "private_key", "ai_api_key", "anthropic_api_key", "gemini_api_key"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// Agents are the programs of coding agents.
const Agents = `claude codex gemini opencode aider goose cursor-agent amp crush qwen copilot droid auggie cline kiro-cli kilocode
	plandex claude-code gemini-cli openhands`

// AgentVariables say where agents find their settings, and what they trust and pass by on their way to a model.
const AgentVariables = `HTTPS_PROXY HTTP_PROXY ALL_PROXY NO_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE CLAUDE_CONFIG_DIR CODEX_HOME
	OPENCODE_CONFIG OPENCODE_CONFIG_DIR OPENCODE_CONFIG_CONTENT GEMINI_CLI_HOME GEMINI_CLI_SYSTEM_SETTINGS_PATH GOOSE_CONFIG_DIR HOME
	XDG_CONFIG_HOME CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY`
