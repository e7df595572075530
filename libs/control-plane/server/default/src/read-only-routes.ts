import { isStaticPod, podUid, type Pod } from '@podwright/kube-types';
import type { MetricsRegistry } from '@podwright/metrics';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { HealthCheck } from '@podwright/server-interface';
import type { StatusManager } from '@podwright/status-interface';
import { debuggingDisabled, methodNotAllowed, notFound, type Answer } from './answer.js';
import { healthzAnswer } from './healthz.js';

// Answered on the read-only port only to say that they are elsewhere.
const debugPrefixes = ['/run/', '/exec/', '/attach/', '/portForward/', '/containerLogs/', '/runningpods/', '/debug/pprof/', '/logs/'];

export interface ReadOnlyRoutesDeps {
  readonly pods: PodManager;
  readonly statuses: StatusManager;
  readonly metrics: MetricsRegistry;
  readonly checks: readonly HealthCheck[];
}

/** What the read-only port answers. Source: kubernetes v1.36 pkg/kubelet/server/server.go. */
export async function readOnlyAnswer({ pods, statuses, metrics, checks }: ReadOnlyRoutesDeps, method: string, url: URL): Promise<Answer> {
  if (url.pathname === '/healthz' || url.pathname.startsWith('/healthz/')) return healthzAnswer(checks, url) ?? notFound;
  if (url.pathname === '/metrics') {
    return { status: 200, headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }, body: await metrics.render() };
  }
  if (url.pathname === '/pods' || url.pathname === '/pods/') {
    if (method !== 'GET') return methodNotAllowed;
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: podList(pods.getPods(), statuses) };
  }
  return debugPrefixes.some((prefix) => url.pathname.startsWith(prefix)) ? debuggingDisabled : notFound;
}

// Static pods show the kubelet's own status, the others what the API server last said.
function podList(pods: readonly Pod[], statuses: StatusManager): string {
  const items = pods.map((pod) => (isStaticPod(pod) ? { ...pod, status: statuses.getPodStatus(podUid(pod)) ?? pod.status } : pod));
  return JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: items.length === 0 ? null : items });
}
