package toolact

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"delete_repository": "delete repository", "deleteDNSRecord": "delete dns record", "mcp__github__get-me": "mcp github get me",
		"messages--create": "messages create", "HTMLPage": "html page", "": "", "Ｄelete_x": "delete x", "de\u200blete": "delete",
		"r2_bucket": "r2 bucket",
	} {
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// Each row has a kind and names of tools with their servers.
var named = []struct {
	want Act
	of   string
}{
	{Read, `github/get_me github/list_branches vercel/vercel_list_deployments /get_delete_marker github/list_secret_scanning_alerts
		vault/list_secrets kubernetes/helm_list kubernetes/configuration_view kubernetes/pods_log aws/get_policy context7/resolve-library-id
		route53/list_resource_record_sets launchdarkly/list-feature-flags /check_domain_availability_and_price hub/repo_details
		gdrive/get_file_permissions stripe/retrieve_balance azure/get_secret_metadata`},
	{Reveal, `aws-secrets/get_secret_value vault/read_secret 1password/password_read azure/keyvault_secret_get`},
	{Write, `github/create_branch gitlab/create_merge_request github/create_issue linear/update_project jira/jira_add_comment
		slack/slack_post_message /SendMessage filesystem/delete_file filesystem/move_file /delete_file jetbrains/remove_directory
		jupyter/delete_cell serena/safe_delete_symbol clickup/remove_tag_from_task git/git_reset /KillShell /TaskStop /CronDelete
		desktop-commander/stop_search chrome-devtools/performance_stop_trace gmail/draft_email tmux/send-keys playwright/browser_press_key
		browser/set_user_agent playwright/browser_file_upload figma/set_node_visibility jira/create_user_story github/fork_repository
		docs/add_comment_to_policy zendesk/create_ticket_comment ui/set_position agent/create_plan github/close_issue gdocs/accept_suggestion
		calendar/book_meeting_room playwright/browser_close chrome/close_tab hubspot/update_lifecycle_stage git/git_revert
		discourse/create_topic jira/start_sprint docs/sign_off_page figma/update_design_token github/update_release_notes memory/create_entities notion/create-pages`},
	{Destroy, `github/delete_repository bitbucket/deleteRepository kubernetes/pods_delete jira/jira_delete_issue hubspot/hubspot-batch-archive-objects
		gmail/batch_delete_emails redis/flushall mongodb/drop-database fly/fly-apps-destroy heroku/pg_reset neon/reset_from_parent
		s3/put_bucket_lifecycle loki/update_retention plaid/unlink_account okta/offboard_user
		gdocs/emptyTrash elastic/search_index_delete mongo/findOneAndDelete kms/schedule_key_deletion obsidian/obsidian_delete_file
		github/delete_file s3/deletefile x/dropcollection slack/conversations_archive wordpress/wp_delete_post db/restore_backup
		/github_delete_branch mcp/bulk_delete tables/confirm_delete`},
	{Stop, `datadog/mute_all_monitors heroku/maintenance_on k8s/restart_deployment docker/stop_container stripe/cancel_subscription
		supabase/pause_project aws/reboot_instance pagerduty/disable_service datadog/schedule_downtime
		datadog/snooze_monitor discord/kick_member github/dismiss_code_scanning_alert`},
	{Publish, `npm/publish_package webflow/sites_publish netlify/deploy_site render/trigger_deploy github/create_release twitter/post_tweet
		linkedin/create_post gmail/send_email twilio/messages--create twilio/CreateMessage mailchimp/send_campaign github/create_gist
		slack/files_upload gdrive/share_file github/merge_pull_request gitlab/merge_merge_request docker/push_image terraform/apply_run
		pypi/upload crates/upload_crate npm/submit telegram/send_document x/reply email/send gmail/forward_email`},
	{Pay, `stripe/create_refund paypal/create_payout wise/createTransfer solana/transferToken wallet/transfer coinbase/native_transfer
		vercel/buy_domain binance/place_order stripe/finalize_invoice shopify/update-product-prices stripe/create_payment_link wise/send_money
		heroku/transfer_app square/cancel_and_payout stripe/settle_dispute paypal/accept_dispute_claim binance/liquidate-position
		ibkr/closePosition alpaca/close_all_positions printful/accept_quote treasury/disburse_funds brex/create_wire mercury/wire_money
		vercel/upgrade_plan stripe/create_subscription gusto/run_payroll duffel/book_flight ramp/reimburse_expense solana/burn_tokens
		aave/redeem`},
	{Grant, `github/add_collaborator gitlab/unprotect_branch s3/put_object_acl aws/put_bucket_policy github/update_branch_protection
		github/create_deploy_key route53/change_resource_record_sets route53/change_records godaddy/set_nameservers auth0/auth0_update_client
		keycloak/create-user firebase/auth_update_user outlook/create_inbox_rule gmail/create_filter outlook/create-mail-rule
		discord/create_webhook_and_execute okta/assign_user_to_group render/update_environment_variables launchdarkly/update-feature-flag
		aws/authorize-security-group-ingress dropbox/create_shared_link gdrive/create_permission slack/conversations_invite k8s/roles_create
		github/approve_pull_request gitlab/revoke_token duo/enroll_device google/create_app_password mail/set_autoresponder
		k8s/create_cluster_role_binding cloudflare/whitelist_ip`},
	{Unknown, `workspace/tidy postgres/execute_sql github/run_workflow /spawn_agent /delegate_to_agent jenkins/script_console aws/call_aws
		dropbox/sync ui/dropdown x/1234`},
}

func TestNames(t *testing.T) {
	for _, row := range named {
		for both := range strings.FieldsSeq(row.of) {
			server, tool, _ := strings.Cut(both, "/")
			got := NewName(server, tool).Acts()
			if got&row.want == 0 || !row.want.Risky() && got.Risky() {
				t.Errorf("%s: got %s, want %s", both, got, row.want)
			}
		}
	}
}

func TestArguments(t *testing.T) {
	for _, tt := range []struct {
		tool string
		arg  Argument
		want Act
	}{
		{"dns/change", Argument{Names: []string{"changes", "action"}, Text: "DELETE"}, Destroy},
		{"crm/dml_records", Argument{Names: []string{"operation"}, Text: "delete"}, Destroy},
		{"eks/manage_resource", Argument{Names: []string{"operation"}, Text: "delete_many"}, Destroy},
		{"http/request", Argument{Names: []string{"method"}, Text: "DELETE"}, Destroy},
		{"http/fetch", Argument{Names: []string{"method"}, Text: "DELETE"}, Destroy},
		{"ghost/posts_edit", Argument{Names: []string{"status"}, Text: "published"}, Publish},
		{"gitlab/update_project", Argument{Names: []string{"visibility"}, Text: "public"}, Publish},
		{"s3/put_object", Argument{Names: []string{"ACL"}, Text: "public-read"}, Publish},
		{"github/update_repository", Argument{Names: []string{"private"}, False: true}, Publish},
		{"github/fork_repository", Argument{Names: []string{"organization"}, Text: "other"}, Publish},
		{"gdrive/set", Argument{Names: []string{"type"}, Text: "anyone"}, Publish},
		{"terraform/apply", Argument{Names: []string{"options", "autoApprove"}, True: true}, Grant},
		{"terraform/create_run", Argument{Names: []string{"is_destroy"}, True: true}, Destroy},
		{"dynamodb/BatchWriteItem", Argument{Names: []string{"RequestItems", "A", "DeleteRequest"}, Holds: true}, Destroy},
		{"org/set", Argument{Names: []string{"role"}, Text: "admin"}, Grant},
		{"snowflake/create_object", Argument{Names: []string{"object_type"}, Text: "share"}, Publish},
		{"git/git_push", Argument{Names: []string{"force"}, True: true}, Destroy},
		{"github/update_ref", Argument{Names: []string{"force"}, True: true}, Destroy},
		{"gitlab/create_tag", Argument{Names: []string{"force"}, True: true}, Destroy},
		{"stripe/update_account", Argument{Names: []string{"external_account"}, Text: "DE00"}, Pay},
		{"git/git_reset", Argument{Names: []string{"mode"}, Text: "hard"}, Destroy},
		{"aws/allow", Argument{Names: []string{"cidr"}, Text: "0.0.0.0/0"}, Grant},
		{"outlook/rule", Argument{Names: []string{"actions", "forwardTo"}, Text: "a@b.test"}, Grant},
		{"fs/delete_file", Argument{Names: []string{"repo"}, Text: "app"}, Destroy},
		{"terraform/create_run", Argument{Names: []string{"run_type"}, Text: "is_destroy"}, Destroy},
		{"terraform/create_run", Argument{Names: []string{"type"}, Text: "destroy"}, Destroy},
		{"ecs/scale_service", Argument{Names: []string{"desiredCount"}, Text: "0"}, Stop},
		{"mail/set_reply", Argument{Names: []string{"forward"}, Text: "a@b.test"}, Grant},
		// Settings that guard, by the name that is told, or by that of the argument.
		{"desktop-commander/set_config_value", Argument{Names: []string{"key"}, Text: "blockedCommands"}, Grant},
		{"shell/setConfig", Argument{Names: []string{"name"}, Text: "sandbox.enabled"}, Grant},
		{"ide/set-preference", Argument{Names: []string{"option"}, Text: "requireApproval"}, Grant},
		{"files/update_config", Argument{Names: []string{"allowed_paths"}}, Grant},
		{"files/update_settings", Argument{Names: []string{"settings", "readOnly"}, False: true}, Grant},
		{"github/update_repository_settings", Argument{Names: []string{"secret_scanning"}, Text: "disabled"}, Grant},
		// Manifests, policies, and messages for everybody.
		{"k8s/kubectl_apply", Argument{Names: []string{"manifest"}, Text: "kind: RoleBinding\nroleRef: {name: admin}"}, Grant},
		{"kubernetes/resources_create_or_update", Argument{Names: []string{"resource", "kind"}, Text: "ClusterRoleBinding"}, Grant},
		{"k8s/kubectl_generic", Argument{Names: []string{"resourceType"}, Text: "clusterrolebinding"}, Grant},
		{"k8s/apply_yaml", Argument{Names: []string{"yaml"}, Text: "spec:\n  hostPID: true\n"}, Grant},
		{"aws/put_document", Argument{Names: []string{"doc"}, Text: `{"Effect": "Allow", "Action": "*", "Resource": "*"}`}, Grant},
		{"slack/slack_post_message", Argument{Names: []string{"text"}, Text: "<!channel> log in again"}, Publish},
		{"discord/send_message", Argument{Names: []string{"content"}, Text: "Hi @everyone"}, Publish},
		// These say nothing.
		{"desktop-commander/set_config_value", Argument{Names: []string{"key"}, Text: "fileReadLineLimit"}, 0},
		{"figma/update_settings", Argument{Names: []string{"theme"}, Text: "dark"}, 0},
		{"desktop-commander/get_config", Argument{Names: []string{"key"}, Text: "blockedCommands"}, 0},
		{"k8s/resources_get", Argument{Names: []string{"kind"}, Text: "ClusterRoleBinding"}, 0},
		{"k8s/kubectl_apply", Argument{Names: []string{"manifest"}, Text: "kind: ConfigMap"}, 0},
		{"github/create_issue", Argument{Names: []string{"body"}, Text: "kind: RoleBinding"}, 0},
		{"slack/slack_post_message", Argument{Names: []string{"text"}, Text: "thanks @ann, see you there"}, 0},
		{"terraform/create_run", Argument{Names: []string{"run_type"}, Text: "plan_only"}, 0},
		{"ecs/scale_service", Argument{Names: []string{"desiredCount"}, Text: "2"}, 0},
		{"docs/get_endpoint", Argument{Names: []string{"method"}, Text: "DELETE"}, 0},
		{"audit/list_events", Argument{Names: []string{"action"}, Text: "DELETE"}, 0},
		{"audit/export", Argument{Names: []string{"filter", "action"}, Text: "DELETE"}, 0},
		{"issues/update_issue", Argument{Names: []string{"status"}, Text: "resolved"}, 0},
		{"debug/manage_breakpoints", Argument{Names: []string{"action"}, Text: "remove"}, 0},
		{"work/update_item", Argument{Names: []string{"patch", "op"}, Text: "remove"}, 0},
		{"build/compile", Argument{Names: []string{"mode"}, Text: "release"}, 0},
		{"chat/complete", Argument{Names: []string{"messages", "role"}, Text: "user"}, 0},
		{"zendesk/create_ticket_comment", Argument{Names: []string{"public"}, False: true}, 0},
		{"github/create_repository", Argument{Names: []string{"private"}, True: true}, 0},
		{"github/create_pull_request", Argument{Names: []string{"draft"}, False: true}, 0},
		{"notes/add", Argument{Names: []string{"title"}, Text: "delete"}, 0},
		{"shell/exec", Argument{Names: []string{"command"}, Text: "drop the mic"}, 0},
		{"x/y", Argument{}, 0},
	} {
		server, tool, _ := strings.Cut(tt.tool, "/")
		if got := NewName(server, tool).ActsOf(tt.arg); got != tt.want {
			t.Errorf("%s %v: got %q, want %q", tt.tool, tt.arg, got, tt.want)
		}
	}
}

func TestPages(t *testing.T) {
	for _, tt := range []struct {
		tool, param, text string
		want              Act
	}{
		{"browser_click", "element", "Permanently delete this organization", Destroy},
		{"browser_click", "selector", "button#confirm-delete-account", Destroy},
		{"browser_run_code", "code", "await page.click('text=Delete tenant')", Destroy},
		{"browser_click", "element", "Delete item button", 0},
		{"browser_click", "element", "Delete account (test user)", 0},
		{"browser_run_code", "code", "await page.goto('http://localhost:1/'); await page.click('text=Delete tenant')", 0},
		{"browser_run_code", "code", "// delete account\nawait page.title()", 0},
		{"create_issue", "text", "click on delete account", 0},
	} {
		got := NewName("playwright", tt.tool).Page([]Argument{{Names: []string{tt.param}, Text: tt.text}})
		if tt.tool == "create_issue" {
			got = NewName("github", tt.tool).Page([]Argument{{Names: []string{tt.param}, Text: tt.text}})
		}
		if got != tt.want {
			t.Errorf("%s %q: got %q, want %q", tt.tool, tt.text, got, tt.want)
		}
	}
}

func TestInner(t *testing.T) {
	for code, want := range map[string]Act{
		"await tools.github.delete_repository({})": Destroy, "tools.list_issues()": 0, "items.delete(x)": 0, "mcp.stripe.createRefund({})": Write | Pay,
	} {
		if got := NewName("codemode", "run").Inner(Argument{Names: []string{"code"}, Text: code}); got != want {
			t.Errorf("%q: got %q, want %q", code, got, want)
		}
	}
	if got := NewName("x", "run").Inner(Argument{Names: []string{"title"}, Text: "tools.delete_all()"}); got != 0 {
		t.Errorf("a title: got %q", got)
	}
}

func TestKindsHaveNames(t *testing.T) {
	for i, name := range Names() {
		if act := Named(name); act != 1<<i || act.String() != name || !slices.Equal(act.Each(), []Act{act}) {
			t.Errorf("%s: got %v", name, act)
		}
	}
	if Named("x") != 0 || (Read|Unknown).Plain() != Read || Act(0).Plain() != Unknown || (Read|Write|Unknown).Plain() != Write {
		t.Error("sets of kinds are wrong")
	}
}

func FuzzNames(f *testing.F) {
	f.Add("github", "delete_repository", "action", "DELETE")
	f.Add("", strings.Repeat("aB", 600), "x", "\xff")
	f.Fuzz(func(t *testing.T, server, tool, param, text string) {
		name := NewName(server, tool)
		if name.Acts() == 0 {
			t.Error("a tool does nothing at all")
		}
		a := Argument{Names: []string{param}, Text: text}
		name.ActsOf(a)
		name.Inner(a)
		name.Page([]Argument{a})
	})
}

func TestGivenShells(t *testing.T) {
	for _, tt := range []struct {
		params string
		want   Act
	}{
		{"listen=0.0.0.0:9000 shell=/bin/bash", Grant},
		{"bind_address=0.0.0.0 program=pwsh.exe", Grant},
		{"remote_host=evil.example command=/bin/sh", Grant},
		{"listen=127.0.0.1:9000 shell=/bin/bash", 0},
		{"listen=0.0.0.0:9000 program=node", 0},
		{"shell=/bin/bash", 0},
	} {
		var args []Argument
		for one := range strings.FieldsSeq(tt.params) {
			name, text, _ := strings.Cut(one, "=")
			args = append(args, Argument{Names: []string{name}, Text: text})
		}
		if got := NewName("terminal", "open_session").GivesShell(args); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.params, got, tt.want)
		}
	}
}

func TestSoftened(t *testing.T) {
	kill := NewName("desktop-commander", "kill_process")
	for pid, want := range map[string]Act{"4711": 0, "1": Stop} {
		if got := kill.Soften(kill.Acts(), []Argument{{Names: []string{"pid"}, Text: pid}}) & Stop; got != want {
			t.Errorf("pid %s: got %q, want %q", pid, got, want)
		}
	}
}
