import { setTimeout as sleep } from 'node:timers/promises';
import { main } from '../../acceptance/pod-manifests.js';
import { usageOf } from '../../bench/process-usage.js';
import type { ChaosCase } from '../chaos-case.js';
import { quickPod, type ChaosNode } from '../chaos-node.js';

/** One probe a second each makes 1,020 a minute. */
const probed = 17;

export const execProbes: ChaosCase = {
  name: 'exec-probes',
  does: `1,000 exec probes a minute (${probed} containers, one a second each) for --probes seconds (60)`,
  run: async (node, report, { probeSeconds }) => {
    const probe = { periodSeconds: 1, timeoutSeconds: 10, failureThreshold: 3, exec: { command: ['true'] } };
    // Failing, one kind makes the pod unready and the other one restarts the container.
    const containers = Array.from({ length: probed }, (_, index) =>
      main({ name: `probed-${index}`, ...(index % 2 === 0 ? { readinessProbe: probe } : { livenessProbe: probe }) }),
    );
    await node.create([quickPod('probed', { containers })]);
    await node.node.untilReady('probed', { withinMs: 120_000, everyMs: 250 });
    const before = await successes(node);
    const cpuBefore = (await usageOf(node.pid)).cpuSeconds;
    report.begins();
    const fromMs = performance.now();
    await sleep(probeSeconds * 1000);
    const seconds = (performance.now() - fromMs) / 1000;
    const made = (await successes(node)) - before;
    const cpu = (await usageOf(node.pid)).cpuSeconds - cpuBefore;
    report.note(
      `${((made / seconds) * 60).toFixed(0)} probes a minute, ${((cpu / seconds) * 100).toFixed(0)} % of a core in the kubelet`,
    );
    if (made < probed * seconds * 0.9) report.lost(`${(probed * seconds - made).toFixed(0)} probes were not made`);
    const pod = await node.node.pod('probed');
    const restarts = (pod?.status?.containerStatuses ?? []).filter(({ restartCount }) => restartCount > 0);
    report.lost(...restarts.map(({ name }) => `container ${name} was restarted`));
    await node.create([quickPod('beside')]);
    report.well(await secondsUntilReady(node, 'beside'));
    report.stayed(
      `${containers.length - restarts.length} of ${containers.length} probed containers, and a pod started beside them`,
    );
  },
};

async function secondsUntilReady(node: ChaosNode, name: string): Promise<number> {
  const fromMs = performance.now();
  await node.node.untilReady(name);
  return (performance.now() - fromMs) / 1000;
}

/** Successful probes so far. */
async function successes(node: ChaosNode): Promise<number> {
  const metrics = await node.node.kubelet.kubelet.ask('/metrics/probes');
  return metrics
    .split('\n')
    .filter((line) => line.startsWith('prober_probe_total{') && line.includes('result="successful"'))
    .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
}
