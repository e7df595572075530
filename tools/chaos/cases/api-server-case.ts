import { setTimeout as sleep } from 'node:timers/promises';
import { main, script } from '../../acceptance/pod-manifests.js';
import type { ChaosCase } from '../chaos-case.js';
import { quickPod } from '../chaos-node.js';

const steadyPods = 9;
/** Source: kubernetes v1.36 nodelifecycle config/v1alpha1/defaults.go, NodeMonitorGracePeriod; the last lease may be older. */
const heardOfMs = 40_000;
/** The controller looks every 5 s. */
const settledMs = 6_000;
const mortal = [...script('trap "exit 0" TERM; while [ ! -e /end ]; do sleep 0.1; done; exit 1')];

export const apiServerAway: ChaosCase = {
  name: 'api-server-away',
  does: `the API server is gone for --away seconds (300) and comes back with a new certificate; a container ends meanwhile, a pod is deleted and one is created`,
  run: async (node, report, { awaySeconds }) => {
    const { node: on, bed } = node;
    await node.steady(steadyPods);
    await node.create([quickPod('crashes', { containers: [main({ command: mortal })] }), quickPod('leaves')]);
    for (const name of ['crashes', 'leaves']) await on.untilReady(name);
    report.begins();
    report.excuse({ of: /^pod crashes$/, because: 'the pod whose container ended was unready for a moment' });
    const awayMs = Date.now();
    await bed.server.leave();
    await on.exec('crashes', 'touch', '/end');
    await on.kubelet.waitFor(
      'the container is started again without an API server',
      async () => (await bed.runtime.running('crashes'))[0]?.attempt === 1,
    );
    // The administrator reaches the server in another way.
    await on.delete('leaves');
    await node.create([quickPod('comes')]);
    await sleep(awaySeconds * 1000);
    await bed.server.comeBack();
    const backMs = Date.now();
    report.well(await node.untilWell(performance.now(), ['crashes', 'comes'], ['leaves']));
    if (node.hasControllers) {
      const because = 'the node controller says so of a node that it has not heard of for a while';
      report.excuse({ of: /./, fromMs: awayMs + heardOfMs, untilMs: backMs + settledMs, because });
    }
    const restarts = (await on.pod('crashes'))?.status?.containerStatuses?.[0]?.restartCount;
    if (restarts !== 1) report.lost(`the API says ${restarts} restarts of the container that ended once`);
    await node.judgeSteady(report);
  },
};
