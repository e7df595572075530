import { chmod, rm, writeFile } from 'node:fs/promises';
import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError, hasCode } from '@podwright/errors';
import { StatusError } from '@podwright/grpc';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import { createMetricsRegistry, type MetricsRegistry } from '@podwright/metrics';
import { createSystemClock, type Clock } from '@podwright/time';
import { CriServer, healthyRuntime, type Handlers } from './fixtures/cri-server.js';
import { RecordingTracer } from '@podwright/tracing-interface/contract';
import { createCriClient } from './cri-client.module.js';
import type { CriClient } from './grpc-cri-client.js';

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

interface Setup {
  readonly server: CriServer;
  readonly client: CriClient;
  readonly logger: MemoryLogger;
  readonly metrics: MetricsRegistry;
}

async function setUp(
  handlers: Handlers = {},
  options: {
    started?: boolean;
    requestTimeoutMs?: number;
    streamLists?: boolean;
    tracer?: RecordingTracer;
    clock?: Clock;
  } = {},
): Promise<Setup> {
  const server = await (await CriServer.make({ ...healthyRuntime, ...handlers })).listen();
  const logger = createMemoryLogger();
  const metrics = createMetricsRegistry();
  const { requestTimeoutMs = 10_000, streamLists = false, tracer, clock = createSystemClock() } = options;
  const client = createCriClient(
    { clock, logger, metrics, ...(tracer && { tracer }) },
    { runtimeEndpoint: server.endpoint, requestTimeoutMs, streamLists },
  );
  undo.push(
    () => server.remove(),
    () => client.stop(),
  );
  if (options.started !== false) await client.start();
  return { server, client, logger, metrics };
}

const fail = (code: status, details: string) => () => {
  throw new StatusError(code, details);
};
const rejection = async (promise: Promise<unknown>): Promise<KubeletError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof KubeletError) return error;
  throw new Error(`no KubeletError: ${String(error)}`);
};

