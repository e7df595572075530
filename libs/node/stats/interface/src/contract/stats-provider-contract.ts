import { describe, expect, it } from '@podwright/contract';
import type { StatsProvider } from '../stats.js';

/** One fresh instance, not started, for a node with one running pod. */
export interface StatsProviderHarness {
  readonly stats: StatsProvider;
  readonly nodeName: string;
  /** The running pod and its only container. */
  readonly pod: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly container: string;
  };
  /** How often the provider has read pods from the runtime until now. */
  collections(): number;
  /** Ends the pod's container; its sandbox stays. */
  endContainer(): void;
  /** false: the node as a whole cannot be read. */
  setReadable(readable: boolean): void;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
}

const wholeSeconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Every implementation of {@link StatsProvider} passes this suite; `create` gives a new instance per case. */
export function describeStatsProviderContract(name: string, create: () => Promise<StatsProviderHarness>): void {
  describe(`${name} as a StatsProvider`, () => {
    async function started(): Promise<StatsProviderHarness> {
      const harness = await create();
      await harness.stats.start();
      return harness;
    }

    it('can be stopped before it was started, and twice', async () => {
      const { stats } = await create();
      expect(stats.healthy().ok).toBe(false);
      await stats.stop();
      await stats.stop();
      await expect(stats.summary()).rejects.toThrow();
    });

    it('reads the pods that are asked for alone, and none at all for the node alone', async () => {
      const { stats, pod, collections, nodeName } = await started();
      const node = await stats.summary({ podUids: [] });
      expect(node).toMatchObject({ node: { nodeName, fs: { usedBytes: expect.any(Number) } }, pods: [] });
      expect(collections()).toBe(0);
      expect((await stats.summary({ podUids: ['another'] })).pods).toEqual([]);
      const { pods } = await stats.summary({ podUids: ['another', pod.uid] });
      expect(pods).toMatchObject([{ podRef: { uid: pod.uid }, containers: [{ name: pod.container }] }]);
      await stats.stop();
      await expect(stats.summary({ podUids: [] })).rejects.toThrow();
    });

    it('tells of the node, its file systems and its pods', async () => {
      const { stats, nodeName, pod } = await started();
      expect(stats.healthy()).toEqual({ ok: true });
      const { node, pods } = await stats.summary();
      const bytes = { availableBytes: expect.any(Number), capacityBytes: expect.any(Number) };
      expect(node).toMatchObject({
        nodeName,
        startTime: expect.stringMatching(wholeSeconds),
        cpu: { time: expect.stringMatching(wholeSeconds), usageCoreNanoSeconds: expect.any(Number) },
        memory: { time: expect.stringMatching(wholeSeconds), workingSetBytes: expect.any(Number) },
        fs: { ...bytes, usedBytes: expect.any(Number), inodes: expect.any(Number) },
        runtime: { imageFs: { usedBytes: expect.any(Number) }, containerFs: { usedBytes: expect.any(Number) } },
        rlimit: { maxpid: expect.any(Number), curproc: expect.any(Number) },
      });
      expect(pods).toHaveLength(1);
      expect(pods[0]).toMatchObject({
        podRef: { name: pod.name, namespace: pod.namespace, uid: pod.uid },
        startTime: expect.stringMatching(wholeSeconds),
        containers: [
          {
            name: pod.container,
            startTime: expect.stringMatching(wholeSeconds),
            cpu: { usageCoreNanoSeconds: expect.any(Number) },
            memory: { workingSetBytes: expect.any(Number) },
          },
        ],
        cpu: { usageCoreNanoSeconds: expect.any(Number) },
        memory: { workingSetBytes: expect.any(Number) },
        'ephemeral-storage': bytes,
      });
      await stats.stop();
    });

    it('looks at no file system for the reduced form', async () => {
      const { stats, nodeName, pod } = await started();
      const { node, pods } = await stats.summary({ onlyCpuAndMemory: true });
      expect(node).toMatchObject({
        nodeName,
        cpu: { usageCoreNanoSeconds: expect.any(Number) },
        memory: { workingSetBytes: expect.any(Number) },
      });
      expect(pods[0]).toMatchObject({
        podRef: { uid: pod.uid },
        containers: [{ name: pod.container, cpu: {}, memory: {} }],
      });
      const allowed = [
        'cpu',
        'memory',
        'name',
        'nodeName',
        'podRef',
        'startTime',
        'swap',
        'systemContainers',
        'containers',
      ];
      for (const part of [node, ...pods, ...pods.flatMap(({ containers }) => containers)]) {
        expect(allowed).toEqual(expect.arrayContaining(Object.keys(part)));
      }
      await stats.stop();
    });

    it.each([[{}], [{ onlyCpuAndMemory: true }]])('reads once for all who ask within its age: %j', async (form) => {
      const harness = await started();
      const { stats, collections } = harness;
      const [first, second] = await Promise.all([stats.summary(form), stats.summary(form)]);
      expect(second).toEqual(first);
      expect(collections()).toBe(1);
      await harness.advance(9_000);
      expect(await stats.summary(form)).toEqual(first);
      expect(collections()).toBe(1);
      await stats.summary({ ...form, maxAgeMs: 1_000 });
      expect(collections()).toBe(2);
      await stats.summary({ ...form, maxAgeMs: 0 });
      expect(collections()).toBe(3);
      await harness.advance(10_000);
      await stats.summary(form);
      expect(collections()).toBe(4);
      await stats.stop();
    });

    it('leaves out a pod without a running container', async () => {
      const { stats, endContainer } = await started();
      endContainer();
      expect((await stats.summary()).pods).toEqual([]);
      expect((await stats.summary({ onlyCpuAndMemory: true })).pods).toEqual([]);
      await stats.stop();
    });

    it('lets one who asks go, and answers the others', async () => {
      const { stats, nodeName } = await started();
      const leaving = new AbortController();
      const first = stats.summary({ signal: leaving.signal });
      const second = stats.summary();
      leaving.abort(new Error('enough'));
      await expect(first).rejects.toThrow('enough');
      expect((await second).node.nodeName).toBe(nodeName);
      await stats.stop();
    });

    it('rejects while the node cannot be read, and no longer', async () => {
      const { stats, nodeName, setReadable } = await started();
      setReadable(false);
      await expect(stats.summary()).rejects.toThrow('failed to');
      await expect(stats.summary({ onlyCpuAndMemory: true })).rejects.toThrow('failed to');
      setReadable(true);
      expect((await stats.summary()).node.nodeName).toBe(nodeName);
      await stats.stop();
    });
  });
}
