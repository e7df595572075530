import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { main, podManifest, script } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { NODE_NAME } from '../guest-node.js';
import { containerScope, podSlice, podUid, readCgroup } from '../guest-cgroups.js';
import { run, runOutput } from '../guest-commands.js';
import { joined } from './cluster-cases.js';

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
    await node.waitFor('the metrics have it', async () =>
      /^container_pressure_memory_stalled_seconds_total\{.*guaranteed/m.test(await node.ask('/metrics/cadvisor')),
    );
  },
};

const victimUnit = 'podwright-victim.service';
/** Uses 48 MiB, more than any process in a pod. */
const victim = 'globalThis.used = Buffer.alloc(48 << 20, 1); setInterval(() => undefined, 1e6); console.log("ready")';

const systemOutOfMemory: GuestCase = {
  name: 'a process outside of pods that the kernel kills for want of memory is an event of the node',
  boot: 0,
  run: async (node) => {
    const preferred = ['--property=OOMScoreAdjust=1000', '--property=OOMPolicy=continue', '--description=victim'];
    await run('systemd-run', `--unit=${victimUnit}`, ...preferred, '/podwright/node', '-e', victim);
    await node.waitFor('the victim has its memory', async () =>
      (await runOutput('journalctl', '--no-pager', '-o', 'cat', '-u', victimUnit)).includes('ready'),
    );
    const pid = (await runOutput('systemctl', 'show', '--value', '--property=MainPID', victimUnit)).trim();
    const name = (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
    // The kernel's OOM killer, as if all memory were used: it takes the process with the highest score.
    await writeFile('/proc/sysrq-trigger', 'f');
    const [event] = await node.waitFor('the event', async () => {
      const events = await joined().events('SystemOOM');
      return events.length > 0 && events;
    });
    assert.equal(event?.message, `System OOM encountered, victim process: ${name}, pid: ${pid}`);
    assert.deepEqual(
      [event.type, event.involvedObject.kind, event.involvedObject.name],
      ['Warning', 'Node', NODE_NAME],
    );
    assert.equal((await joined().events('SystemOOM')).length, 1);
  },
};

const singleProcess: GuestCase = {
  name: 'with singleProcessOOMKill a container goes on without the process that the kernel killed',
  boot: 1,
  run: async (node) => {
    const command = script('tail -f /dev/zero; echo "ended with $?"; sleep 1000000');
    const container = main({ command: [...command], resources: { limits: { memory: '24Mi' } } });
    await node.add(podManifest('survivor', { containers: [container], terminationGracePeriodSeconds: 1 }));
    const pod = await node.running('survivor');
    const scope = containerScope(pod, 'main');
    assert.equal(await readCgroup(scope, 'memory.oom.group'), '0');
    await node.waitFor('a kill', async () => /^oom_kill 1$/m.test(await readCgroup(scope, 'memory.events')));
    const [{ restartCount, state } = {}] = (await node.running('survivor')).status?.containerStatuses ?? [];
    assert.deepEqual([restartCount, state?.running !== undefined], [0, true]);
    await node.waitFor('the shell tells', async () =>
      (await readFile(`/var/log/pods/default_${node.podName('survivor')}_${podUid(pod)}/main/0.log`, 'utf8')).includes(
        'ended with 137',
      ),
    );
    await node.end('survivor');
  },
};

export const memoryCases: readonly GuestCase[] = [outOfMemory, systemOutOfMemory, pressureStall];
export const singleProcessCases: readonly GuestCase[] = [singleProcess];
