import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { PodSpec } from '@podwright/kube-types';
import { main, podManifest, script, type PodManifest } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { podFolder, type GuestNode } from '../guest-node.js';
import { iscsiTraces, iscsiVolume, startIscsiTarget, stopIscsiTarget } from '../iscsi-target.js';
import { nfsVolume, resumeNfsServer, startNfsServer, stopNfsServer } from '../nfs-server.js';
import { joined } from './cluster-cases.js';

type Source = Omit<NonNullable<PodSpec['volumes']>[number], 'name'>;

function podWithVolume(name: string, source: Source, command?: readonly string[]): PodManifest {
  const volumeMounts = [{ name: 'data', mountPath: '/data' }];
  return podManifest(name, {
    containers: [main({ volumeMounts, ...(command && { command: [...command] }) })],
    volumes: [{ name: 'data', ...source }],
    terminationGracePeriodSeconds: 1,
  });
}

const shell = (node: GuestNode, pod: string, command: string): Promise<string> => node.exec(pod, 'sh', '-c', command);

const disk: GuestCase = {
  name: 'a pod writes to a disk of an iSCSI target',
  boot: 0,
  extra: true,
  run: async (node) => {
    await startIscsiTarget();
    await node.add(podWithVolume('disk', { iscsi: iscsiVolume }));
    await node.running('disk');
    await shell(node, 'disk', 'echo first > /data/file; sync');
    assert.match((await iscsiTraces()).join('\n'), /^tcp: .*podwright:disk[^]*^sda$/m);
  },
};

const nextPod: GuestCase = {
  name: 'after a kill -9 the disk is still there, of its pod no session stays, and the next pod finds the data',
  boot: 0,
  extra: true,
  run: async (node) => {
    const nothing = async (): Promise<boolean> => (await iscsiTraces()).length === 0;
    assert.equal((await node.running('disk')).status?.containerStatuses?.[0]?.restartCount, 0);
    await shell(node, 'disk', 'echo second >> /data/file; sync');
    await node.end('disk');
    await node.waitFor('nothing of iSCSI is left', nothing);
    await node.add(podWithVolume('disk-reader', { iscsi: iscsiVolume }));
    await node.running('disk-reader');
    assert.equal(await shell(node, 'disk-reader', 'cat /data/file'), 'first\nsecond\n');
    await node.end('disk-reader');
    await node.waitFor('nothing of iSCSI is left again', nothing);
    await stopIscsiTarget();
  },
};

/** Writes into memory. The kernel sends it to the server when the file is closed; until then nothing can end the shell. */
const scribble = script('echo hello > /data/log; exec 3>> /data/log; while :; do echo more >&3; sleep 0.1; done');

const relists = async (node: GuestNode): Promise<number> =>
  Number(/^kubelet_pleg_relist_duration_seconds_count (\d+)$/m.exec(await node.ask('/metrics'))?.[1]);

const nfsMounts = async (): Promise<number> =>
  (await readFile('/proc/mounts', 'utf8')).split('\n').filter((line) => line.includes(' nfs4 ')).length;

/** Another pod starts, is measured, and ends; the node stays Ready and the runtime is listed. */
async function othersGoOn(node: GuestNode): Promise<void> {
  const before = await relists(node);
  await node.add(podManifest('bystander', { terminationGracePeriodSeconds: 1 }));
  await node.running('bystander');
  await node.waitFor('the bystander is measured', async () => {
    const { pods } = JSON.parse(await node.ask('/stats/summary')) as { pods: { podRef: { name: string } }[] };
    return pods.some(({ podRef }) => podRef.name === node.podName('bystander'));
  });
  await node.end('bystander');
  const ready = (await joined().getNode()).status?.conditions?.find(({ type }) => type === 'Ready');
  assert.equal(ready?.status, 'True');
  assert.equal(await node.ask('/healthz'), 'ok');
  assert.ok((await relists(node)) > before, 'no relist since the death of the server');
}

const deadServer: GuestCase = {
  name: 'an NFS server that dies holds up its pod and nothing else, and the pod goes when it is back',
  boot: 0,
  extra: true,
  run: async (node) => {
    await startNfsServer();
    await mkdir(nfsVolume.path, { recursive: true });
    await writeFile(`${nfsVolume.path}/greeting`, 'hello');
    await node.add(podWithVolume('sharing', { nfs: nfsVolume }, scribble));
    const folder = podFolder(await node.running('sharing'));
    assert.equal(await shell(node, 'sharing', 'cat /data/greeting'), 'hello');
    await node.waitFor('what the pod writes is on the server', async () =>
      (await readFile(`${nfsVolume.path}/log`, 'utf8')).startsWith('hello\n'),
    );

    await stopNfsServer();
    const gone = node.end('sharing');
    // Fails as late as the case, in which it is awaited.
    gone.catch(() => undefined);
    try {
      await othersGoOn(node);
      assert.equal(await nfsMounts(), 1, `${folder} has no mount although the server is dead`);
    } finally {
      await resumeNfsServer();
    }
    await gone;
    assert.equal(await nfsMounts(), 0);
    await stopNfsServer();
  },
};

/** Before the kubelet is killed. */
export const diskCases: readonly GuestCase[] = [disk];
export const networkVolumeCases: readonly GuestCase[] = [nextPod, deadServer];
