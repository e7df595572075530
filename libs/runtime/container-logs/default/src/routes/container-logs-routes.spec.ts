import { describe, expect, it } from '@jest/globals';
import type { ContainerLogRequest } from '@podwright/container-logs-interface';
import { KubeletError } from '@podwright/errors';
import { podFullName, type Pod } from '@podwright/kube-types';
import { askRoutes, describeServerRoutesContract, type Asked } from '@podwright/server-interface/contract';
import type { ServerRequest } from '@podwright/server-interface';
import { containerLogsRoutes, type ContainerLogsDeps } from './container-logs-routes.js';
import { createContainerLogsRoutes } from './container-logs-routes.module.js';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { initContainers: [{ name: 'init' }], containers: [{ name: 'app' }], ephemeralContainers: [{ name: 'debug' }] },
  status: { phase: 'Pending' },
};

const node: Pick<ContainerLogsDeps, 'pods' | 'statuses'> = {
  pods: { getPodByFullName: (fullName) => (fullName === podFullName(pod) ? pod : undefined) },
  statuses: { getPodStatus: () => ({ phase: 'Running' }) },
};

interface Harness {
  readonly answer: Asked;
  readonly asked: readonly ContainerLogRequest[];
}

async function logs(
  path: string,
  { splitStreams = false, failure }: { readonly splitStreams?: boolean; readonly failure?: Error } = {},
): Promise<Harness> {
  const asked: ContainerLogRequest[] = [];
  const routes = containerLogsRoutes({
    ...node,
    logs: {
      open: async (request) => {
        asked.push(request);
        if (failure !== undefined) throw failure;
        return (async function* () {
          yield Buffer.from('one\n');
          yield Buffer.from('two\n');
        })();
      },
    },
    splitStreams,
  });
  return { answer: await askRoutes(routes, 'GET', `/containerLogs${path}`), asked };
}

