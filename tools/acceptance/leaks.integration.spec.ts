import { describe, expect, it, jest } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { added, machineTraces, openFiles, residentMiB } from './machine-traces.js';
import { main, podManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { aWhile } from './wait-for.js';

// The default keeps the suite short; figures that are published come from 100.
const podCount = Number(process.env['PODWRIGHT_ACCEPTANCE_PODS'] ?? 25);
const mostRounds = 7;
const patience = { withinMs: 30_000 + podCount * 600, everyMs: 250 };
jest.setTimeout(2 * (mostRounds + 1) * patience.withinMs);
// Memory moves by some pages whatever one does.
const slackMiB = 4;

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

/** The least of some looks: garbage that is about to be collected is no leak. */
async function leastMiB(pid: number): Promise<number> {
  let least = Infinity;
  for (let look = 0; look < 8; look += 1) {
    least = Math.min(least, await residentMiB(pid));
    await aWhile(250);
  }
  return least;
}

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`${podCount} pods at once, again and again${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  const names = Array.from({ length: podCount }, (_, index) => `many-${String(index).padStart(3, '0')}`);

  async function round(node: TestNode): Promise<void> {
    for (const name of names) {
      // A volume and a hosts file each, so that there is something to leave behind.
      const volumes = [{ name: 'memory', emptyDir: { medium: 'Memory' } }];
      await node.add(
        podManifest(name, { volumes, containers: [main({ volumeMounts: [{ name: 'memory', mountPath: '/m' }] })] }),
      );
    }
    await node.waitFor(
      'all pods are ready',
      async () => (await node.kubelet.pods()).filter(isReady).length === podCount + 1,
      patience,
    );
    for (const name of names) await node.remove(`${name}.json`);
  }

  it('leave nothing on the machine, no open files, and no memory', async () => {
    const node = await bed().startNode('leaks', {
      assembly: [{ name: '@podwright/container-gc', config: { periodMs: 1_000 } }],
    });
    await node.add(podManifest('steady'));
    await node.waitForPod('steady', 'runs', isReady);
    const pid = node.kubelet.child.pid ?? 0;
    const before = await machineTraces(node);
    const filesBefore = await openFiles(pid);
    const memory: number[] = [];
    const grows = (): boolean => {
      const [last = Infinity, before = 0] = memory.slice(-2).reverse();
      return last > before * 1.05 + slackMiB;
    };
    // More rounds if need be: the collector lets the heap grow by about 100 pods' garbage, a leak grows with every round.
    for (let count = 1; count <= 3 || (count <= mostRounds && grows()); count += 1) {
      await round(node);
      await node.waitFor(
        `nothing is left of round ${count}`,
        async () => {
          const left = added(before, await machineTraces(node));
          if (left.length > 0) throw new Error(left.join('; ').slice(0, 2_000));
          return true;
        },
        patience,
      );
      await node.waitFor('files are closed', async () => (await openFiles(pid)) === filesBefore);
      memory.push(await leastMiB(pid));
    }
    expect({ memory, grows: grows() }).toEqual({ memory, grows: false });
    // Nor did anything of it go wrong on the way. Before its first look at the pods the pleg is not healthy.
    // What the kernel refuses to a process without capabilities is said once.
    const quiet = /Skipping pod synchronization|Housekeeping took longer|Failed to ensure state|Failed to set rlimit/;
    // containerd's answer about a sandbox whose network it is just removing; the kubelet asks again.
    const removing = /check network namespace closed: get netns fd: .*no such file or directory/;
    const complaints = (await node.complaints('')).filter((line) => !quiet.test(line) && !removing.test(line));
    expect(complaints).toEqual([]);
  });
});
