import assert from 'node:assert/strict';
import type { PodSpec } from '@podwright/kube-types';
import { main, podManifest, type PodManifest } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import type { GuestNode } from '../guest-node.js';
import { iscsiTraces, iscsiVolume, startIscsiTarget, stopIscsiTarget } from '../iscsi-target.js';

type Source = Omit<NonNullable<PodSpec['volumes']>[number], 'name'>;

function podWithVolume(name: string, source: Source): PodManifest {
  const volumeMounts = [{ name: 'data', mountPath: '/data' }];
  return podManifest(name, {
    containers: [main({ volumeMounts })],
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

/** Before the kubelet is killed. */
export const diskCases: readonly GuestCase[] = [disk];
export const networkVolumeCases: readonly GuestCase[] = [nextPod];
