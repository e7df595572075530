import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Pod } from '@podwright/kube-types';
import { main, podManifest, script } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { readCgroup } from '../guest-cgroups.js';
import { run } from '../guest-commands.js';
import { ROOTLESS_LOG, ROOTLESS_NAME, RootlessNode } from '../rootless-node.js';

const name = 'humble';
const Mi = 1024 * 1024;

const rootless: GuestCase = {
  name: 'a kubelet in a user namespace starts only with its gate, and runs a pod there',
  boot: 1,
  extra: true,
  run: async (node) => {
    // What it may not set or read there: a flag that is not as it should be, the messages of the kernel.
    await run('sysctl', '-w', 'kernel.panic=0', 'kernel.dmesg_restrict=1');
    const rootlessNode = await RootlessNode.start();
    const log = (): Promise<string> => readFile(ROOTLESS_LOG, 'utf8');
    try {
      await node.waitFor('a refused start', async () => (await log()).includes('==== refused with 1'));
      const [refused = ''] = (await log()).split('==== refused with 1');
      assert.match(refused, /enable KubeletInUserNamespace feature flag to ignore the error/);

      const command = script('echo "I am $(id -u)"; trap "exit 0" TERM; sleep 1000000 & wait');
      const container = main({ command: [...command], resources: { limits: { memory: '32Mi', cpu: '100m' } } });
      await rootlessNode.add(name, podManifest(name, { containers: [container] }));
      const look = async (): Promise<Pod | undefined> => {
        const { items } = JSON.parse(await rootlessNode.ask('/pods')) as { items?: readonly Pod[] | null };
        return items?.find(({ metadata }) => metadata.name === `${name}-${ROOTLESS_NAME}`);
      };
      const pod = await node.waitFor(
        'the pod runs',
        async () => {
          const seen = await look().catch(() => undefined); // it does not listen yet
          return seen?.status?.containerStatuses?.[0]?.state?.running !== undefined && seen;
        },
        { everyMs: 2_000 },
      );
      const where = `default/${pod.metadata.name}/main`;
      assert.equal(await rootlessNode.request('GET', `/containerLogs/${where}`), 'I am 0\n');
      const seenInside = await rootlessNode.request('POST', `/run/${where}?cmd=cat%20/proc/self/uid_map`);
      assert.deepEqual(seenInside.trim().split(/\s+/), ['0', '100000', '65536']);
      const uid = pod.metadata.annotations?.['kubernetes.io/config.hash'] ?? '';
      const cgroup = `kubepods/pod${uid}`;
      assert.equal(await readCgroup(`system.slice/rootless.service/${cgroup}`, 'memory.max'), String(32 * Mi));

      await rootlessNode.remove(name);
      await node.waitFor('the pod is gone', async () => (await look()) === undefined, { everyMs: 2_000 });
      await node.waitFor('its cgroup is gone', async () => !(await rootlessNode.has(`/sys/fs/cgroup/${cgroup}`)));
    } catch (error) {
      const last = (await log()).split('\n').slice(-60).join('\n');
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n---- rootless\n${last}`);
    } finally {
      await rootlessNode.stop();
    }
  },
};

export const rootlessCases: readonly GuestCase[] = [rootless];
