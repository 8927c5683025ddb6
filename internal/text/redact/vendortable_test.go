package redact

import (
	"encoding/base64"
	"strings"
)

// Bodies of made-up tokens.
const (
	hex32  = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
	hex64  = hex32 + "f9e8d7c6b5a4938271605f4e3d2c1b0a"
	alnum  = alnum48 + "qW8eR2tY6uI4oP1aS5dF"
	wordy  = "aBcDeFgHiJkLmNoPqRsTuVwXyZabCdEfGhI"
	base86 = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq"
)

// vendorTables are for kinds of tokens that a prefix tells. Their tokens are put into many surroundings, and are cut and spoilt in
// many ways, by vendorTable.
var vendorTables = map[string]struct {
	tokens  []string // a tilde after the prefix
	nothing []string
}{
	"openrouter_key":    {[]string{"sk-or-v1-~" + hex64}, []string{"sk-or-v2-" + hex64, "sk-or-" + hex64}},
	"groq_key":          {[]string{"gsk_~" + alnum48 + "WXYZ"}, []string{"msgsk_" + alnum, "gsk-" + alnum}},
	"xai_key":           {[]string{"xai-~" + alnum + "aB3dE5fG7hJ9"}, []string{"taxai-" + alnum, "xai_" + alnum, "xai-grok-4-fast-reasoning-latest-version-of-2025"[:30]}},
	"perplexity_key":    {[]string{"pplx-~" + alnum48}, []string{"pplx-api", "pplx-70b-online"}},
	"huggingface_token": {[]string{"hf_~" + wordy, "hf_~" + alnum36, "api_org_~" + wordy}, []string{"hf_transformersModelRepositoryName_v2", "hf_hub_download", "shf_" + wordy, "hf_datasetsprocessingpipelinewithmanysteps"}},
	"google_key": {[]string{"AIza~SyD" + dashed[:32], "GOCSPX-~" + dashed[:28], "ya29.~a0AfH6SMB" + dashed[:50], "1//0~gEx" + dashed[:60]}, []string{
		"AIzaSy", "// 1//0 and so on", "AIzaSyShort123",
	}},
	"digitalocean_token": {[]string{"dop_v1_~" + hex64, "doo_v1_~" + hex64, "dor_v1_~" + hex64}, []string{"dop_v2_" + hex64, "drop_v1_" + alnum24}},
	"databricks_token":   {[]string{"dapi~" + hex32}, []string{"dapi" + hex64, "dapi-" + hex32, "dapig" + hex32}},
	"gitlab_token": {[]string{"glpat-~" + dashed[:20], "gldt-~" + dashed[:20], "glrt-~" + dashed[:24], "glcbt-~64_" + dashed[:20], "glptt-~" + hex32, "glagent-~" + dashed[:50], "GR1348941~" + dashed[:20], "glpat-~" + dashed[:27] + ".01.0x7m2k9q"}, []string{
		"glpat-your-token-goes-here-please", "glxt-" + dashed[:20],
	}},
	"npm_token":     {[]string{"npm_~" + alnum36}, []string{"npm_config_registry", "npm_lifecycle_event", "npm_package_version_2"}},
	"pypi_token":    {[]string{"pypi-~AgEIcHlwaS5vcmcC" + dashed}, []string{"pypi-Agents-are-not-tokens", "pypi-server", "pypi-AgEIcHlwaS5vcmc"}},
	"docker_token":  {[]string{"dckr_pat_~" + dashed[:27], "dckr_oat_~" + dashed[:32]}, []string{"dckr_pat_short1", "dckr_" + dashed}},
	"vault_token":   {[]string{"hvs.~CAESI" + dashed, "hvb.~AAAAAQ" + dashed, "hvr.~" + dashed[:40]}, []string{"hvs.example.com", "hvs.CAESI1", "s." + alnum24}},
	"stripe_key":    {[]string{"sk_live_~" + alnum24, "sk_test_~" + alnum24, "rk_live_~" + alnum24, "whsec_~" + alnum36}, []string{"pk_live_" + alnum24, "sk_live_", "sk_test_key", "sk_prod_" + alnum24}},
	"shopify_token": {[]string{"shpat_~" + hex32, "shpca_~" + hex32, "shppa_~" + hex32, "shpss_~" + hex32}, []string{"shpxx_" + hex32, "shpat_" + alnum36}},
	"sendgrid_key":  {[]string{"SG.~" + dashed[:22] + "." + dashed[20:63]}, []string{"SG.Pool.Manager.Configuration", "MSG." + dashed[:22] + "." + dashed[20:63], "SG." + dashed[:22]}},
	"twilio_key":    {[]string{"SK~" + hex32}, []string{"SK" + hex64, "AC" + hex32, "TASK" + hex32, "SK" + strings.ToUpper(hex32)}},
	"linear_key":    {[]string{"lin_api_~" + alnum36 + "aB3d", "lin_oauth_~" + hex64}, []string{"lin_api_key", "lin_" + alnum36, "lin_apis_" + alnum36}},
	"notion_token":  {[]string{"ntn_~" + alnum48[:46], "secret_~" + alnum48[:43]}, []string{"secret_key_of_the_application_configuration", "ntn_1", "secret_" + alnum36}},
	"service_token": {[]string{
		"nvapi-~" + alnum, "r8_~" + alnum48[:37], "csk-~" + alnum48, "pcsk_~" + alnum[:60], "tvly-~" + alnum36, "lsv2_pt_~" + hex32 + "_0a1b2c3d4e", "sbp_~" + hex64[:40], "ATATT3~xFfGF0" + alnum,
		"glsa_~" + alnum36[:32] + "_0a1b2c3d", "NRAK-~" + alnum36[:27], "figd_~" + dashed[:40], "PMAK-~" + hex64[:24] + "-" + hex64[:34], "sq0csp-~" + dashed[:43], "pscale_tkn_~" + dashed[:43], "dp.pt.~" + alnum48[:43], "rubygems_~" + hex64[:48],
		"pul-~" + hex64[:40], "AGE-SECRET-KEY-1~QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE", "tskey-~auth-" + dashed[:30], "HRKU-~" + dashed[:40], "dt0c01.~" + strings.ToUpper(alnum24) + "." + strings.ToUpper(alnum), "sntryu_~" + hex64, "nfp_~" + alnum36,
	}, []string{"pul-request", "tskey-", "r8_model_of_the_year_2024", "csk-learn", "pcsk_index_name_of_the_application", "glsa_dashboard_configuration_of_team1"}},
}

