package program

import (
	"slices"
	"strings"
	"unicode/utf8"
)

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

// ProxyVariables lead connections through a proxy, and so through weir's door for them.
const ProxyVariables = "HTTPS_PROXY HTTP_PROXY ALL_PROXY"

// wayVariables lead agents through weir. Models are asked by https alone; tests are often run without the proxy for http.
const wayVariables = GuardVariables + " HTTPS_PROXY ALL_PROXY"

// SettingsVariables say where agents and weir find their settings.
const SettingsVariables = `XDG_CONFIG_HOME XDG_STATE_HOME CLAUDE_CONFIG_DIR CODEX_HOME OPENCODE_CONFIG OPENCODE_CONFIG_DIR
	OPENCODE_CONFIG_CONTENT GEMINI_CLI_HOME GEMINI_CLI_SYSTEM_SETTINGS_PATH GOOSE_CONFIG_DIR
	WEIR_CONFIG WEIR_CONFIG_DIR WEIR_HOME WEIR_POLICY WEIR_SOCKET WEIR_STATE_DIR WEIR_ADDR WEIR_URL WEIR_DISABLE WEIR_BYPASS WEIR_MODE`

// AgentVariables say where agents find their settings, and what they trust and pass by on their way to a model.
const AgentVariables = ProxyVariables + " NO_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE HOME " + SettingsVariables + `
	CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY`

// each is the names of variables in lower case, each with a text before and behind it.
func each(before, names, behind string) string {
	var out []string
	for name := range strings.FieldsSeq(lower(names)) {
		out = append(out, before+name+behind)
	}
	return strings.Join(out, " ")
}

// codeFolderVariables list folders from which interpreters load code.
var codeFolderVariables = nameSet("PYTHONPATH NODE_PATH PERL5LIB PERLLIB RUBYLIB CLASSPATH LUA_PATH LUA_CPATH PHP_INI_SCAN_DIR GEM_PATH")

// toolVariables name the version or the folder of what a program runs.
var toolVariables = nameSet("JAVA_HOME JDK_HOME GOROOT GOTOOLCHAIN RUSTUP_TOOLCHAIN M2_HOME MAVEN_HOME GRADLE_HOME DOTNET_ROOT " +
	"ANDROID_HOME ANDROID_SDK_ROOT ANDROID_NDK_HOME NODE_VERSION PYENV_VERSION RBENV_VERSION")

// alteringVariables change what a program is, what it loads, or on which repository, cluster or account it works, as an option would.
var alteringVariables = nameSet(`SHELL MAKESHELL CDPATH HOME USERPROFILE PATHEXT ComSpec COMSPEC FPATH fpath path PYTHONHOME
	PYTHONBREAKPOINT GOENV GOTOOLDIR GOPROXY GOSUMDB GONOSUMDB GOINSECURE GOVCS CARGO_HOME RUSTUP_HOME
	GRADLE_USER_HOME GEM_HOME BUNDLE_GEMFILE BUNDLE_PATH VIRTUAL_ENV CONDA_PREFIX
	GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE
	GIT_TEMPLATE_DIR GIT_ATTR_SOURCE GIT_PROXY_SSL_CERT GIT_SSL_NO_VERIFY GIT_ALLOW_PROTOCOL
	KUBECONFIG KUBE_CONTEXT HELM_KUBECONTEXT DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG CONTAINER_HOST AWS_PROFILE AWS_DEFAULT_PROFILE
	AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_ENDPOINT_URL CLOUDSDK_CONFIG CLOUDSDK_CORE_PROJECT CLOUDSDK_CORE_ACCOUNT
	AZURE_CONFIG_DIR TF_CLI_CONFIG_FILE TF_DATA_DIR TF_WORKSPACE VAULT_ADDR CONSUL_HTTP_ADDR NOMAD_ADDR GH_HOST GH_REPO GH_CONFIG_DIR
	XDG_CONFIG_HOME XDG_DATA_HOME XDG_CONFIG_DIRS CURL_HOME WGETRC INPUTRC TERMINFO PIP_CONFIG_FILE PIP_INDEX_URL PIP_EXTRA_INDEX_URL
	UV_INDEX_URL ESLINT_USE_FLAT_CONFIG PYTEST_PLUGINS MAKEFILES BASHOPTS SHELLOPTS`)

// alteringPrefixes are the beginnings of names of such variables.
var alteringPrefixes = []string{"LD_", "DYLD_", "GIT_CONFIG", "npm_config_", "NPM_CONFIG_", "BASH_FUNC_", "YARN_RC", "TF_CLI_ARGS"}

// Alters reports that a variable changes what a program is, what it loads, or on what it works, so that a command with it is not surely
// the command without it. Variables that name a command are not among them: that command is read for itself.
func Alters(name, value string) bool {
	if codeFolderVariables[name] {
		return !belowHere(value)
	}
	if name == "LD_LIBRARY_PATH" || name == "DYLD_LIBRARY_PATH" {
		// Builds have their libraries in a folder of their own, not beside everything else.
		return !belowHere(value) || !strings.Contains(value, "/") || slices.Contains(strings.Split(value, ":"), "")
	}
	if toolVariables[name] {
		return strings.ContainsAny(value, "/\\") && !UsualFolder(value) || !utf8.ValidString(value)
	}
	if alteringVariables[name] {
		return true
	}
	for _, prefix := range alteringPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// belowHere reports a list of folders that all are in the folder where the command runs.
func belowHere(list string) bool {
	for folder := range strings.SplitSeq(list, ":") {
		if folder == ".." || strings.HasPrefix(folder, "../") || strings.Contains(folder, "/..") || strings.HasPrefix(folder, "/") ||
			strings.HasPrefix(folder, "~") || strings.ContainsFunc(folder, func(c rune) bool { return c >= 0x80 }) {
			return false
		}
	}
	return true
}

func nameSet(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}