describe('/containerLogs', () => {
  it('sends what the container wrote, with the newest status', async () => {
    const { answer, asked } = await logs('/shop/web/app');
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
    expect(answer.body).toBe('one\ntwo\n');
    expect(asked[0]).toMatchObject({ pod, container: 'app', status: { phase: 'Running' }, options: {} });
  });

  it.each([
    ['follow=true&previous=1&timestamps', { follow: true, previous: true, timestamps: true }],
    ['follow=false&previous=0&timestamps=FALSE', {}],
    ['follow=no', { follow: true }],
    ['follow=false&follow=true', {}],
    ['sinceSeconds=5', { sinceSeconds: 5 }],
    ['sinceTime=2026-01-02T03:04:05Z', { sinceTime: '2026-01-02T03:04:05Z' }],
    ['sinceTime=', {}],
    ['tailLines=0', { tailLines: 0 }],
    ['tail=7', { tailLines: 7 }],
    ['tail=7&tailLines=3', { tailLines: 7 }],
    ['tail=all&tailLines=3', {}],
    ['tail=&tailLines=3', { tailLines: 3 }],
    ['limitBytes=%2B9', { limitBytes: 9 }],
    ['stream=All&tailLines=1', { stream: 'All', tailLines: 1 }],
    ['insecureSkipTLSVerifyBackend=true&container=other&nonsense=1', {}],
  ])('?%s', async (query, options) => {
    const { answer, asked } = await logs(`/shop/web/app?${query}`);
    expect(answer.status).toBe(200);
    expect(asked[0]?.options).toEqual(options);
  });

  it.each([
    'tailLines=x',
    'tailLines=',
    'tailLines=1.5',
    'sinceSeconds=9223372036854775808',
    'limitBytes=0x10',
    'sinceTime=yesterday',
    'sinceTime=2026-02-30T00:00:00Z',
  ])('cannot decode ?%s', async (query) => {
    const { answer, asked } = await logs(`/shop/web/app?${query}`);
    expect(answer).toMatchObject({ status: 400, body: '{"message": "Unable to decode query."}' });
    expect(asked).toEqual([]);
  });

  it.each([
    'tailLines=-1',
    'limitBytes=0',
    'sinceSeconds=0',
    'sinceSeconds=-5',
    'sinceSeconds=5&sinceTime=2026-01-02T03:04:05Z',
    'sinceSeconds=5&sinceTime=',
    'stream=Both',
    'stream=Stdout&tailLines=1',
  ])('refuses ?%s', async (query) => {
    const { answer } = await logs(`/shop/web/app?${query}`);
    expect(answer).toMatchObject({ status: 422, body: '{"message": "Invalid request."}' });
  });

  it.each([
    ['/shop/none/app', 404, 'pod "none" does not exist'],
    ['/other/web/app', 404, 'pod "web" does not exist'],
    ['/shop/web/none', 404, 'container "none" not found in pod "web"'],
    ['/shop/web', 404, '404: Page Not Found'],
    ['/shop/web/app/more', 404, '404: Page Not Found'],
  ])('%s: %i', async (path, status, body) => {
    expect((await logs(path)).answer).toMatchObject({ status, body });
  });

  it('begins to answer who follows a container that has not written yet, and ends the reading with the client', async () => {
    let left = false;
    const silent: AsyncIterator<Uint8Array, undefined> = {
      next: () => new Promise(() => undefined),
      return: async () => {
        left = true;
        return { done: true, value: undefined };
      },
    };
    const open = async (): Promise<AsyncIterable<Uint8Array>> => ({ [Symbol.asyncIterator]: () => silent });
    const [route] = containerLogsRoutes({ ...node, logs: { open }, splitStreams: false });
    const answer = await route?.handle({
      ...{ method: 'GET', path: '', headers: {}, signal: new AbortController().signal },
      parameters: { namespace: 'shop', pod: 'web', container: 'app' },
      query: new URLSearchParams('follow=true'),
    } as unknown as ServerRequest);
    const pieces = (answer as { readonly body: AsyncIterable<Uint8Array> }).body[Symbol.asyncIterator]();
    expect(await pieces.next()).toEqual({ done: false, value: new Uint8Array() });
    void pieces.next();
    await pieces.return?.();
    expect(left).toBe(true);
  });

  it('ends the answer to who follows with what went wrong, as a refusal would make kubectl ask again for ever', async () => {
    const open = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one\n');
      throw new KubeletError('failed to read log file', { code: 'internal' });
    };
    const routes = containerLogsRoutes({ ...node, logs: { open: async () => open() }, splitStreams: false });
    const answer = await askRoutes(routes, 'GET', '/containerLogs/shop/web/app?follow=true');
    expect(answer).toMatchObject({ status: 200, body: 'one\nfailed to read log file' });
  });

  it.each(['init', 'debug'])('knows the container %s', async (container) => {
    expect((await logs(`/shop/web/${container}`)).answer.status).toBe(200);
  });

  it('has one stream only behind its gate', async () => {
    expect((await logs('/shop/web/app?stream=Stderr')).answer).toMatchObject({
      status: 400,
      body: 'unable to return the given log stream: "Stderr". Please enable PodLogsQuerySplitStreams feature gate in kubelet',
    });
    const { asked } = await logs('/shop/web/app?stream=Stderr', { splitStreams: true });
    expect(asked[0]?.options).toEqual({ stream: 'Stderr' });
  });

  it('says why there is nothing to read', async () => {
    const failure = new KubeletError('container "app" in pod "web" is waiting to start: ContainerCreating', {
      code: 'failed-precondition',
    });
    expect((await logs('/shop/web/app', { failure })).answer).toMatchObject({ status: 400, body: failure.message });
  });

  it('is absent with the logs, and there for debugging alone', () => {
    expect(createContainerLogsRoutes(node)).toEqual([]);
    const routes = createContainerLogsRoutes({ ...node, logs: { open: () => Promise.reject(new Error('none')) } });
    expect(routes.map(({ debugging }) => debugging)).toEqual([true]);
  });
});

describeServerRoutesContract('those of container logs', () => {
  const lines = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one\n');
  };
  return {
    routes: containerLogsRoutes({ ...node, logs: { open: async () => lines() }, splitStreams: false }),
    pages: {
      '/containerLogs/{namespace}/{pod}/{container}': { namespace: 'shop', pod: 'web', container: 'app' },
    },
  };
});
