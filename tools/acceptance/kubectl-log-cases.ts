import { rename } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { ClusterNode } from './cluster-node.js';
import type { KubectlClient } from './kubectl-client.js';
import { main, podManifest, script } from './pod-manifests.js';
import type { TestLab } from './test-lab.js';
import { aWhile, untilHolds } from './wait-for.js';

/** A node with the pods `counter`, `again` and `missing` of {@link describeKubectlCases}. */
export interface KubectlHarness {
  readonly bed: TestLab;
  readonly on: ClusterNode;
  readonly kubectl: KubectlClient;
}

const numbers = (text: string): readonly number[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(/^line (\d+)$/.exec(line)?.[1]));
const times = (text: string): readonly number[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Date.parse(line.split(' ')[0] ?? ''));
const inOrder = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, i) => from + i);

/** Rotates a log as the kubelet does: the rename comes before the runtime's reopen. */
const rotate = async ({ runtime }: TestLab, suffix: string): Promise<void> => {
  const [container] = await runtime.running('counter');
  const containerId = container?.id ?? '';
  const { logPath } = await runtime.status(containerId);
  await rename(logPath, `${logPath}.${suffix}`);
  await aWhile(30); // output between rename and reopen still goes to the old file
  await runtime.client.reopenContainerLog({ containerId });
};

/** Cases for `kubectl logs` of containers that run, have exited, were rotated, or never started. */
export function describeKubectlLogs(harness: () => KubectlHarness): void {
  describe('kubectl logs', () => {
    it('-f loses and repeats nothing while the log is rotated three times', async () => {
      const following = harness().kubectl.start(['logs', '-f', 'counter']);
      await following.until(/line 20\n/);
      for (const second of ['01', '02', '03']) {
        await rotate(harness().bed, `20260101-0000${second}`);
        await aWhile(700);
      }
      const last = numbers(following.stdout).at(-1) ?? 0;
      await following.until(new RegExp(`line ${last + 30}\n`));
      await following.interrupt();
      const seen = numbers(following.stdout);
      expect(seen).toEqual(inOrder(1, seen.length));
    });

    it('shows the last lines, those since a time, a number of bytes, and when they were written', async () => {
      const tail = numbers(await harness().kubectl.text('logs', '--tail=5', 'counter'));
      expect(tail).toEqual(inOrder(tail[0] ?? 0, 5));
      const all = await harness().kubectl.text('logs', '--timestamps', 'counter');
      const askedMs = Date.now();
      const recent = await harness().kubectl.text('logs', '--timestamps', '--since=2s', 'counter');
      const answeredMs = Date.now();
      // The kubelet counts from some moment between the two.
      for (const atMs of times(recent)) expect(atMs).toBeGreaterThanOrEqual(askedMs - 2_000);
      const due = times(all).filter((atMs) => atMs > answeredMs - 2_000);
      expect(times(recent)).toEqual(expect.arrayContaining(due));
      const shown = numbers(recent.replaceAll(/^\S+ /gm, ''));
      expect(shown).toEqual(inOrder(shown[0] ?? 0, shown.length));
      expect(await harness().kubectl.text('logs', '--limit-bytes=7', 'counter')).toHaveLength(7);
      const [line = ''] = (await harness().kubectl.text('logs', '--timestamps', '--tail=1', 'counter')).split('\n');
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(Z|[+-]\d\d:\d\d) line \d+$/);
      const after = numbers(await harness().kubectl.text('logs', `--since-time=${line.split(' ')[0]}`, 'counter'));
      // kubectl sends the time in whole seconds.
      expect(after).toEqual(inOrder(after[0] ?? 0, after.length));
      expect(after).toContain(Number(line.split(' ').at(-1)));
    });

    it('-p shows the run before, and says when there is none', async () => {
      await harness().on.until(
        'again',
        'has run again',
        (pod) =>
          pod.status?.containerStatuses?.[0]?.state?.running !== undefined &&
          pod.status.containerStatuses[0].restartCount === 1,
        { withinMs: 60_000 },
      );
      expect(await harness().kubectl.text('logs', '-p', 'again')).toBe('first\n');
      await untilHolds(async () => expect(await harness().kubectl.text('logs', 'again')).toBe('second\n'));
      const { code, stderr } = await harness().kubectl.run(['logs', '-p', 'counter']);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('previous terminated container "main" in pod "counter" not found'),
      ]);
    });

    it('says why there is no log yet', async () => {
      await harness().on.until(
        'missing',
        'waits',
        (pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ErrImageNeverPull',
      );
      const { code, stderr } = await harness().kubectl.run(['logs', 'missing']);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('container "main" in pod "missing" is waiting to start: ErrImageNeverPull'),
      ]);
    });

    it('-f ends when the container has ended', async () => {
      await harness().on.create(
        podManifest('brief', {
          restartPolicy: 'Never',
          containers: [main({ command: [...script('echo one; sleep 2; echo two')] })],
        }),
      );
      await harness().on.until('brief', 'runs', (pod) => pod.status?.phase === 'Running');
      const { code, stdout } = await harness().kubectl.run(['logs', '-f', 'brief']);
      expect([code, stdout.toString()]).toEqual([0, 'one\ntwo\n']);
      await harness().on.delete('brief', 0);
    });

    it('shows the log of a container that the runtime has no record of any more', async () => {
      const { bed, on, kubectl } = harness();
      const containers = [main({ command: [...script('echo last words')] })];
      await on.create(podManifest('lost', { restartPolicy: 'Never', containers }));
      await on.until('lost', 'has ended', (pod) => pod.status?.phase === 'Succeeded');
      const records = await bed.runtime.containers('lost');
      for (const { id } of records) await bed.runtime.client.removeContainer({ containerId: id });
      expect(records).toHaveLength(1);
      await aWhile(1500); // until the kubelet has seen that the container is gone
      expect(await kubectl.text('logs', 'lost')).toBe('last words\n');
      await on.delete('lost', 0);
    });
  });
}
