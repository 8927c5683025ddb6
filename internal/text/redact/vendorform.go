package redact

// These are the characters of keys after their prefix.
var (
	hexChars    = newCharset("a-f0-9")
	anyHexChars = newCharset("A-Fa-f0-9")
	dottedChars = newCharset("A-Za-z0-9_.-")
)

// These are the forms of keys and tokens that have a prefix of their own, by service.
var (
	openRouterForms = []form{{prefix: "sk-or-v1-", chars: hexChars, least: minKey}}
	groqForms       = []form{{prefix: "gsk_", least: 40}}
	xaiForms        = []form{{prefix: "xai-", chars: keyChars, least: 40}}
	perplexityForms = []form{{prefix: "pplx-", least: 40}}
	// Tokens of Hugging Face may have only letters. The second form is for organisations.
	huggingFaceForms = []form{{prefix: "hf_", least: 30, wordy: true}, {prefix: "api_org_", least: 30, wordy: true}}
	// Keys, client secrets, access tokens and refresh tokens.
	googleForms = []form{
		{prefix: "AIza", chars: keyChars, least: 35},
		{prefix: "GOCSPX-", chars: keyChars, least: 20},
		{prefix: "ya29.", chars: dottedChars, least: 20},
		{prefix: "1//0", chars: keyChars, least: 30},
	}
	azureForms = []form{
		{prefix: "AccountKey=", chars: base64Chars, least: 40}, {prefix: "SharedAccessKey=", chars: base64Chars, least: 40},
	}
	digitalOceanForms = []form{
		{prefix: "dop_v1_", chars: hexChars, least: minKey},
		{prefix: "doo_v1_", chars: hexChars, least: minKey},
		{prefix: "dor_v1_", chars: hexChars, least: minKey},
	}
	databricksForms = []form{{prefix: "dapi", chars: hexChars, least: 32, exact: true}}
	// Tokens of people, of deployments, runners, builds, triggers, feeds, incoming mail, agents, applications and flags, and of the
	// registration of runners.
	gitlabForms = []form{
		gitlabForm("glpat-"), gitlabForm("gldt-"), gitlabForm("glrt-"), gitlabForm("glrtr-"), gitlabForm("glcbt-"), gitlabForm("glptt-"),
		gitlabForm("glft-"), gitlabForm("glimt-"), gitlabForm("glagent-"), gitlabForm("gloas-"), gitlabForm("glffct-"), gitlabForm("glsoat-"),
		gitlabForm("GR1348941"),
	}
	npmForms    = []form{{prefix: "npm_", least: 36}}
	pypiForms   = []form{{prefix: "pypi-Ag", chars: keyChars, least: 50}}
	dockerForms = []form{{prefix: "dckr_pat_", chars: keyChars, least: 20}, {prefix: "dckr_oat_", chars: keyChars, least: 20}}
	vaultForms  = []form{
		{prefix: "hvs.", chars: keyChars, least: 24}, {prefix: "hvb.", chars: keyChars, least: 24}, {prefix: "hvr.", chars: keyChars, least: 24},
	}
	// Secret and restricted keys, and the secrets that sign webhooks. Publishable keys are no secrets.
	stripeForms = []form{
		{prefix: "sk_live_", least: 16},
		{prefix: "sk_test_", least: 16},
		{prefix: "rk_live_", least: 16},
		{prefix: "rk_test_", least: 16},
		{prefix: "whsec_", chars: base64Chars, least: 24},
	}
	shopifyForms = []form{
		{prefix: "shpat_", chars: anyHexChars, least: 32},
		{prefix: "shpca_", chars: anyHexChars, least: 32},
		{prefix: "shppa_", chars: anyHexChars, least: 32},
		{prefix: "shpss_", chars: anyHexChars, least: 32},
	}
	sendGridForms = []form{{prefix: "SG.", chars: dottedChars, least: 60}}
	// The id of a key, which identifies an account. Its secret has no form.
	twilioForms = []form{{prefix: "SK", chars: hexChars, least: 32, exact: true}}
	linearForms = []form{{prefix: "lin_api_", least: minKey}, {prefix: "lin_oauth_", least: minKey}, {prefix: "lin_wh_", least: minKey}}
	notionForms = []form{{prefix: "ntn_", least: 40}, {prefix: "secret_", least: 43}}
)

// gitlabForm is the form of GitLab's tokens. Newer tokens have dots.
func gitlabForm(prefix string) form { return form{prefix: prefix, chars: dottedChars, least: 20} }

// serviceForms are the forms of services without their own preset.
var serviceForms = []form{
	{prefix: "nvapi-", chars: keyChars, least: 40},         // Nvidia
	{prefix: "r8_", least: 37},                             // Replicate
	{prefix: "csk-", least: 40},                            // Cerebras
	{prefix: "pcsk_", chars: githubPATChars, least: 40},    // Pinecone
	{prefix: "tvly-", chars: keyChars, least: 30},          // Tavily
	{prefix: "lsv2_pt_", chars: githubPATChars, least: 32}, // LangSmith
	{prefix: "lsv2_sk_", chars: githubPATChars, least: 32},
	{prefix: "sbp_", chars: hexChars, least: 40}, // Supabase
	{prefix: "sb_secret_", chars: keyChars, least: 20},
	{prefix: "ATATT3", chars: slackCookieChars, least: 60}, // Atlassian
	{prefix: "ATCTT3", chars: slackCookieChars, least: 60},
	{prefix: "ATBB", least: 32},
	{prefix: "glsa_", chars: githubPATChars, least: 40}, // Grafana
	{prefix: "glc_", chars: base64Chars, least: 32},
	{prefix: "NRAK-", least: 27},                            // New Relic
	{prefix: "sntrys_", chars: slackCookieChars, least: 60}, // Sentry
	{prefix: "sntryu_", chars: hexChars, least: 60},
	{prefix: "figd_", chars: keyChars, least: 36},   // Figma
	{prefix: "PMAK-", chars: keyChars, least: 50},   // Postman
	{prefix: "sq0csp-", chars: keyChars, least: 40}, // Square
	{prefix: "sq0atp-", chars: keyChars, least: 22},
	{prefix: "pscale_tkn_", chars: dottedChars, least: 32}, // PlanetScale
	{prefix: "pscale_pw_", chars: dottedChars, least: 32},
	{prefix: "dp.pt.", least: 40}, // Doppler
	{prefix: "dp.st.", chars: dottedChars, least: 40},
	{prefix: "rubygems_", chars: hexChars, least: 48},
	{prefix: "pul-", chars: hexChars, least: 40},               // Pulumi
	{prefix: "AGE-SECRET-KEY-1", chars: awsIDChars, least: 50}, // age
	{prefix: "tskey-", chars: keyChars, least: 20},             // Tailscale
	{prefix: "HRKU-", chars: keyChars, least: 36},              // Heroku
	{prefix: "dt0c01.", chars: dottedChars, least: 60},         // Dynatrace
	{prefix: "nfp_", least: 36},                                // Netlify
	{prefix: "ops_eyJ", chars: keyChars, least: 100},           // 1Password
}
