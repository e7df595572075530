import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@podwright/time';
import { fail, rejection, setUp } from './fixtures/client-under-test.js';

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
});
