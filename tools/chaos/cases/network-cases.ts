import { setTimeout as sleep } from 'node:timers/promises';
import { nodes } from '@podwright/kube-client-interface';
import { isTrue } from '../../acceptance/cluster-node.js';
import type { ChaosCase } from '../chaos-case.js';
import { quickPod } from '../chaos-node.js';
import { FaultyNetwork } from '../hanging-programs.js';

const steadyPods = 9;
const moving = 3;
const faultySeconds = 45;

function network(fault: 'failing' | 'hanging'): ChaosCase {
  return {
    name: `network-${fault}`,
    does: `a CNI plugin that ${fault === 'failing' ? 'fails' : 'hangs'} for ${faultySeconds} s, with ${steadyPods} pods running, ${moving} starting and ${moving} ending`,
    run: async (node, report) => {
      const plugin = await FaultyNetwork.install(node.bed.lab);
      await node.create([quickPod('first')]);
      await node.node.untilReady('first');
      await node.node.kubelet.waitFor('containerd knows the plugin', async () => {
        if (await plugin.wasCalled()) return true;
        await node.node.delete('first', 0);
        await node.node.untilGone('first');
        await node.create([quickPod('first')]);
        await node.node.untilReady('first');
        return false;
      });
      await node.steady(steadyPods);
      const names = (what: string): string[] => Array.from({ length: moving }, (_, index) => `${what}-${index}`);
      const [starting, ending] = [names('starting'), names('ending')];
      await node.create(ending.map((name) => quickPod(name)));
      for (const name of ending) await node.node.untilReady(name);
      report.begins();
      await plugin.be(fault);
      try {
        await node.create(starting.map((name) => quickPod(name)));
        await Promise.all(ending.map((name) => node.node.delete(name)));
        // A pod on the network of the node needs no plugin.
        await node.create([quickPod('on-host', { hostNetwork: true })]);
        await node.node.untilReady('on-host', { withinMs: 30_000 });
        await sleep(faultySeconds * 1000);
        report.note(`said of a pod that starts: ${await node.explanation('starting-0')}`);
        const seen = await node.node.admin.get(nodes, { name: node.node.name });
        if (!isTrue(seen, 'Ready')) report.lost('the node is not Ready');
      } finally {
        await plugin.be('well');
      }
      report.well(await node.untilWell(performance.now(), ['first', 'on-host', ...starting], ending));
      await node.judgeSteady(report);
    },
  };
}

export const networkCases: readonly ChaosCase[] = [network('failing'), network('hanging')];