describe('the CRI client', () => {
  it('knows the runtime after start and sends the authority localhost', async () => {
    const seen: string[] = [];
    const { client } = await setUp({
      imageFsInfo: (_request, { authority }) => {
        seen.push(authority);
        return {};
      },
    });
    expect([client.runtimeName, client.runtimeVersion, client.runtimeApiVersion]).toEqual([
      'containerd',
      'v2.1.0',
      'v1',
    ]);
    expect(seen).toEqual(['localhost']);
  });

  describe('with lists as streams', () => {
    const asked: string[] = [];
    const answers =
      <T>(name: string, answer: T) =>
      () => (asked.push(name), answer);
    const stream = <T>(name: string, ...parts: readonly T[]) =>
      async function* () {
        asked.push(name);
        yield* parts;
      };
    afterEach(() => void asked.splice(0));

    it('joins the parts, and fails when the stream does', async () => {
      const { client } = await setUp(
        {
          streamContainers: stream(
            'stream',
            { containers: [{ id: 'a' }, { id: 'b' }] },
            {},
            { containers: [{ id: 'c' }] },
          ),
          streamImages: async function* () {
            yield { images: [{ id: 'i' }] };
            throw new StatusError(status.INTERNAL, 'broken');
          },
          listImages: answers('list images', {}),
        },
        { streamLists: true },
      );
      const { containers } = await client.listContainers({ filter: { podSandboxId: 's' } });
      expect(containers.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      expect(hasCode(await rejection(client.listImages({})), 'internal')).toBe(true);
      expect(asked).toEqual(['stream']);
    });

    it('asks for whole lists once the runtime has no such call, each service on its own', async () => {
      const { client, logger } = await setUp(
        {
          streamPodSandboxes: fail(status.UNIMPLEMENTED, 'unknown method'),
          listPodSandbox: answers('list sandboxes', { items: [{ id: 's' }] }),
          streamContainers: stream('stream containers'),
          listContainers: answers('list containers', {}),
          streamImages: stream('stream images', {}),
        },
        { streamLists: true },
      );
      expect((await client.listPodSandbox({})).items.map(({ id }) => id)).toEqual(['s']);
      await client.listContainers({});
      await client.listImages({});
      expect(asked).toEqual(['list sandboxes', 'list containers', 'stream images']);
      expect(logger.messages('info')).toContain('StreamPodSandboxes not implemented, falling back to ListPodSandbox');
    });

    it('is not what the gate off means', async () => {
      const { client } = await setUp({ streamContainers: stream('stream'), listContainers: answers('list', {}) });
      await client.listContainers({});
      expect(asked).toEqual(['list']);
    });
  });

  it('carries nested requests and complete answers, with exact 64-bit numbers', async () => {
    const sent: unknown[] = [];
    const { client } = await setUp({
      runPodSandbox: (request) => {
        sent.push(request);
        return { podSandboxId: 'sandbox-1' };
      },
      podSandboxStatus: () => ({
        status: { id: 's', metadata: { name: 'n', namespace: 'ns', uid: 'u' }, createdAt: 1_735_689_600_123_456_789n },
      }),
    });
    const config = {
      metadata: { name: 'n', namespace: 'ns', uid: 'u' },
      labels: { ['__proto__']: 'kept', empty: '', ä: '✓' },
      linux: { securityContext: { runAsUser: { value: -1n }, supplementalGroups: [1n, 2n ** 40n] } },
    };
    expect(await client.runPodSandbox({ config })).toEqual({ podSandboxId: 'sandbox-1' });
    expect(sent[0]).toMatchObject({
      config: { ...config, labels: { empty: '', ä: '✓' }, hostname: '' },
      runtimeHandler: '',
    });
    const labels = (sent[0] as { config: { labels: object } }).config.labels;
    expect(Object.entries(labels)).toContainEqual(['__proto__', 'kept']);
    const { status: answer } = await client.podSandboxStatus({ podSandboxId: 's' });
    expect(answer?.createdAt).toBe(1_735_689_600_123_456_789n);
    expect(answer).toMatchObject({ state: 0, network: undefined, labels: {}, annotations: {} });
  });

  it.each([
    [status.NOT_FOUND, 'not-found'],
    [status.ALREADY_EXISTS, 'already-exists'],
    [status.UNKNOWN, 'unknown'],
    [status.UNIMPLEMENTED, 'unimplemented'],
    [status.UNAVAILABLE, 'unavailable'],
    [status.RESOURCE_EXHAUSTED, 'resource-exhausted'],
    [status.DEADLINE_EXCEEDED, 'deadline-exceeded'],
  ] as const)('maps status %s to %s and keeps the detail as the message', async (code, expected) => {
    const { client } = await setUp({ containerStatus: fail(code, 'container "c1" in store: what the runtime says') });
    const error = await rejection(client.containerStatus({ containerId: 'c1' }));
    expect([error.code, error.message]).toEqual([expected, 'container "c1" in store: what the runtime says']);
  });

  it.each<[string, Handlers, (client: CriClient) => Promise<unknown>, string]>([
    ['a sandbox without id', { runPodSandbox: () => ({}) }, (c) => c.runPodSandbox({}), 'podSandboxId is not set'],
    ['a container without id', { createContainer: () => ({}) }, (c) => c.createContainer({}), 'ContainerId is not set'],
    [
      'one condition',
      { status: () => ({ status: { conditions: [{ type: 'RuntimeReady' }] } }) },
      (c) => c.status({}),
      'NetworkReady condition',
    ],
    ['an empty URL', { exec: () => ({}) }, (c) => c.exec({}), 'URL is not set'],
    [
      'an image without size',
      { imageStatus: () => ({ image: { id: 'i' } }) },
      (c) => c.imageStatus({}),
      'Id or size of image',
    ],
    ['a pull without reference', { pullImage: () => ({}) }, (c) => c.pullImage({}), 'imageRef of image'],
    [
      'a status without creation time',
      {
        containerStatus: () => ({ status: { id: 'c', metadata: { name: 'n' }, image: { image: 'i' }, imageRef: 'r' } }),
      },
      (c) => c.containerStatus({}),
      'status.CreatedAt is not set',
    ],
  ])('refuses %s', async (_name, handlers, call, message) => {
    const { client } = await setUp(handlers);
    const error = await rejection(call(client));
    expect(error.code).toBe('internal');
    expect(error.message).toContain(message);
  });

  it('takes an absent image and an absent status as answers', async () => {
    const { client } = await setUp({ imageStatus: () => ({}), containerStatus: () => ({}) });
    expect((await client.imageStatus({ image: { image: 'x' } })).image).toBeUndefined();
    expect((await client.containerStatus({ containerId: 'c' })).status).toBeUndefined();
  });

  it('tells the runtime the deadline of each call', async () => {
    const clock = createSystemClock();
    let deadlineMs: number | undefined;
    let arrivedAtMs = 0;
    const note = (_request: unknown, call: { readonly deadlineMs: number | undefined }) => {
      [deadlineMs, arrivedAtMs] = [call.deadlineMs, clock.now()];
      return { podSandboxId: 's', imageRef: 'r', exitCode: 0, containers: [] };
    };
    const { client } = await setUp({
      ...{ runPodSandbox: note, stopContainer: note, execSync: note },
      ...{ pullImage: note, listContainers: note, checkpointContainer: note },
    });
    for (const [call, timeoutMs] of [
      [() => client.runPodSandbox({}), 20_000],
      [() => client.stopContainer({ timeout: 30n }), 40_000],
      [() => client.execSync({ timeout: 0n }), undefined],
      [() => client.pullImage({}), undefined],
      [() => client.listContainers({}, { timeoutMs: 5000 }), 5_000],
      [() => client.checkpointContainer({ timeout: 60n }), 60_000],
    ] as const) {
      const calledAtMs = clock.now();
      await call();
      if (timeoutMs === undefined) expect(deadlineMs).toBeUndefined();
      else {
        // The runtime counts from the call's arrival, and nobody knows how long the call was on its way.
        expect(deadlineMs).toBeGreaterThanOrEqual(calledAtMs + timeoutMs);
        expect(deadlineMs).toBeLessThanOrEqual(arrivedAtMs + timeoutMs);
      }
    }
  });

  it('gives up at the deadline and lets the runtime know', async () => {
    let [reached, stopped] = [0, 0];
    const { client } = await setUp({
      execSync: async (_request, { cancelled }) => {
        reached += 1;
        await cancelled;
        stopped += 1;
        return {};
      },
    });
    const error = await rejection(client.execSync({ containerId: 'c' }, { timeoutMs: 30 }));
    expect([error.code, error.message]).toEqual(['deadline-exceeded', 'context deadline exceeded']);
    await client.version({});
    // A call whose deadline came before it was sent does not reach the runtime.
    expect(stopped).toBe(reached);
  });

  it.each([
    [60_000, 'deadline-exceeded', 'context deadline exceeded'],
    [59_000, 'cancelled', 'Call cancelled'],
  ] as const)('takes what the runtime cancels after %s ms of 60 s for %s', async (passedMs, code, message) => {
    const system = createSystemClock();
    let aheadMs = 0;
    const clock: Clock = Object.create(system, { now: { value: () => system.now() + aheadMs } });
    const { client } = await setUp(
      {
        execSync: () => {
          aheadMs = passedMs;
          return fail(status.CANCELLED, 'Call cancelled')();
        },
      },
      { clock },
    );
    const error = await rejection(client.execSync({ containerId: 'c' }, { timeoutMs: 60_000 }));
    expect([error.code, error.message]).toEqual([code, message]);
  });

  it('cancels a running call with the reason of its signal', async () => {
    const controller = new AbortController();
    const reason = new KubeletError('pod was deleted', { code: 'aborted' });
    const { client } = await setUp({
      pullImage: async (_request, { cancelled }) => {
        controller.abort(reason);
        await cancelled;
        return {};
      },
    });
    expect(await rejection(client.pullImage({}, { signal: controller.signal }))).toBe(reason);
    expect(await rejection(client.pullImage({}, { signal: controller.signal }))).toBe(reason);
    const plain = await rejection(client.listContainers({}, { signal: AbortSignal.abort() }));
    expect(plain.code).toBe('cancelled');
  });

  it('reads a stream as slowly as its reader and cancels it when the reader leaves', async () => {
    let written = 0;
    let ended: () => void = () => undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    const { client } = await setUp({
      getContainerEvents: async function* (_request, { cancelled }) {
        void cancelled.then(() => ended());
        for (; written < 10_000; written++) yield { containerId: 'x'.repeat(10_000) };
      },
    });
    let read = 0;
    for await (const event of client.getContainerEvents({})) {
      expect(event.containerId).toHaveLength(10_000);
      if (++read === 5) break;
    }
    await end;
    expect(written).toBeLessThan(1000);
  });

  it('ends a stream with its status, or with the reason of the signal', async () => {
    const controller = new AbortController();
    const { client } = await setUp({
      getContainerEvents: async function* (_request, { cancelled }) {
        yield { containerId: 'c1' };
        await cancelled;
      },
    });
    const read = async (): Promise<void> => {
      for await (const event of client.getContainerEvents({}, { signal: controller.signal }))
        controller.abort(event.containerId);
    };
    const error = await rejection(read());
    expect([error.code, error.message]).toEqual(['cancelled', 'c1']);
    const missing = async (): Promise<void> => {
      for await (const page of client.streamContainers({})) expect(page).toBeUndefined();
    };
    expect((await rejection(missing())).code).toBe('unimplemented');
  });

  it('takes an answer of nearly 16 MiB and refuses a larger one', async () => {
    const blob = (bytes: number) => () => ({ stdout: new Uint8Array(bytes).fill(7) });
    const { client, server } = await setUp({ execSync: blob(16 * 1024 * 1024 - 100) });
    expect((await client.execSync({})).stdout).toHaveLength(16 * 1024 * 1024 - 100);
    server.handlers.execSync = blob(16 * 1024 * 1024 + 1);
    expect((await rejection(client.execSync({}))).code).toBe('resource-exhausted');
  });

  it('fails fast while the runtime is away and works with the first call once it is back', async () => {
    const { client, server } = await setUp({ listContainers: () => ({ containers: [{ id: 'c1' }] }) });
    const pending = rejection(client.execSync({}, { timeoutMs: 60_000 }));
    server.handlers.execSync = () => new Promise(() => undefined);
    await client.listContainers({});
    for (let round = 0; round < 2; round++) {
      await server.die();
      // Long enough for the back-off of gRPC to have grown.
      for (let call = 0; call < 5; call++) {
        expect((await rejection(client.listContainers({}))).code).toBe('unavailable');
        await createSystemClock({ keepAlive: true }).sleep(50);
      }
      await server.listen();
      expect((await client.listContainers({})).containers).toHaveLength(1);
      expect(await client.imageFsInfo({})).toMatchObject({ imageFilesystems: [] });
    }
    await pending;
  });

  it('counts and times calls, and logs one failure of one container once a minute', async () => {
    const { client, logger, metrics, server } = await setUp({ containerStatus: fail(status.INTERNAL, 'no answer') });
    for (const id of ['a', 'a', 'b', 'a']) await rejection(client.containerStatus({ containerId: id }));
    await rejection(client.runtimeConfig({}));
    expect(logger.messages('error')).toEqual([
      'container_status from the runtime failed: no answer',
      'container_status from the runtime failed: no answer',
    ]);
    // What is gone between a list and a look at it is nobody's fault.
    server.handlers.containerStatus = fail(status.NOT_FOUND, 'no such container');
    await rejection(client.containerStatus({ containerId: 'c' }));
    expect(logger.messages('error')).toHaveLength(2);
    const text = await metrics.render();
    expect(text).toContain('kubelet_runtime_operations_total{operation_type="container_status"} 5');
    expect(text).toContain('kubelet_runtime_operations_errors_total{operation_type="container_status"} 5');
    expect(text).toContain('kubelet_runtime_operations_duration_seconds_count{operation_type="version"} 1');
  });

  it('ends calls in flight at stop, and refuses later ones', async () => {
    const { client } = await setUp({ pullImage: () => new Promise(() => undefined) });
    const pull = rejection(client.pullImage({}));
    await client.imageFsInfo({});
    await client.stop();
    await client.stop();
    expect((await pull).code).toBe('cancelled');
    expect((await rejection(client.listContainers({}))).code).toBe('cancelled');
  });
});

describe('the CRI client with a tracer', () => {
  it('makes a span of each call and hands it to the runtime', async () => {
    const tracer = new RecordingTracer();
    const handed: unknown[] = [];
    const { client } = await setUp(
      {
        listContainers: (_request, { metadata }) => {
          handed.push(...metadata.get('traceparent'));
          return {};
        },
        stopContainer: fail(status.NOT_FOUND, 'no such container'),
      },
      { tracer },
    );
    await tracer.trace('syncPod', {}, () => client.listContainers({}));
    await rejection(client.stopContainer({ containerId: 'c' }));
    const [list, stop] = tracer.spans.slice(-2);
    expect(handed).toEqual(['runtime.v1.RuntimeService/ListContainers']);
    expect(list).toMatchObject({
      name: 'runtime.v1.RuntimeService/ListContainers',
      parent: 'syncPod',
      options: { kind: 'client' },
      attributes: { 'rpc.system': 'grpc', 'rpc.service': 'runtime.v1.RuntimeService', 'rpc.method': 'ListContainers' },
    });
    expect(stop).toMatchObject({ name: 'runtime.v1.RuntimeService/StopContainer', parent: undefined });
    expect(stop?.error).toMatchObject({ message: 'no such container' });
  });
});

describe('start of the CRI client', () => {
  const startOf = async (server: CriServer): Promise<KubeletError> => {
    const deps = { clock: createSystemClock(), logger: createMemoryLogger(), metrics: createMetricsRegistry() };
    const client = createCriClient(deps, { runtimeEndpoint: server.endpoint });
    undo.push(
      () => server.remove(),
      () => client.stop(),
    );
    return rejection(client.start());
  };

  it('says what to do when the socket is missing, dead, or no socket', async () => {
    const missing = await CriServer.make();
    const error = await startOf(missing);
    expect(error.code).toBe('unavailable');
    expect(error.message).toBe(
      `container runtime at ${missing.socketPath}: the socket does not exist; is the runtime running, and is the endpoint right?`,
    );
    await writeFile(missing.socketPath, '');
    expect((await startOf(missing)).message).toMatch(/nobody listens|no socket/);
    await rm(missing.socketPath);
  });

  it('says so when the user may not open the socket', async () => {
    if (process.getuid?.() === 0) return; // root may open any
    const server = await (await CriServer.make()).listen();
    await chmod(server.socketPath, 0);
    expect((await startOf(server)).message).toContain('permission denied');
  });

  it('tells a runtime of the old API from one without CRI', async () => {
    const old = await (await CriServer.make({ ...healthyRuntime }, 'v1alpha2')).listen();
    expect((await startOf(old)).message).toContain('answers CRI runtime.v1alpha2 only');
    const other = await (await CriServer.make({}, 'v0')).listen();
    expect((await startOf(other)).message).toContain('does not offer runtime.v1.RuntimeService');
  });

  it('refuses an unknown version, missing fields, and a missing image service', async () => {
    const strange = await (
      await CriServer.make({
        version: () => ({ version: '0.2.0', runtimeName: 'x', runtimeVersion: 'y', runtimeApiVersion: 'z' }),
      })
    ).listen();
    expect((await startOf(strange)).message).toContain('runtime api version is not supported');
    const partial = await (await CriServer.make({ version: () => ({ version: '0.1.0', runtimeName: 'x' }) })).listen();
    expect((await startOf(partial)).message).toContain('(missing runtime_version, runtime_api_version)');
    const noImages = await (
      await CriServer.make({ ...healthyRuntime, imageFsInfo: fail(status.UNKNOWN, 'boom') })
    ).listen();
    const error = await startOf(noImages);
    expect(error.message).toContain('does not answer ImageFsInfo: boom');
    expect(hasCode(error, 'unknown')).toBe(true);
  });
});
