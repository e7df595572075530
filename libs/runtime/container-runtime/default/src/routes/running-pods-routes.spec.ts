import { describe, expect, it } from '@jest/globals';
import type { GetPodsOptions, RuntimeContainerState, RuntimePod } from '@podwright/container-runtime-interface';
import { askRoutes } from '@podwright/server-interface/contract';
import { runningPodsRoutes } from './running-pods-routes.js';

const pod = (
  name: string,
  ready: boolean,
  containers: Readonly<Record<string, RuntimeContainerState>>,
): RuntimePod => ({
  ...{ uid: `uid-${name}`, name, namespace: 'shop' },
  sandboxes: [{ id: 's', ready, attempt: 0, createdAt: 0n }],
  containers: Object.entries(containers).map(([container, state]) => ({
    ...{ id: container, name: container, podSandboxId: 's', state, createdAt: 0n },
    ...{ image: `${container}:1`, imageRef: '', imageId: '', hash: '0' },
  })),
});

describe('/runningpods/', () => {
  it('shows what runs, in the few fields that the runtime knows', async () => {
    const asked: GetPodsOptions[] = [];
    const pods = [
      pod('a', true, { app: 'running', init: 'exited' }),
      pod('empty', true, {}),
      pod('gone', false, { app: 'exited' }),
    ];
    const getPods = async (options: GetPodsOptions): Promise<readonly RuntimePod[]> => {
      asked.push(options);
      return pods;
    };
    const { status, headers, body } = await askRoutes(runningPodsRoutes({ getPods }), 'GET', '/runningpods/');
    expect([status, headers]).toEqual([200, { 'Content-Type': 'application/json' }]);
    expect(JSON.parse(body)).toEqual({
      ...{ kind: 'PodList', apiVersion: 'v1', metadata: {} },
      items: [
        {
          metadata: { name: 'a', namespace: 'shop', uid: 'uid-a' },
          spec: { containers: [{ name: 'app', image: 'app:1', resources: {} }] },
          status: {},
        },
        { metadata: { name: 'empty', namespace: 'shop', uid: 'uid-empty' }, spec: { containers: null }, status: {} },
      ],
    });
    expect(asked).toMatchObject([{ all: false, maxAgeMs: 3_000 }]);
  });

  it('has null for no pods, and the error of a runtime that is down', async () => {
    const none = await askRoutes(runningPodsRoutes({ getPods: async () => [] }), 'GET', '/runningpods/');
    expect(none.body).toBe('{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}\n');
    const getPods = (): Promise<never> => Promise.reject(new Error('connection refused'));
    expect(await askRoutes(runningPodsRoutes({ getPods }), 'GET', '/runningpods/')).toMatchObject({
      status: 500,
      body: 'connection refused',
    });
  });
});
