import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { createSeededRandom } from '@podwright/time';
import { ApiPodFile } from './api-pod-file.js';
import { runtimeCalls } from './runtime-calls.js';
import { lastingStatus, checkpointedPods } from './checkpointed-pods.js';
import { PodDiary } from './pod-diary.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { aWhile } from './wait-for.js';

// The default keeps the suite short; figures that are published come from 200.
const kills = Number(process.env['PODWRIGHT_ACCEPTANCE_KILLS'] ?? 8);
const seed = Number(process.env['PODWRIGHT_ACCEPTANCE_SEED'] ?? 1);
const killsPerRound = 2;
jest.setTimeout(420_000 + kills * 15_000);

const graceSeconds = 8;
/** The runtime is never given less, even when nothing is left. */
const leastGraceSeconds = 2;
/** Pauses between the starts of a container that ends at once, by upstream's rule; the first restart has none. */
const leastPausesMs = [0, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000];

/** Deaths may spoil nearly all starts: then the next three are needed, after pauses of 40, 80 and 160 s. */
const longestWait = { withinMs: 300_000, everyMs: 1_000 };

interface HookRun {
  readonly beganMs: number;
  readonly endedMs: number;
}
/** CRI-O starts a command also when its caller died just before that. A new kubelet needs longer to ask for one. */
const latestStartMs = 300;
/** A kubelet that dies this soon after it created a container may not have started it; then it counts as no start. */
const longestStartMs = 2_000;
const interrupts = (deathMs: number, { beganMs, endedMs }: HookRun): boolean =>
  deathMs > beganMs - latestStartMs && deathMs < endedMs;