// vendorTable puts tokens into the surroundings that they are met in, and spoils them in the ways that documentation does.
func vendorTable(tokens, nothing []string) (t table) {
	for _, marked := range tokens {
		prefix, body, _ := strings.Cut(marked, "~")
		token := prefix + body
		t.found = append(t.found,
			"«"+token+"»", "KEY=«"+token+"»", `{"k":"«`+token+`»"}`, "curl -H 'x: «"+token+"»' https://x", "«"+token+"», «"+token+"»", `a\n«`+token+`»`, "(«"+token+"»)",
			"密钥«"+token+"»。", "https://x/?a=1&k=«"+token+"»", "%3D«"+token+"»", "x_«"+token+"» end", "`«"+token+"»`", "<«"+token+"»>", "«"+token+"»\nnext line",
			"«"+prefix+"\u200b"+body+"»", "«"+fullWidth(prefix)+body+"»", "echo «"+base64.StdEncoding.EncodeToString([]byte("the key is "+token))+"» | base64 -d",
			"GET /?k=«"+percentEncoded(prefix)+body+"»",
		)
		t.nothing = append(t.nothing,
			prefix, prefix+"...", prefix+"…", prefix+strings.Repeat("x", 64), prefix+"<your key>", prefix+"${KEY}", prefix+" "+body, prefix+"\n\n"+body,
			prefix+body[:6], prefix+strings.Repeat("ab", 40), prefix+"********", strings.TrimRight(prefix, "_-.")+" "+body,
			prefix+"YOUR_KEY_HERE",
		)
		if other := swapCase(prefix); other != prefix {
			t.nothing = append(t.nothing, other+body)
		}
	}
	t.nothing = append(t.nothing, nothing...)
	return t
}

// fullWidth writes letters and digits in full width.
func fullWidth(text string) string {
	return strings.Map(func(r rune) rune {
		if alnumChars[byte(r)] {
			return r - '!' + '！'
		}
		return r
	}, text)
}

// percentEncoded writes all that is no digit with percent signs.
func percentEncoded(text string) string {
	var out strings.Builder
	for i := range len(text) {
		const digits = "0123456789ABCDEF"
		out.WriteByte('%')
		out.WriteByte(digits[text[i]>>4])
		out.WriteByte(digits[text[i]&15])
	}
	return out.String()
}

// swapCase makes capitals of small letters and the other way round.
func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if isLetter(byte(r)) {
			return r ^ 0x20
		}
		return r
	}, text)
}

func init() {
	for name, v := range vendorTables {
		tables[name] = vendorTable(v.tokens, v.nothing)
	}
}
