import { setTimeout as sleep } from 'node:timers/promises';
import { main } from '../../acceptance/pod-manifests.js';
import { usageOf } from '../../bench/process-usage.js';
import type { ChaosCase } from '../chaos-case.js';
import { quickPod, type ChaosNode } from '../chaos-node.js';

const probed = 17;

const bareSeconds = 15;

export const execProbes: ChaosCase = {
  name: 'exec-probes',
  does: `${probed * 60} exec probes a minute (${probed} containers, one a second each) for --probes seconds (60)`,
  run: async (node, report, { probeSeconds }) => {
    const bare = await bareRate(node);
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
      `${((made / seconds) * 60).toFixed(0)} probes a minute, ${((cpu / seconds) * 100).toFixed(0)} % of a core in the kubelet; ` +
        `${(bare * 60).toFixed(0)} commands a minute without a kubelet's probes`,
    );
    if (made < bare * seconds * 0.9) report.lost(`${(bare * seconds - made).toFixed(0)} probes were not made`);
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

/**
 * Commands a second that the runtime runs when as many callers want one a second each: a slow machine cannot make more
 * probes than that. As with probes, a command that takes longer takes the place of the next one.
 */
async function bareRate(node: ChaosNode): Promise<number> {
  const containers = Array.from({ length: probed }, (_, index) => main({ name: `bare-${index}` }));
  await node.create([quickPod('bare', { containers })]);
  await node.node.untilReady('bare', { withinMs: 120_000, everyMs: 250 });
  const { runtime } = node.bed;
  const fromMs = performance.now();
  const endMs = fromMs + bareSeconds * 1000;
  const runs = await Promise.all(
    (await runtime.running('bare')).map(async ({ id }) => {
      let made = 0;
      while (performance.now() < endMs) {
        await runtime.exec(id, 'true');
        made += 1;
        await sleep(1000 - ((performance.now() - fromMs) % 1000));
      }
      return made;
    }),
  );
  await node.node.delete('bare');
  await node.node.untilEnded('bare');
  return runs.reduce((total, made) => total + made, 0) / bareSeconds;
}

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
