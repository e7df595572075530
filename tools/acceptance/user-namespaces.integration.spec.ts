import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { labSupport, userNamespaceSupport } from '@podwright/lab';
import { main, podManifest, script } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';

const idsPerPod = 131_072;
const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running';
const withOwnUsers = (name: string) =>
  podManifest(name, {
    hostUsers: false,
    securityContext: { fsGroup: 3000 },
    containers: [
      main({ volumeMounts: [{ name: 'data', mountPath: '/data' }], securityContext: { procMount: 'Unmasked' } }),
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
  });

const lab = labSupport();
const support = lab.ok ? userNamespaceSupport() : lab;

(lab.ok ? describe : describe.skip)(`pods with users of their own${lab.ok ? '' : ` (skipped: ${lab.reason})`}`, () => {
  const bed = useLab();
  let node: TestNode;

  const exec = async (pod: string, text: string): Promise<string> => {
    const [found] = await bed().runtime.running(node.podName(pod));
    if (found === undefined) throw new Error(`no running container in pod ${pod}`);
    return (await bed().runtime.exec(found.id, ...script(text))).replace(/\n$/, '');
  };
  const fileOf = (pod: Pod): string => path.join(node.dir, 'root/pods', podUid(pod), 'userns');
  const firstIdOf = async (pod: Pod): Promise<number> => {
    const content = JSON.parse(await readFile(fileOf(pod), 'utf8')) as { uidMappings: { hostId: number }[] };
    return content.uidMappings[0]?.hostId ?? 0;
  };

  beforeAll(async () => {
    node = await bed().startNode('users', { configuration: { userNamespaces: { idsPerPod } } });
    await node.untilUp();
  });

  const where = support.ok ? it : it.skip;
  const why = support.ok ? '' : ` (skipped: ${support.reason})`;
  where(`are root inside and nobody outside, and have their files${why}`, async () => {
    await node.add(withOwnUsers('first'));
    const pod = await node.waitForPod('first', 'runs', isRunning);
    const firstId = await firstIdOf(pod);
    expect(firstId % idsPerPod).toBe(0);
    expect(await exec('first', 'id -u')).toBe('0');
    for (const kind of ['uid', 'gid']) {
      expect((await exec('first', `cat /proc/self/${kind}_map`)).trim().split(/\s+/)).toEqual([
        '0',
        String(firstId),
        String(idsPerPod),
      ]);
    }
    const [container] = await bed().runtime.running(node.podName('first'));
    expect((await stat(`/proc/${await bed().runtime.pid(container?.id ?? '')}`)).uid).toBe(firstId);
    // The volume, the hosts file and the termination log are the node's root's, and so the container's root's.
    expect(await exec('first', 'stat -c "%u %g" /data /etc/hosts /dev/termination-log')).toBe('0 3000\n0 0\n0 0');
    await exec('first', 'echo x >/data/file && echo y >/dev/termination-log');
    const written = path.join(path.dirname(fileOf(pod)), 'volumes/kubernetes.io~empty-dir/data/file');
    expect(await stat(written)).toMatchObject({ uid: 0, gid: 3000 });
    // procMount Unmasked: nothing lies over what is hidden from others.
    expect(await exec('first', `awk '$2 ~ "^/proc/" {print $2}' /proc/mounts`)).toBe('');
  });

  where(`keep their ids when the kubelet is killed, share them with nobody, and give them back${why}`, async () => {
    await node.add(withOwnUsers('kept'));
    const before = await firstIdOf(await node.waitForPod('kept', 'runs', isRunning));
    await node.end('SIGKILL');
    await node.start();
    await node.add(withOwnUsers('later'));
    const later = await node.waitForPod('later', 'runs', isRunning);
    const kept = await node.waitForPod('kept', 'runs still', isRunning);
    expect(await firstIdOf(kept)).toBe(before);
    const given = await firstIdOf(later);
    expect(given).not.toBe(before);

    await node.remove('later.json');
    await node.removed('later');
    await node.waitFor(
      'the file is gone',
      async () => (await readFile(fileOf(later)).catch(() => undefined)) === undefined,
    );
    await node.add(withOwnUsers('latest'));
    expect(await firstIdOf(await node.waitForPod('latest', 'runs', isRunning))).toBe(given);
  });

  (support.ok ? it.skip : it)('are refused where the runtime has no user namespaces', async () => {
    await node.add(withOwnUsers('refused'));
    await node.waitFor('the event', async () => {
      const events = await node.events('refused', 'FailedCreatePodSandBox');
      return events.some((line) => line.includes("can't set `spec.hostUsers: false`, runtime does not support"));
    });
    expect(await bed().runtime.sandboxes(node.podName('refused'))).toEqual([]);
  });
});
