import { isStaticPod, podUid, type Pod } from '@podwright/kube-types';
import type { MetricsRegistry } from '@podwright/metrics';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { HealthCheck } from '@podwright/server-interface';
import type { StatusManager } from '@podwright/status-interface';
import { debuggingDisabled, methodNotAllowed, notFound, pageNotFound, type Answer } from './answer.js';
import { healthzAnswer } from './healthz.js';
import type { RequestTarget } from './request-target.js';

// Answered on the read-only port only to say that they are elsewhere.
const debugPrefixes = [
  '/run/',
  '/exec/',
  '/attach/',
  '/portForward/',
  '/containerLogs/',
  '/runningpods/',
  '/debug/pprof/',
  '/logs/',
];

export interface ReadOnlyRoutesDeps {
  readonly pods: Pick<PodManager, 'getPods'>;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
  readonly metrics: Pick<MetricsRegistry, 'render'>;
  /** Absent: no part of this kubelet has such metrics, and there is no such path. */
  readonly probeMetrics?: Pick<MetricsRegistry, 'render'> | undefined;
  readonly checks: readonly HealthCheck[];
}

/** What the read-only port answers. Source: kubernetes v1.36 pkg/kubelet/server/server.go. */
export async function readOnlyAnswer(deps: ReadOnlyRoutesDeps, method: string, target: RequestTarget): Promise<Answer> {
  const { path } = target;
  const { pods, statuses, metrics, probeMetrics, checks } = deps;
  if (path === '/metrics') return metricsAnswer(metrics);
  if (path === '/metrics/probes' && probeMetrics !== undefined) return metricsAnswer(probeMetrics);
  if (path === '/pods' || path === '/pods/') {
    if (method !== 'GET') return methodNotAllowed;
    const headers = { 'Content-Type': 'application/json' };
    return { status: 200, headers, body: podList(pods.getPods(), statuses) };
  }
  if (path.startsWith('/pods/')) return pageNotFound;
  if (debugPrefixes.some((prefix) => path.startsWith(prefix))) return debuggingDisabled;
  return healthzAnswer(checks, target) ?? notFound;
}

async function metricsAnswer(metrics: Pick<MetricsRegistry, 'render'>): Promise<Answer> {
  const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
  return { status: 200, headers, body: await metrics.render() };
}

// Static pods show the kubelet's own status, the others what the API server last said.
function podList(pods: readonly Pod[], statuses: Pick<StatusManager, 'getPodStatus'>): string {
  const items = pods.map((pod) => {
    if (!isStaticPod(pod)) return pod;
    const status = statuses.getPodStatus(podUid(pod)) ?? pod.status;
    return status === undefined ? pod : { ...pod, status };
  });
  return JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: items.length === 0 ? null : items });
}
