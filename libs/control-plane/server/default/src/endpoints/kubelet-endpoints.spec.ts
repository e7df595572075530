import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { requestTarget } from '../request-target.js';
import { Router } from '../router.js';
import { createKubeletEndpoints, type EndpointsDeps } from './kubelet-endpoints.js';
import type { Answer } from '../answer.js';

async function answerOf(deps: EndpointsDeps, method: string, url: string): Promise<Answer> {
  const target = requestTarget(url);
  if (target === undefined) throw new Error(`malformed: ${url}`);
  const routed = new Router(createKubeletEndpoints(deps).readOnly()).find(method, target);
  if ('answer' in routed) return routed.answer;
  const { path, query } = target;
  const signal = AbortSignal.abort();
  const body = (): Promise<Uint8Array> => Promise.reject(new Error('not read'));
  const { route, parameters } = routed;
  return route.handle({ method, path, query, parameters, headers: {}, user: undefined, signal, body });
}

const pod = (uid: string, source: string, phase?: string): Pod => ({
  metadata: { name: uid, uid, annotations: { 'kubernetes.io/config.source': source } },
  spec: { containers: [] },
  ...(phase !== undefined && { status: { phase } }),
});

const ask = (
  method: string,
  path: string,
  pods: readonly Pod[] = [],
  phases: Readonly<Record<string, string>> = {},
) => {
  const deps: EndpointsDeps = {
    pods: { getPods: () => pods },
    statuses: { getPodStatus: (uid) => (phases[uid] === undefined ? undefined : { phase: phases[uid] }) },
    metrics: { render: async () => 'a 1\n' },
    probeMetrics: { render: async () => 'b 2\n' },
    bootstrap: { healthy: () => ({ ok: true }) },
  };
  return answerOf(deps, method, path);
};

describe('the read-only endpoints', () => {
  it.each([
    ['GET', '/healthz', 200, 'ok'],
    ['POST', '/healthz', 200, 'ok'],
    ['POST', '/metrics', 200, 'a 1\n'],
    ['GET', '/metrics/probes', 200, 'b 2\n'],
    ['GET', '/metrics/other', 404, '404 page not found\n'],
    ['GET', '/pods', 200, '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}'],
    ['HEAD', '/pods', 405, '405: Method Not Allowed'],
    ['POST', '/pods', 405, '405: Method Not Allowed'],
    ['GET', '/pods/more', 404, '404: Page Not Found'],
    ['GET', '/healthz/other', 404, '404 page not found\n'],
    ['GET', '/podsx', 404, '404 page not found\n'],
    ['GET', '/', 404, '404 page not found\n'],
    ['GET', '/configz', 404, '404 page not found\n'],
    ...[
      '/run/x',
      '/exec/x',
      '/attach/x',
      '/portForward/x',
      '/containerLogs/x',
      '/runningpods/',
      '/debug/pprof/heap',
      '/logs/',
    ].map((path) => ['GET', path, 405, 'Debug endpoints are disabled.\n'] as const),
  ] as const)('%s %s: %i', async (method, path, status, body) => {
    expect(await ask(method, path)).toMatchObject({ status, body });
  });

  it('has no metrics of probes when nobody probes', async () => {
    const { status } = await answerOf(
      {
        pods: { getPods: () => [] },
        statuses: { getPodStatus: () => undefined },
        metrics: { render: async () => '' },
        bootstrap: { healthy: () => ({ ok: true }) },
      },
      'GET',
      '/metrics/probes',
    );
    expect(status).toBe(404);
  });

  it('shows static pods with the status of the kubelet, others as the API server has them', async () => {
    const pods = [pod('own', 'file', 'Pending'), pod('new', 'http'), pod('api', 'api', 'Pending')];
    const { headers, body } = await ask('GET', '/pods', pods, { own: 'Running', api: 'Running' });
    expect(headers['Content-Type']).toBe('application/json');
    const { items } = JSON.parse(body as string) as { items: readonly Pod[] };
    expect(items.map(({ status }) => status?.phase)).toEqual(['Running', undefined, 'Pending']);
    expect(Object.keys(items[1] ?? {})).toEqual(['metadata', 'spec']);
  });
});
