import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { ServerRoute } from '@podwright/server-interface';
import { askRoutes, describeServerRoutesContract } from '@podwright/server-interface/contract';
import { createPodsRoutes } from './pods-routes.module.js';

const routesOf = (
  pods: readonly Pod[],
  getPodStatus: (uid: string) => PodStatus | undefined = () => undefined,
): readonly ServerRoute[] => createPodsRoutes({ pods: { getPods: () => pods }, statuses: { getPodStatus } });

describe('/pods', () => {
  it.each([
    ['GET', '/pods', 200, '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}\n'],
    ['HEAD', '/pods', 405, '405: Method Not Allowed'],
    ['POST', '/pods', 405, '405: Method Not Allowed'],
    ['GET', '/pods/more', 404, '404: Page Not Found'],
    ['GET', '/podsx', 404, '404 page not found\n'],
  ])('%s %s: %i', async (method, path, status, body) => {
    expect(await askRoutes(routesOf([]), method, path)).toMatchObject({ status, body });
  });

  it('lists pods on the read-only port too', async () => {
    const pod: Pod = { metadata: { name: 'a', uid: 'u' }, spec: { containers: [{ name: 'c' }] } };
    const routes = routesOf([{ apiVersion: 'v1', kind: 'Pod', ...pod } as Pod]);
    const { body } = await askRoutes(routes, 'GET', '/pods');
    const item = { ...pod, spec: { containers: [{ name: 'c', resources: {} }] }, status: {} };
    expect(JSON.parse(body)).toEqual({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [item] });
    expect(routes).toMatchObject([{ readOnlyPort: true }]);
  });

  it('shows static pods with the status of the kubelet, others as the API server has them', async () => {
    const pod = (uid: string, source: string, phase?: string): Pod => ({
      metadata: { name: uid, uid, annotations: { 'kubernetes.io/config.source': source } },
      spec: { containers: [] },
      ...(phase !== undefined && { status: { phase } }),
    });
    const pods = [pod('own', 'file', 'Pending'), pod('new', 'http'), pod('api', 'api', 'Pending')];
    const conditions = [{ type: 'Ready', status: 'True' } as const];
    const routes = routesOf(pods, (uid) => (uid === 'new' ? undefined : { phase: 'Running', conditions }));
    const { headers, body } = await askRoutes(routes, 'GET', '/pods');
    expect(headers['Content-Type']).toBe('application/json');
    const { items } = JSON.parse(body) as { items: readonly Pod[] };
    expect(items.map(({ status }) => status?.phase)).toEqual(['Running', undefined, 'Pending']);
    expect(Object.keys(items[1] ?? {})).toEqual(['metadata', 'spec', 'status']);
    expect(items[0]?.status?.conditions).toEqual([{ ...conditions[0], lastProbeTime: null, lastTransitionTime: null }]);
  });

  it('writes what Go always writes, and as Go escapes it', async () => {
    const named = { name: 'c', ready: false, restartCount: 0, image: 'i', imageID: '' };
    const state = { terminated: { exitCode: 137, startedAt: '2026-01-02T03:04:05Z' } };
    const pod: Pod = {
      metadata: { name: 'a', uid: 'u' },
      spec: {
        initContainers: [{ name: 'i', resources: { limits: { cpu: '1' } } }],
        containers: [{ name: 'c', command: ['sh', '-c', 'a && b'] }],
        ephemeralContainers: [{ name: 'e' }],
      },
      status: {
        initContainerStatuses: [{ ...named, state: { running: {} } }],
        containerStatuses: [{ ...named, state }],
        ephemeralContainerStatuses: [{ ...named, lastState: { waiting: { reason: 'x' } } }],
      },
    };
    const { body } = await askRoutes(routesOf([pod]), 'GET', '/pods');
    expect(body).toContain('["sh","-c","a \\u0026\\u0026 b"]');
    expect((JSON.parse(body) as { items: readonly unknown[] }).items).toEqual([
      {
        metadata: pod.metadata,
        spec: {
          initContainers: pod.spec.initContainers,
          containers: [{ ...pod.spec.containers[0], resources: {} }],
          ephemeralContainers: [{ name: 'e', resources: {} }],
        },
        status: {
          initContainerStatuses: [{ ...named, state: { running: { startedAt: null } }, lastState: {} }],
          containerStatuses: [
            { ...named, state: { terminated: { ...state.terminated, finishedAt: null } }, lastState: {} },
          ],
          ephemeralContainerStatuses: [{ ...named, state: {}, lastState: { waiting: { reason: 'x' } } }],
        },
      },
    ]);
  });
});

describeServerRoutesContract('those of the pod manager', () => ({ routes: routesOf([]), pages: {} }));