const linesOf = async (file: string): Promise<readonly string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`${kills} deaths of the kubelet, seed ${seed}${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  const random = createSeededRandom(seed);
  /** Unix milliseconds. */
  const deaths: number[] = [];

  /** Kills the kubelet and starts it again; nothing waits for it to be up. */
  async function kill(node: TestNode, afterMs: number): Promise<void> {
    await aWhile(afterMs);
    deaths.push(Date.now());
    await node.end('SIGKILL');
    await node.start();
  }

  /** Looks at the pods for as long as `work` takes; each look must show the same of a steady pod. */
  async function watching(
    node: TestNode,
    steady: ReadonlyMap<string, unknown>,
    work: () => Promise<void>,
  ): Promise<number> {
    let looks = 0;
    let done = false;
    const watch = (async (): Promise<void> => {
      while (!done) {
        const pods: readonly Pod[] = await node.kubelet.pods().catch(() => []);
        for (const pod of pods) {
          const expected = steady.get(pod.metadata.name ?? '');
          // A kubelet that has just begun shows pods that it has not synced yet, without a status.
          if (expected === undefined || pod.status?.containerStatuses === undefined) continue;
          looks += 1;
          expect({ name: pod.metadata.name, ...(lastingStatus(pod) as object) }).toEqual({
            name: pod.metadata.name,
            ...(expected as object),
          });
        }
        await aWhile(30);
      }
    })();
    try {
      await Promise.race([work(), watch]);
    } finally {
      done = true;
    }
    await watch;
    return looks;
  }

  it('lose no readiness, no pause, no deadline and no hook', async () => {
    const { lab } = bed();
    const folder = path.join(lab.dir, 'marks');
    await mkdir(folder, { recursive: true });
    const api = new ApiPodFile(path.join(lab.dir, 'pods.json'));
    await api.write();
    const node = await bed().startNode('mortal', { assembly: api.assembly });
    const { ready, unready, crashing, hooked, leaving } = checkpointedPods;
    for (const manifest of [ready, unready, crashing, hooked(folder)]) await node.add(manifest);
    const isReady = (value: boolean) => (pod: Pod) =>
      pod.status?.containerStatuses?.[0]?.state?.running !== undefined &&
      pod.status.containerStatuses[0].ready === value;
    const steady = new Map<string, unknown>();
    for (const [name, value] of [
      ['ready', true],
      ['unready', false],
      ['hooked', true],
    ] as const) {
      const pod = await node.waitForPod(name, value ? 'is ready' : 'runs', isReady(value));
      steady.set(node.podName(name), lastingStatus(pod));
    }

    let looks = 0;
    let repeated = 0;
    for (let round = 0; round * killsPerRound < kills; round += 1) {
      const name = `leaving-${round}`;
      const { metadata } = await api.add(leaving(name, folder));
      const uid = metadata.uid ?? '';
      const running = async (): Promise<number> => (await bed().runtime.running(name)).length;
      looks += await watching(node, steady, async () => {
        await node.waitFor(`${name} runs`, async () => (await running()) === 2);
        const deaf = (await bed().runtime.running(name)).find((each) => each.name === 'main');
        await api.markDeleted(uid, graceSeconds);
        const askedMs = Date.now();
        for (let count = 0; count < killsPerRound; count += 1) await kill(node, random.next() * 2_500);
        await node.waitFor(`${name} has ended`, async () => (await running()) === 0);
        const alive = Number((await linesOf(path.join(folder, `${name}.alive`))).at(-1)) * 1000;
        // Deaf to SIGTERM it lives until its grace is over.
        expect(alive - askedMs).toBeGreaterThan((graceSeconds - 2.5) * 1000);
        // Each kubelet gives it what is left.
        const graces = (await runtimeCalls(lab)).flatMap(({ method, about, graceSeconds: left }) =>
          method === 'StopContainer' && about === deaf?.id ? [left ?? Number.NaN] : [],
        );
        expect(graces).not.toEqual([]);
        expect(graces).toEqual([...graces].sort((one, other) => other - one));
        expect(graces[0]).toBeLessThanOrEqual(graceSeconds);
        // A hook that was interrupted is run again, one that has ended is not. containerd ends a command when its caller
        // is gone, CRI-O does not: there an interrupted one ends too, after the kubelet's death.
        const marks = await new PodDiary(folder).entries(name);
        const endOf = (run: string): number => marks.find(({ words }) => words === `end ${run}`)?.atMs ?? Infinity;
        const runs = marks.flatMap(({ words, atMs }): HookRun[] => {
          const [, run] = /^begin (\d+)$/.exec(words) ?? [];
          return run === undefined ? [] : [{ beganMs: atMs, endedMs: endOf(run) }];
        });
        // Only a kubelet that comes up when the grace is over leaves an interrupted one at that.
        if ((graces.at(-1) ?? Infinity) > leastGraceSeconds) expect(runs.at(-1)?.endedMs).toBeLessThan(Infinity);
        for (const [index, { beganMs }] of runs.entries()) {
          // No kubelet runs it twice.
          const kubelets = 1 + deaths.filter((atMs) => atMs > askedMs && atMs < beganMs).length;
          expect(index + 1).toBeLessThanOrEqual(kubelets);
          const earlier = runs[index - 1];
          if (earlier !== undefined && !deaths.some((atMs) => interrupts(atMs, earlier))) repeated += 1;
        }
        await api.remove(uid);
      });
    }

    expect(looks).toBeGreaterThan(kills);
    // The kubelet may die between the end of a command and the moment at which it hears of that.
    expect(repeated).toBeLessThanOrEqual(Math.ceil(kills / killsPerRound / 10));
    expect(await linesOf(path.join(folder, 'post-start'))).toEqual(['hook']);
    const crashed = node.podName('crashing');
    const created = async (): Promise<readonly number[]> =>
      (await runtimeCalls(lab)).flatMap(({ method, about, atMs }) => {
        const mayNotHaveStarted = deaths.some((deathMs) => deathMs > atMs && deathMs < atMs + longestStartMs);
        return method === 'CreateContainer' && about === crashed && !mayNotHaveStarted ? [atMs] : [];
      });
    await node.waitFor('two pauses are seen', async () => (await created()).length > 2, longestWait);
    const starts = await created();
    const pauses = starts.slice(1).map((atMs, index) => atMs - (starts[index] ?? 0));
    for (const [index, pause] of pauses.entries())
      expect(pause).toBeGreaterThanOrEqual(leastPausesMs[Math.min(index, leastPausesMs.length - 1)] ?? 0);
  });
});
