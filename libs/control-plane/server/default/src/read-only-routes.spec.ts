import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { readOnlyAnswer, type ReadOnlyRoutesDeps } from './read-only-routes.js';

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
  const deps: ReadOnlyRoutesDeps = {
    pods: { getPods: () => pods },
    statuses: { getPodStatus: (uid) => (phases[uid] === undefined ? undefined : { phase: phases[uid] }) },
    metrics: { render: async () => 'a 1\n' },
    probeMetrics: { render: async () => 'b 2\n' },
    checks: [{ name: 'ping', check: () => ({ ok: true }) }],
  };
  return readOnlyAnswer(deps, method, { path, query: new URLSearchParams() });
};

describe('readOnlyAnswer', () => {
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
    const { status } = await readOnlyAnswer(
      {
        pods: { getPods: () => [] },
        statuses: { getPodStatus: () => undefined },
        metrics: { render: async () => '' },
        checks: [],
      },
      'GET',
      { path: '/metrics/probes', query: new URLSearchParams() },
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
