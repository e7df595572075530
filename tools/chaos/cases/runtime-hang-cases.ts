import { setTimeout as sleep } from 'node:timers/promises';
import { nodes, type ResourceType } from '@podwright/kube-client-interface';
import { isTrue } from '../../acceptance/cluster-node.js';
import type { ChaosCase } from '../chaos-case.js';
import { quickPod, type ChaosNode } from '../chaos-node.js';
import { hangingHandler, HangingRuntime, hangingRuntimes, type HangingStep } from '../hanging-programs.js';

const runtimeClasses: ResourceType = {
  ...{ group: 'node.k8s.io', version: 'v1', plural: 'runtimeclasses', kind: 'RuntimeClass' },
  namespaced: false,
};
/** Longer than a round of anything that the kubelet does for a pod, shorter than the deadline of a call to the runtime. */
const hangsSeconds = 45;
const one = 'stuck';

const effects: Readonly<Record<HangingStep, string>> = {
  create: 'never gets its container',
  start: 'has a container that never starts',
  stop: 'does not end',
  remove: 'has ended and cannot be removed',
};

function hangs(step: HangingStep): ChaosCase {
  return {
    name: `hanging-${step}`,
    does: `one of --pods pods (50) ${effects[step]}: its runtime hangs at ${step} for ${hangsSeconds} s; the others start, are deleted and replaced meanwhile`,
    lab: { runtimes: hangingRuntimes },
    run: async (node, report, { pods }) => {
      const runtime = await HangingRuntime.install(node.bed.lab);
      const metadata = { name: hangingHandler };
      const runtimeClass = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata, handler: hangingHandler };
      await node.node.admin.create(runtimeClasses, runtimeClass as object);
      const stuck = quickPod(one, { runtimeClassName: hangingHandler });
      const atStart = step === 'create' || step === 'start';
      if (!atStart) {
        await node.create([stuck]);
        await node.node.untilReady(one);
      }
      await runtime.hang(step);
      report.begins();
      try {
        if (atStart) await node.create([stuck]);
        else await node.node.delete(one);
        await node.node.kubelet.waitFor(`the runtime hangs at ${step}`, async () => (await runtime.hangs(step)) > 0);
        const fromMs = performance.now();
        await node.steady(pods - 1);
        report.note(`the ${pods - 1} others were Ready after ${((performance.now() - fromMs) / 1000).toFixed(1)} s`);
        await replaced(node);
        await sleep(Math.max(0, hangsSeconds * 1000 - (performance.now() - fromMs)));
        report.note(`said of the one: ${await node.explanation(one)}`);
        const seen = await node.node.admin.get(nodes, { name: node.node.name });
        if (!isTrue(seen, 'Ready')) report.lost('the node is not Ready while one runtime hangs');
      } finally {
        await runtime.release();
      }
      report.well(await node.untilWell(performance.now(), atStart ? [one] : [], atStart ? [] : [one]));
      await node.judgeSteady(report);
    },
  };
}

/** A pod that comes and goes while the other hangs. */
async function replaced(node: ChaosNode): Promise<void> {
  await node.create([quickPod('comes')]);
  await node.node.untilReady('comes', { withinMs: 30_000 });
  await node.node.delete('comes');
  await node.node.untilGone('comes', { withinMs: 30_000 });
}

export const runtimeHangCases: readonly ChaosCase[] = (['create', 'start', 'stop', 'remove'] as const).map(hangs);
