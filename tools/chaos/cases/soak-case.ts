import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { added, machineTraces, openFiles, residentMiB } from '../../acceptance/machine-traces.js';
import { main } from '../../acceptance/pod-manifests.js';
import type { ChaosCase } from '../chaos-case.js';
import { quickPod, type ChaosNode } from '../chaos-node.js';
import { growth, renderChange, type Sample } from '../growth.js';

const podsPerMinute = 30;
/** Not in step with the kubelet's garbage collection, which is due each minute: all its phases are seen. */
const podsPerLook = 7;
/** Each pod lives for about this many others. */
const alive = 8;
const steadyPods = 6;

/** What must not grow, while the same number of pods is there. */
async function look(node: ChaosNode): Promise<Sample> {
  const { pid } = node;
  const traces = await machineTraces(node.node.kubelet);
  const counts = Object.entries(traces).map(([kind, items]) => [kind, items.length] as const);
  return {
    'memory MiB': await residentMiB(pid),
    'open files': await openFiles(pid),
    threads: (await readdir(`/proc/${pid}/task`)).length,
    'children of the kubelet': (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(/\s+/).length,
    ...Object.fromEntries(counts),
  };
}

export const soak: ChaosCase = {
  name: 'soak',
  does: `${podsPerMinute} pods a minute come and go for --minutes (60), with ${steadyPods} that stay`,
  run: async (node, report, { soakMinutes }) => {
    await node.steady(steadyPods);
    const before = await machineTraces(node.node.kubelet);
    const filesBefore = await openFiles(node.pid);
    report.begins();
    const samples: Sample[] = [];
    const living: string[] = [];
    const startMs = performance.now();
    let made = 0;
    while (performance.now() - startMs < soakMinutes * 60_000) {
      const name = `passing-${made}`;
      await node.create([passing(name)]);
      living.push(name);
      made += 1;
      if (living.length > alive) await node.node.delete(living.shift() ?? '');
      if (made % podsPerLook === 0) samples.push(await look(node));
      if (made % podsPerMinute === 0) node.say(`  minute ${made / podsPerMinute}: ${JSON.stringify(samples.at(-1))}`);
      await sleep(Math.max(0, startMs + (made * 60_000) / podsPerMinute - performance.now()));
    }
    for (const name of living) await node.node.untilReady(name);
    const fromMs = performance.now();
    for (const name of living) await node.node.delete(name);
    report.well(await node.untilWell(fromMs, [], living));
    report.lost(...growth(samples));
    // Ended containers and their logs stay for the minute until the kubelet collects garbage.
    await node.node.kubelet
      .waitFor('nothing is left', async () => leftOf(added(before, await machineTraces(node.node.kubelet))), {
        withinMs: 180_000,
        everyMs: 2_000,
      })
      .catch((error: Error) => report.lost((error.message.split('\n')[0] ?? '').slice(0, 1_000)));
    const files = await openFiles(node.pid);
    if (files > filesBefore + 4) report.lost(`${files} open files are left, there were ${filesBefore}`);
    report.note(`${made} pods in ${soakMinutes} minutes`);
    const [first, last] = [samples[Math.floor(samples.length / 3)], samples.at(-1)];
    if (first !== undefined && last !== undefined)
      report.note(`after a third and at the end: ${renderChange(first, last)}`);
    await node.judgeSteady(report);
  },
};

function leftOf(left: readonly string[]): boolean {
  if (left.length > 0) throw new Error(left.join('; '));
  return true;
}

/** With a volume in memory and a probe, so that there is something to leave behind. */
const passing = (name: string) =>
  quickPod(name, {
    volumes: [{ name: 'memory', emptyDir: { medium: 'Memory' } }],
    containers: [
      main({
        volumeMounts: [{ name: 'memory', mountPath: '/m' }],
        readinessProbe: { periodSeconds: 2, exec: { command: ['true'] } },
      }),
    ],
  });
