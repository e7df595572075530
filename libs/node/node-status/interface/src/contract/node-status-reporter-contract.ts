import { describe, expect, it } from '@podwright/contract';
import type { Node } from '@podwright/kube-types';
import type { NodeStatusReporter } from '../node-status-reporter.js';

/** One fresh instance, not started. The node is healthy, and the API server has no Node of its name. */
export interface NodeStatusReporterHarness {
  readonly reporter: NodeStatusReporter;
  readonly nodeName: string;
  /** The server's Node object. */
  node(): Promise<Node | undefined>;
  /** Sets why the node is not ready; undefined makes it ready. */
  setProblem(problem: string | undefined): void;
  /** false: calls fail as when the server cannot be reached. */
  setReachable(reachable: boolean): void;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
}

/** Every implementation of {@link NodeStatusReporter} passes this suite; `create` gives a new instance per case. */
export function describeNodeStatusReporterContract(
  name: string,
  create: () => Promise<NodeStatusReporterHarness>,
): void {
  describe(`${name} as a NodeStatusReporter`, () => {
    const ready = async ({ node }: NodeStatusReporterHarness): Promise<string | undefined> =>
      (await node())?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;

    it('can be stopped before it was started, and twice', async () => {
      const { reporter } = await create();
      reporter.requestUpdate();
      await reporter.stop();
      await reporter.stop();
      expect(() => reporter.healthy()).not.toThrow();
    });

    it('registers the node, with resources and conditions, Ready as the last', async () => {
      const harness = await create();
      const { reporter, nodeName, advance } = harness;
      expect(reporter.registered()).toBe(false);
      await reporter.start();
      await advance(5_000);
      expect(reporter.registered()).toBe(true);
      expect(reporter.healthy()).toEqual({ ok: true });
      const { metadata, status } = (await harness.node()) ?? {};
      expect(metadata).toMatchObject({ name: nodeName, labels: { 'kubernetes.io/os': 'linux' } });
      expect(Object.keys(status?.allocatable ?? {})).toEqual(expect.arrayContaining(['cpu', 'memory', 'pods']));
      expect(status?.conditions?.map(({ type, status: is }) => `${type} ${is}`)).toEqual([
        'MemoryPressure False',
        'DiskPressure False',
        'PIDPressure False',
        'Ready True',
      ]);
      await reporter.stop();
    });

    it('tells of a problem in its next round, and at once when asked to', async () => {
      const harness = await create();
      const { reporter, setProblem, advance } = harness;
      await reporter.start();
      await advance(5_000);
      setProblem('the runtime is gone');
      await advance(11_000);
      expect(await ready(harness)).toBe('False');
      setProblem(undefined);
      reporter.requestUpdate();
      await advance(100);
      expect(await ready(harness)).toBe('True');
      await reporter.stop();
      setProblem('the runtime is gone');
      await advance(60_000);
      expect(await ready(harness)).toBe('True');
    });

    it('starts without an API server, registers when it comes, and outlives that it goes', async () => {
      const harness = await create();
      const { reporter, setReachable, setProblem, advance } = harness;
      setReachable(false);
      await reporter.start();
      await advance(300_000);
      expect([reporter.registered(), reporter.healthy().ok]).toEqual([false, false]);
      setReachable(true);
      await advance(60_000);
      expect([reporter.registered(), reporter.healthy().ok, await ready(harness)]).toEqual([true, true, 'True']);
      setReachable(false);
      setProblem('the runtime is gone');
      await advance(60_000);
      expect([reporter.registered(), reporter.healthy().ok]).toEqual([true, false]);
      setReachable(true);
      await advance(60_000);
      expect([reporter.healthy().ok, await ready(harness)]).toEqual([true, 'False']);
      await reporter.stop();
    });
  });
}
