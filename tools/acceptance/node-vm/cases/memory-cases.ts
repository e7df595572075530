import assert from 'node:assert/strict';
import { main, podManifest, script } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { podSlice, readCgroup } from '../guest-cgroups.js';

/** Uses memory until the kernel kills it; the shell around it uses none. */
const eatAll = 'tail -f /dev/zero & wait';

const outOfMemory: GuestCase = {
  name: 'a container over its memory limit ends as a whole and is reported as OOMKilled',
  boot: 0,
  run: async (node) => {
    const container = main({ command: [...script(eatAll)], resources: { limits: { memory: '24Mi' } } });
    await node.add(podManifest('hungry', { containers: [container], restartPolicy: 'OnFailure' }));
    // containerd misses the kernel's word of the cause when the cgroup is gone before it reads it; a restart is one more try.
    await node.waitForPod('hungry', 'has ended for want of memory', ({ status }) => {
      const { state, lastState } = status?.containerStatuses?.[0] ?? {};
      const endings = [state?.terminated, lastState?.terminated].filter((ended) => ended !== undefined);
      for (const { exitCode } of endings) assert.equal(exitCode, 137);
      return endings.some(({ reason }) => reason === 'OOMKilled');
    });
    await node.remove('hungry');
  },
};

const pressureStall: GuestCase = {
  name: 'pressure stalls of pods are in the summary and in the metrics',
  boot: 0,
  run: async (node) => {
    const slice = podSlice(await node.running('guaranteed'));
    assert.match(await readCgroup(slice, 'memory.pressure'), /^some avg10=/);
    interface Stalled {
      readonly psi?: { readonly full?: { readonly total?: number }; readonly some?: { readonly total?: number } };
    }
    interface Summary {
      readonly node: { readonly cpu?: Stalled; readonly memory?: Stalled; readonly io?: Stalled };
      readonly pods: readonly { readonly podRef: { readonly name: string }; readonly cpu?: Stalled }[];
    }
    const summary = await node.waitFor('the summary has the pod', async () => {
      const seen = JSON.parse(await node.ask('/stats/summary')) as Summary;
      return (
        seen.pods.some(({ podRef, cpu }) => podRef.name === node.podName('guaranteed') && cpu !== undefined) && seen
      );
    });
    const pod = summary.pods.find(({ podRef }) => podRef.name === node.podName('guaranteed'));
    for (const [what, stalled] of Object.entries({ 'cpu of the pod': pod?.cpu, ...summary.node })) {
      if (typeof stalled !== 'object' || !('psi' in stalled)) continue;
      assert.equal(typeof (stalled as Stalled).psi?.some?.total, 'number', what);
    }
    assert.equal(typeof pod?.cpu?.psi?.some?.total, 'number');
    assert.equal(typeof summary.node.memory?.psi?.full?.total, 'number');
    assert.match(
      await node.ask('/metrics/cadvisor'),
      /^container_pressure_memory_stalled_seconds_total\{.*guaranteed/m,
    );
  },
};

export const memoryCases: readonly GuestCase[] = [outOfMemory, pressureStall];
