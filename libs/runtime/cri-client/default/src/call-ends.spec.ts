import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { createSystemClock, type Clock } from '@podwright/time';
import { fail, rejection, setUp } from './fixtures/client-under-test.js';

describe('a call of the CRI client', () => {
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
