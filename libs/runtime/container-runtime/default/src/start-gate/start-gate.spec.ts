import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PodSyncResult } from '@podwright/container-runtime-interface';
import type { Pod } from '@podwright/kube-types';
import { createRuntimeHarness, type RuntimeHarness } from '../fixtures/runtime-harness.js';
import { container, podWith, record, statusWith } from '../fixtures/records.js';

/** A promise that the test settles. */
function held(): { readonly promise: Promise<unknown>; release(): void } {
  let release = (): void => undefined;
  const promise = new Promise<unknown>((resolve) => {
    release = () => resolve({});
  });
  return { promise, release: () => release() };
}

const named = (name: string, more: Pod['metadata'] = {}): Pod => podWith({}, { name, uid: name, ...more });
const nameOf = (request: { config: { metadata: { name: string } } }): string => request.config.metadata.name;

/** Two go in together; which of them comes first to its call is up to the file system. */
const pairs = (names: readonly string[]): string[] =>
  names.flatMap((_, index) => (index % 2 === 0 ? names.slice(index, index + 2).sort() : []));

describe('the gate of starting pods', () => {
  let harness: RuntimeHarness;
  const begun: string[] = [];
  beforeEach(async () => {
    begun.length = 0;
    harness = await createRuntimeHarness({ config: { maxConcurrentStarts: 2, startPlaceTimeoutMs: 10_000 } });
  });
  afterEach(() => harness.remove());

  /** Each RunPodSandbox takes a second; those of `hanging` never end. */
  function slowSandboxes(hanging: readonly string[] = []): void {
    harness.fake.on('runPodSandbox', async (request: { config: { metadata: { name: string } } }) => {
      begun.push(nameOf(request));
      if (hanging.includes(nameOf(request))) await held().promise;
      await harness.clock.sleep(1000);
      return { podSandboxId: `of-${nameOf(request)}` };
    });
  }

  it('lets two in at a time, and each goes through to its container', async () => {
    slowSandboxes();
    const order: string[] = [];
    const all = ['a', 'b', 'c', 'd'].map((name) => named(name));
    const done = all.map((pod) => harness.sync(pod).then(() => order.push(pod.metadata.name ?? '')));
    await harness.clock.advance(500);
    expect(pairs(begun)).toEqual(['a', 'b']);
    await harness.clock.advance(1000);
    expect(pairs(order)).toEqual(['a', 'b']);
    expect(pairs(begun)).toEqual(['a', 'b', 'c', 'd']);
    await harness.clock.advance(1000);
    await Promise.all(done);
    expect(harness.clock.pendingTimers).toBe(0);
  });

  const ofClass = (name: string, priorityClassName: string, priority: number): Pod =>
    podWith({ priorityClassName, priority }, { name, uid: name });
  const cluster = (name: string): Pod => ofClass(name, 'system-cluster-critical', 2_000_000_000);
  const node = (name: string): Pod => ofClass(name, 'system-node-critical', 2_000_001_000);
  const ofFile = (name: string): Pod => named(name, { annotations: { 'kubernetes.io/config.source': 'file' } });

  it('starts critical pods first: those of the node and static ones, then those of the cluster', async () => {
    slowSandboxes();
    const pods = [named('a'), named('b'), named('c'), cluster('c1'), cluster('c2'), cluster('c3'), ofFile('s1')];
    for (const pod of [...pods, node('n1'), node('n2')]) void harness.sync(pod);
    // Critical pods wait for critical pods only.
    await harness.clock.advance(500);
    expect([...begun].sort()).toEqual(['a', 'b', 'c1', 'c2']);
    await harness.clock.advance(1000);
    expect(pairs(begun.slice(4))).toEqual(['n1', 's1']);
    await harness.clock.advance(1000);
    expect(pairs(begun.slice(6))).toEqual(['c3', 'n2']);
    await harness.clock.advance(1000);
    expect(begun.slice(8)).toEqual(['c']);
  });

  it('lets a critical pod in at once while ordinary ones hang, such as the CNI plugin that they wait for', async () => {
    slowSandboxes(['stuck', 'stuck2']);
    for (const name of ['stuck', 'stuck2', 'new']) void harness.sync(named(name));
    await harness.clock.advance(1);
    const plugin = harness.sync(node('plugin'));
    await harness.clock.advance(1000);
    expect((await plugin).results.every(({ error }) => error === undefined)).toBe(true);
    expect(begun).not.toContain('new');
  });

  it('waits for a start four times as long as for the others, and starts pods that hung last', async () => {
    const hanging = ['stuck', 'stuck2'];
    slowSandboxes(hanging);
    for (const name of ['a', 'b', ...hanging, 'c']) void harness.sync(named(name));
    // Two good starts of a second each: four seconds for those that hang, not ten.
    await harness.clock.advance(4_900);
    expect(begun).not.toContain('c');
    await harness.clock.advance(200);
    expect(begun).toContain('c');
    await harness.clock.advance(2_000);
    begun.length = 0;
    for (const name of ['d', 'e', ...hanging, 'f', 'g']) void harness.sync(named(name));
    await harness.clock.advance(2_500);
    expect(begun.slice(0, 4).sort()).toEqual(['d', 'e', 'f', 'g']);
    expect(begun.slice(4).sort()).toEqual(hanging);
  });

  it('finishes a pod before new ones whose call took long and has returned', async () => {
    harness.fake.on('runPodSandbox', async (request: { config: { metadata: { name: string } } }) => {
      await harness.clock.sleep(nameOf(request) === 'slow' ? 6_000 : 1_000);
      return { podSandboxId: `of-${nameOf(request)}` };
    });
    const names = ['a', 'b', 'slow', ...Array.from({ length: 20 }, (_, index) => `p${index}`)];
    const finished: string[] = [];
    for (const name of names) void harness.sync(named(name)).then(() => finished.push(name));
    // It begins after one second, loses its place after four more, and gets the next one after two more.
    await harness.clock.advance(8_500);
    expect(finished).toContain('slow');
    expect(finished.length).toBeLessThan(18);
  });

  it('takes the place of a call that hangs after a while, so that the others go on', async () => {
    slowSandboxes(['stuck', 'stuck2']);
    const names = ['stuck', 'stuck2', ...Array.from({ length: 20 }, (_, index) => `p${index}`)];
    const finished: string[] = [];
    for (const name of names) void harness.sync(named(name)).then(() => finished.push(name));
    await harness.clock.advance(9_000);
    expect(finished).toEqual([]);
    await harness.clock.advance(12_000);
    expect(finished).toHaveLength(20);
  });

  it('holds no place while an image is pulled', async () => {
    await harness.remove();
    const pull = held();
    const images = {
      ensureImageExists: async ({ image }: { image: string }): Promise<{ imageRef: string }> => {
        if (image === 'big:1') await pull.promise;
        return { imageRef: image };
      },
    };
    harness = await createRuntimeHarness({ deps: { images }, config: { maxConcurrentStarts: 1 } });
    const waiting = harness.sync(podWith({ containers: [container('big')] }, { name: 'big', uid: 'big' }));
    const small = harness.sync(named('small'));
    await harness.clock.advance(1000);
    expect((await small).results.every(({ error }) => error === undefined)).toBe(true);
    pull.release();
    expect((await waiting).results.every(({ error }) => error === undefined)).toBe(true);
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('holds no place while the API server is slow with what the environment of a container needs', async () => {
    await harness.remove();
    const answer = held();
    const environment = {
      forPod: async () => ({ hostname: 'web', hostDomain: '', sandboxHostname: 'web', dnsConfig: {} }),
      forContainer: async ({ metadata }: Pod) => {
        if (metadata.name === 'configured') await answer.promise;
        return { envs: [], mounts: [], devices: [], annotations: {} };
      },
    };
    harness = await createRuntimeHarness({ deps: { environment }, config: { maxConcurrentStarts: 1 } });
    const waiting = harness.sync(named('configured'));
    const other = harness.sync(named('other'));
    await harness.clock.advance(1000);
    expect((await other).results.every(({ error }) => error === undefined)).toBe(true);
    answer.release();
    expect((await waiting).results.every(({ error }) => error === undefined)).toBe(true);
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('lets more in when a slow CNI plugin is what they wait for', async () => {
    await harness.remove();
    harness = await createRuntimeHarness({ config: { initialConcurrentStarts: 4, maxConcurrentStarts: 32 } });
    slowSandboxes();
    const done = Array.from({ length: 100 }, (_, index) => harness.sync(named(`p${index}`)));
    await harness.clock.advance(9_000);
    // 25 s with four places.
    expect((await Promise.all(done)).every(({ error }) => error === undefined)).toBe(true);
  });

  it('holds no place during a postStart hook', async () => {
    await harness.remove();
    const hook = held();
    harness = await createRuntimeHarness({
      deps: { hooks: { run: async () => void (await hook.promise) } },
      config: { maxConcurrentStarts: 1 },
    });
    const hooked = container('app', { lifecycle: { postStart: { exec: { command: ['x'] } } } });
    const waiting = harness.sync(podWith({ containers: [hooked, container('b')] }, { name: 'hooked', uid: 'hooked' }));
    await harness.clock.advance(1);
    await harness.sync(named('other'));
    hook.release();
    expect((await waiting).results.filter(({ action }) => action === 'StartContainer')).toHaveLength(2);
  });

  it('does not start a pod that has gone away in the queue', async () => {
    slowSandboxes();
    let ending = false;
    const results: PodSyncResult[] = [];
    for (const name of ['a', 'b']) void harness.sync(named(name));
    void harness
      .sync(named('late'), undefined, { isTerminationRequested: () => ending })
      .then((result) => results.push(result));
    await harness.clock.advance(500);
    ending = true;
    await harness.clock.advance(1000);
    expect(pairs(begun)).toEqual(['a', 'b']);
    expect(results[0]?.results.map(({ action }) => action)).toEqual(['KillPodSandbox']);
  });

  it('ends the wait of a pod that is deleted, and starts none when the kubelet stops', async () => {
    slowSandboxes(['stuck', 'stuck2']);
    for (const name of ['stuck', 'stuck2']) void harness.sync(named(name));
    const deleted = new AbortController();
    const waiting = harness.sync(named('deleted'), undefined, { signal: deleted.signal });
    await harness.clock.advance(1);
    deleted.abort();
    const again = harness.sync(named('deleted'), undefined, { signal: deleted.signal });
    for (const { results } of await Promise.all([waiting, again]))
      expect(results.map(({ action }) => action)).toEqual(['KillPodSandbox']);
    expect(pairs(begun)).toEqual(['stuck', 'stuck2']);
  });

  it('lets a pod that has its sandbox in before new ones, and kills without a place', async () => {
    slowSandboxes(['stuck', 'stuck2']);
    for (const name of ['stuck', 'stuck2', 'new']) void harness.sync(named(name));
    await harness.clock.advance(1);
    const next = harness.sync(podWith(), statusWith([record('app', 'exited')]));
    const runningPod = {
      uid: 'x',
      name: 'x',
      namespace: 'x',
      containers: [],
      sandboxes: [{ id: 's', ready: true, attempt: 0, createdAt: 0n }],
    };
    expect((await harness.runtime.killPod({ pod: named('x'), runningPod })).results).toHaveLength(1);
    await harness.clock.advance(10_000);
    expect((await next).results.map(({ action }) => action)).toEqual(['ConfigPodSandbox', 'StartContainer']);
    expect(pairs(begun)).toEqual(['stuck', 'stuck2', 'new']);
  });
});
