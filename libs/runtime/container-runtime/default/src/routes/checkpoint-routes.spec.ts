import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import { podFullName, type Pod } from '@podwright/kube-types';
import { formatLocalRfc3339, VirtualClock } from '@podwright/time';
import { askRoutes, type Asked } from '@podwright/server-interface/contract';
import { checkpointRoutes, type CheckpointRoutesDeps } from './checkpoint-routes.js';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { initContainers: [{ name: 'init' }], containers: [{ name: 'app' }], ephemeralContainers: [{ name: 'debug' }] },
};
const running = (...names: readonly string[]): RuntimePod => ({
  ...{ uid: 'u1', name: 'web', namespace: 'shop', sandboxes: [] },
  containers: names.map((name) => ({
    ...{ id: `id-${name}`, name, podSandboxId: 's', state: 'running', createdAt: 0n },
    ...{ image: 'i', imageRef: 'i', imageId: 'i', hash: '0' },
  })),
});

const node: Omit<CheckpointRoutesDeps, 'cri' | 'rootDir'> = {
  pods: {
    getPodByFullName: (fullName) => (fullName === podFullName(pod) ? pod : undefined),
    translatePodUid: (uid) => uid,
  },
  runtime: { getPods: async () => [running('app', 'init', 'debug')] },
  clock: new VirtualClock({ startMs: Date.UTC(2026, 0, 2, 3, 4, 5) }),
};

describe('/checkpoint', () => {
  let rootDir = '';
  beforeEach(async () => void (rootDir = await mkdtemp(path.join(tmpdir(), 'checkpoint-'))));
  afterEach(() => rm(rootDir, { recursive: true }));

  const checkpoint = async (
    url: string,
    deps: Partial<CheckpointRoutesDeps> = {},
  ): Promise<{ readonly answer: Asked; readonly requests: readonly unknown[] }> => {
    const requests: unknown[] = [];
    const cri = {
      checkpointContainer: async (request: unknown) => {
        requests.push(request);
        return {};
      },
    };
    const answer = await askRoutes(checkpointRoutes({ ...node, cri, rootDir, ...deps }), 'POST', url);
    return { answer, requests };
  };

  it.each([
    ['app', '', 0n],
    ['init', '', 0n],
    ['debug', '?timeout=5&timeout=%2B7', 7n],
  ])('of %s%s', async (container, query, timeout) => {
    const { answer, requests } = await checkpoint(`/checkpoint/shop/web/${container}${query}`);
    const time = formatLocalRfc3339(node.clock.now());
    const location = path.join(rootDir, 'checkpoints', `checkpoint-web_shop-${container}-${time}.tar`);
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'application/json' } });
    expect(JSON.parse(answer.body)).toEqual({ items: [location] });
    expect(requests).toEqual([{ containerId: `id-${container}`, location, timeout }]);
    expect((await stat(path.dirname(location))).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['/shop/none/app', 404, 'pod does not exist'],
    ['/shop/web/none', 404, 'container none does not exist'],
    ['/shop/web/app?timeout=', 404, 'cannot parse value of timeout parameter'],
    ['/shop/web/app?timeout=9223372036854775808', 404, 'cannot parse value of timeout parameter'],
    ['/shop/web/app?timeout=5&timeout=x', 404, 'cannot parse value of timeout parameter'],
    [
      '/shop/web/app?timeout=-1',
      500,
      'checkpointing of shop/web/app failed (CheckpointContainer requires the timeout value to be > 0)',
    ],
    ['/shop/web', 404, '404: Page Not Found'],
  ])('%s: %i %s', async (url, status, body) => {
    const { answer, requests } = await checkpoint(`/checkpoint${url}`);
    expect(answer).toMatchObject({ status, body });
    expect(requests).toEqual([]);
  });

  it('says what the runtime says', async () => {
    const failure = new KubeletError('CRIU is not there', { code: 'unimplemented' });
    const cri = { checkpointContainer: () => Promise.reject(failure) };
    expect((await checkpoint('/checkpoint/shop/web/app', { cri })).answer).toMatchObject({
      status: 500,
      body: 'checkpointing of shop/web/app failed (rpc error: code = Unimplemented desc = CRIU is not there)',
    });
    const runtime = { getPods: async () => [running()] };
    expect((await checkpoint('/checkpoint/shop/web/app', { runtime })).answer).toMatchObject({
      status: 500,
      body: 'checkpointing of shop/web/app failed (container app not found)',
    });
  });
});
