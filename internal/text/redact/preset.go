package redact

import "slices"

// presets are all presets in the order of the documentation.
var presets = []preset{
	{name: "aws_access_key", bytes: "A", find: findAWSAccessKey},
	{name: "aws_secret_key", sweep: sweepAWSSecretKeys},
	{name: "openai_key", bytes: "-", find: findOpenAIKey},
	{name: "anthropic_key", bytes: "-", find: findAnthropicKey},
	{name: "openrouter_key", forms: openRouterForms},
	{name: "groq_key", forms: groqForms},
	{name: "xai_key", forms: xaiForms},
	{name: "perplexity_key", forms: perplexityForms},
	{name: "huggingface_token", forms: huggingFaceForms},
	{name: "google_key", forms: googleForms},
	{name: "azure_key", bytes: "~=", find: findAzureKey, forms: azureForms},
	{name: "digitalocean_token", forms: digitalOceanForms},
	{name: "databricks_token", forms: databricksForms},
	{name: "github_token", bytes: "_", find: findGitHubToken},
	{name: "gitlab_token", forms: gitlabForms},
	{name: "npm_token", forms: npmForms},
	{name: "pypi_token", forms: pypiForms},
	{name: "docker_token", forms: dockerForms},
	{name: "vault_token", forms: vaultForms},
	{name: "slack_token", bytes: "-.", find: findSlackToken},
	{name: "discord_token", bytes: ".", find: findDiscordToken},
	{name: "telegram_token", bytes: ":", find: findTelegramToken},
	{name: "stripe_key", forms: stripeForms},
	{name: "shopify_token", forms: shopifyForms},
	{name: "sendgrid_key", forms: sendGridForms},
	{name: "twilio_key", forms: twilioForms},
	{name: "linear_key", forms: linearForms},
	{name: "notion_token", forms: notionForms},
	{name: "service_token", forms: serviceForms},
	{name: "private_key", bytes: "V", find: findPrivateKey},
	{name: "jwt", bytes: ".", find: findJWT},
	{name: "bearer_token", bytes: "bBzZ", find: findBearerToken, sweep: sweepHeaderValue},
	{name: "url_password", bytes: ":", find: findURLPassword},
	{name: "generic_secret", bytes: "=:-", find: findAssignedSecret, sweep: sweepNamedSecret},
	{name: "email", bytes: "@", find: findEmail, personal: true},
	{name: "ssn_us", bytes: decimals, find: findSSN, whole: true, personal: true},
	{name: "credit_card", bytes: decimals, find: findCard, whole: true, personal: true},
	{name: "iban", bytes: decimals, find: findIBAN, personal: true},
	{name: "phone", bytes: decimals + "+(", find: findPhone, whole: true, personal: true},
}

const decimals = "0123456789"

// These are the names of groups of presets.
const (
	groupSecrets  = "secrets" // keys, tokens and passwords
	groupPersonal = "pii"     // personal data
)

// Presets returns the names that a Config can use: all presets in the order of the documentation, then the groups of presets.
func Presets() []string {
	names := make([]string, 0, len(presets)+2)
	for i := range presets {
		names = append(names, presets[i].name)
	}
	return append(names, groupSecrets, groupPersonal)
}

// presetsOf returns the presets for a name; none: the name is unknown.
func presetsOf(name string) (all []*preset) {
	for i := range presets {
		p := &presets[i]
		if p.name == name || name == groupSecrets && !p.personal || name == groupPersonal && p.personal {
			all = append(all, p)
		}
	}
	return all
}

// has reports whether the Set already has a preset.
func (s *Set) has(p *preset) bool {
	return slices.ContainsFunc(s.detectors, func(d rankedPreset) bool { return d.preset == p })
}
