import { afterEach, describe, expect, it } from '@jest/globals';
import { podUid, type Pod } from '@podwright/kube-types';
import { createSeededRandom } from '@podwright/time';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

// `npm run simulate` kills the kubelet at any instant, in as many stories as one likes.
const rounds = 20;
const seeds = ['one', 'two'];

/**
 * Kills the kubelet at random moments under a load that changes all the time, and starts another one on what is there.
 * A failing seed repeats itself.
 */
describe.each(seeds)('a kubelet that is killed again and again, seed %s', (seed) => {
  let node: SimulatedNode;
  afterEach(() => node.dispose());

  it(`loses nothing and does nothing twice in ${rounds} rounds`, async () => {
    node = await SimulatedNode.create({ seed });
    const chance = createSeededRandom(seed);
    const draw = (below: number): number => Math.floor(chance.next() * below);
    const { runtime } = node;
    for (const rpc of ['runPodSandbox', 'createContainer', 'startContainer', 'stopContainer'] as const) {
      runtime.faults.delay({ rpc }, () => draw(400));
    }
    runtime.programs.set('crashing', { exitAfterMs: 4_000, exitCode: 1 });
    runtime.programs.set('slow', { onStop: { afterMs: 3_000 } });
    runtime.programs.set('init', { exitAfterMs: 700 });

    const highest = new Map<string, number>();
    const names = new Set<string>();
    const watched = new Set<string>();
    /** Ids of started containers that are no init containers, by pod. */
    const started = new Map<string, Set<string>>();
    const check = (): void => {
      for (const container of runtime.control.containers()) {
        const uid = container.config.labels?.['io.kubernetes.pod.uid'] ?? '';
        if (container.startedAt > 0n && container.name !== 'init') {
          started.set(uid, (started.get(uid) ?? new Set()).add(container.id));
        }
        if (watched.has(container.id)) continue;
        watched.add(container.id);
        const key = `${uid} ${container.name}`;
        const attempt = container.config.metadata?.attempt ?? 0;
        const name = `${key} ${attempt}`;
        if (names.has(name)) throw new Error(`a second container for ${name}`);
        names.add(name);
        if (attempt < (highest.get(key) ?? 0)) throw new Error(`restart count of ${key} went back to ${attempt}`);
        highest.set(key, attempt);
      }
      const ready = runtime.control.sandboxes.filter((sandbox) => sandbox.ready).map(({ podUid: uid }) => uid);
      if (new Set(ready).size !== ready.length) throw new Error(`two running sandboxes of one pod: ${ready.join()}`);
      const live = runtime.control.containers().filter(({ running }) => running);
      const keys = live.map(({ podSandboxId, name }) => `${podSandboxId} ${name}`);
      if (new Set(keys).size !== keys.length) throw new Error(`one container runs twice: ${keys.join()}`);
    };

    let wanted: readonly Pod[] = [];
    let born = 0;
    for (let round = 0; round < rounds; round++) {
      for (let change = draw(4); change > 0; change--) {
        if (wanted.length > 3 && chance.next() < 0.45)
          wanted = wanted.filter((_, index) => index !== draw(wanted.length));
        else wanted = [...wanted, randomPod(born++, draw)];
      }
      node.want(...wanted);
      await node.boot();
      const livesMs = draw(12_000);
      for (let lived = 0; lived < livesMs; lived += 250) {
        await node.clock.advance(250);
        check();
      }
      await node.kill();
      // A process needs longer to start than any of these calls takes; what was in flight has ended by then.
      await node.clock.advance(500);
      check();
    }

    await node.boot();
    const steady = wanted.filter(({ spec }) => spec.containers[0]?.name !== 'crashing');
    await node.until(() => steady.every((pod) => node.isReady(pod)), 600_000);
    await node.clock.advance(300_000);
    check();
    const uids = new Set(wanted.map(podUid));
    expect(
      runtime.control.sandboxes.filter((sandbox) => !uids.has(sandbox.podUid)).map(({ podUid: uid }) => uid),
    ).toEqual([]);
    expect(node.complaints()).toEqual([]);
    // A container that never ends by itself ran once, whatever happened to its kubelets. (One that was created and not
    // started costs an attempt, as with upstream.)
    for (const pod of steady) expect([podUid(pod), started.get(podUid(pod))?.size]).toEqual([podUid(pod), 1]);
  });
});

function randomPod(index: number, draw: (below: number) => number): Pod {
  const name = ['main', 'main', 'slow', 'crashing'][draw(4)] ?? 'main';
  return simulatedPod(`p${index}`, {
    containers: [{ name, image: `registry.test/${name}:1` }],
    terminationGracePeriodSeconds: 5,
    ...(draw(3) === 0 && { initContainers: [{ name: 'init', image: 'registry.test/init:1' }] }),
  });
}
