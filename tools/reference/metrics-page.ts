import { alignedTable } from './aligned-table.js';
import type { MetricRow } from './metric-sheet.js';

const intro = `# Metrics

The pages below \`/metrics\` of the kubelet's port and of the read-only port, in Prometheus text 0.0.4, OpenMetrics 1.0.0 or protobuf,
as the client's \`Accept\` asks, gzipped when it may be:

| page                | what                                                                                                 |
| ------------------- | ---------------------------------------------------------------------------------------------------- |
| \`/metrics\`          | the kubelet's own: the first table                                                                   |
| \`/metrics/cadvisor\` | containers and machine, made by \`@podwright/cgroup-stats\`; its README lists them                     |
| \`/metrics/resource\` | CPU, memory and swap of node, pods and containers, made by \`@podwright/stats\`; its README lists them |
| \`/metrics/probes\`   | a series per container and probe: the second table                                                   |
| \`/metrics/slis\`     | \`kubernetes_healthcheck\`, \`kubernetes_healthchecks_total\`, made by \`@podwright/server\`               |

Names, types, labels, buckets, stability and help texts are those of Kubernetes v1.36. A metric that is not there has no part of
this kubelet that could know its value; none is shown with a value that nobody measured. Label combinations of a metric are bounded
(2000 each, 20 000 for probes); what goes beyond is counted in one series whose labels say \`other\`.

## What else is on /metrics

- \`process_*\`: as Go's client shows them: CPU seconds, resident and virtual memory and its limit, open files and their limit, start time,
  bytes received and sent.
- \`podwright_*\`: of our own. \`podwright_event_loop_delay_seconds\` (the worst, mean and 99th percentile delay since the last
  scrape), \`podwright_events_total\`, \`podwright_probe_attempts_discarded_total\`, \`podwright_metrics_collect_errors_total\`.
- No \`go_*\`: there is no Go runtime, and a figure of Node's under such a name would mislead.
- Made by \`@podwright/server-auth\`, where the configuration asks for it: \`apiserver_client_certificate_expiration_seconds\`,
  \`apiserver_delegated_authn_request_total\`, \`apiserver_delegated_authn_request_duration_seconds\`,
  \`apiserver_delegated_authz_request_total\`, \`apiserver_delegated_authz_request_duration_seconds\`, \`authentication_token_cache_request_total\`,
  \`authentication_token_cache_request_duration_seconds\`, \`authentication_token_cache_fetch_total\`,
  \`authentication_token_cache_active_fetch_count\`. No other \`apiserver_*\`, no \`aggregator_*\`: those of libraries that upstream links.

No metric of ours is deprecated, so \`showHiddenMetricsForVersion\` has nothing to show; \`hidden_metrics_total\` and
\`disabled_metrics_total\` are 0.

## Labels whose values are few

| metric                                | label                 | values                                                                   |
| ------------------------------------- | --------------------- | ------------------------------------------------------------------------ |
| \`kubelet_running_containers\`          | \`container_state\`     | \`created\`, \`running\`, \`exited\`, \`unknown\`                                |
| \`kubelet_started_containers_total\`    | \`container_type\`      | \`container\`, \`init_container\`, \`ephemeral_container\`                     |
| \`kubelet_desired_pods\` and others     | \`static\`              | \`true\`, else empty                                                       |
| \`kubelet_working_pods\`                | \`config\`, \`lifecycle\` | \`desired\`, \`orphan\`, \`runtime_only\`; \`sync\`, \`terminating\`, \`terminated\` |
| \`kubelet_image_pull_duration_seconds\` | \`image_size_in_bytes\` | \`N/A\`, \`0-10MB\` to \`60GB-100GB\`, \`GT100GB\`                               |
| \`kubelet_runtime_operations_total\`    | \`operation_type\`      | names of CRI calls, such as \`run_podsandbox\`                             |
| \`kubernetes_feature_enabled\`          | \`stage\`               | \`ALPHA\`, \`BETA\`, \`DEPRECATED\`, empty for GA                              |
`;

const afterTables = `
This page is made from \`tools/reference/kubelet-metrics.json\` by \`node tools/bootstrap/run.mjs tools/reference/main.ts\`. A simulation
compares that file with what an assembled kubelet registers.
`;

/** The page docs/metrics.md. */
export function metricsPage(rows: readonly MetricRow[]): string {
  const own = rows.filter(({ page }) => page === '/metrics');
  const probes = rows.filter(({ page }) => page === '/metrics/probes');
  const there = own.filter(({ by }) => by !== undefined).length;
  return `${intro}
## /metrics

${there} of ${own.length} are there.

${table(own)}

## /metrics/probes

${table(probes)}
${afterTables}`;
}

function table(rows: readonly MetricRow[]): string {
  const header = ['metric', 'type', 'stability', 'labels', 'fed by, or why it is not there'];
  return alignedTable([
    header,
    ...rows.map(({ name, type, stability, labels, by, missing }) => [
      `\`${name}\``,
      type,
      stability,
      labels.join(', '),
      by === undefined ? `no: ${missing ?? ''}` : `\`${by}\``,
    ]),
  ]);
}
