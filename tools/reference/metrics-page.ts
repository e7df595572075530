import { alignedTable } from './aligned-table.js';
import type { MetricRow } from './metric-sheet.js';

const intro = `# Metrics

For operators: which metrics this kubelet has. The kubelet's port and the read-only port serve them below \`/metrics\`, in Prometheus text
0.0.4, OpenMetrics 1.0.0 or protobuf by the client's \`Accept\`, gzipped if the client accepts that:

| page                | what                                                                                                 |
| ------------------- | ---------------------------------------------------------------------------------------------------- |
| \`/metrics\`          | the kubelet's own: the first table                                                                   |
| \`/metrics/cadvisor\` | containers and machine, made by \`@podwright/cgroup-stats\`; its README lists them                     |
| \`/metrics/resource\` | CPU, memory and swap of node, pods and containers, made by \`@podwright/stats\`; its README lists them |
| \`/metrics/probes\`   | a series per container and probe: the second table                                                   |
| \`/metrics/slis\`     | \`kubernetes_healthcheck\`, \`kubernetes_healthchecks_total\`, made by \`@podwright/server\`               |

Names, types, labels, buckets, stability and help texts are those of Kubernetes v1.36. A metric is missing only if no part of this kubelet
knows its value; no metric shows a value that nobody measured. A metric has at most 2000 label combinations (20 000 for probes). The
rest counts into one series whose labels say \`other\`.

## What else is on /metrics

- \`process_*\`, as Go's client shows them: CPU seconds, resident and virtual memory and its limit, open files and their limit, start time,
  bytes received and sent.
- \`podwright_*\`, which upstream does not have: \`podwright_event_loop_delay_seconds\` (worst, mean and 99th percentile delay since the last
  scrape), \`podwright_events_total\`, \`podwright_image_gc_freed_bytes_total\`, \`podwright_probe_attempts_discarded_total\`,
  \`podwright_metrics_collect_errors_total\`; with \`@podwright/offline-objects\` also \`podwright_offline_objects\` (saved objects by kind) and
  \`podwright_offline_objects_in_use\` (those that are used because the API server cannot be reached); of
  [hollow-kubelet](../apps/hollow-kubelet/README.md) \`podwright_hollow_nodes\` (by state) and \`podwright_hollow_containers\`.
- No \`go_*\`: there is no Go runtime, and a number of Node's under such a name would mislead.
- From \`@podwright/server-auth\`, if the configuration needs it: \`apiserver_client_certificate_expiration_seconds\`,
  \`apiserver_delegated_authn_request_total\`, \`apiserver_delegated_authn_request_duration_seconds\`,
  \`apiserver_delegated_authz_request_total\`, \`apiserver_delegated_authz_request_duration_seconds\`, \`authentication_token_cache_request_total\`,
  \`authentication_token_cache_request_duration_seconds\`, \`authentication_token_cache_fetch_total\`,
  \`authentication_token_cache_active_fetch_count\`. There is no other \`apiserver_*\` and no \`aggregator_*\`:
  upstream gets them from libraries that it links.

No metric here is hidden, so \`showHiddenMetricsForVersion\` shows only \`scrape_error\` in \`/metrics/resource\`; \`hidden_metrics_total\`,
\`disabled_metrics_total\` and \`cardinality_enforcement_unexpected_categorizations_total\` are 0.

## Labels with few values

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
This page is generated from \`tools/reference/kubelet-metrics.json\` by \`node tools/bootstrap/run.mjs tools/reference/main.ts\`. A simulation
compares that file with what an assembled kubelet registers.
`;

/** The text of docs/metrics.md. */
export function metricsPage(rows: readonly MetricRow[]): string {
  const own = rows.filter(({ page }) => page === '/metrics');
  const probes = rows.filter(({ page }) => page === '/metrics/probes');
  const there = own.filter(({ by }) => by !== undefined).length;
  return `${intro}
## /metrics

This kubelet has ${there} of upstream's ${own.length}.

${table(own)}

## /metrics/probes

${table(probes)}
${afterTables}`;
}

function table(rows: readonly MetricRow[]): string {
  const header = ['metric', 'type', 'stability', 'labels', 'fed by, or why it is missing'];
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
