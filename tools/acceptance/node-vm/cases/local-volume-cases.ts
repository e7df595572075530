import assert from 'node:assert/strict';
import { TestCsiDriver } from '@podwright/test-csi-driver';
import { main, podManifest, script } from '../../pod-manifests.js';
import { countedKib, projectOf, useCountingDisk } from '../counting-disk.js';
import type { GuestCase } from '../guest-case.js';
import { runOutput } from '../guest-commands.js';
import { CSI_DRIVER } from '../guest-cluster.js';
import { KUBELET_ROOT, NODE_NAME, podFolder } from '../guest-node.js';
import { joined } from './cluster-cases.js';

const kibPerMib = 1024;
const deletedMib = 8;
const firstProject = 1_048_577;

/** Keeps a file open that no directory has any more, so that only the file system knows of it. */
const hideFile = script(`exec 3> /scratch/file
  dd if=/dev/zero bs=1M count=${deletedMib} conv=fsync >&3
  rm /scratch/file
  trap 'exit 0' TERM; sleep 1000000 & wait`);

const countingDisk: GuestCase = {
  name: "the kubelet's folder is on a file system that counts projects",
  boot: 0,
  extra: true,
  run: async () => {
    await useCountingDisk();
    assert.match(await runOutput('xfs_quota', '-x', '-c', 'state -p', KUBELET_ROOT), /Accounting: ON/);
  },
};

const counted: GuestCase = {
  name: 'a project of the file system counts what an emptyDir uses, and ends with it',
  boot: 0,
  extra: true,
  run: async (node) => {
    const volumeMounts = [{ name: 'scratch', mountPath: '/scratch' }];
    await node.add(
      podManifest('counted', {
        hostUsers: false,
        containers: [main({ command: [...hideFile], volumeMounts })],
        volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '32Mi' } }],
      }),
    );
    const folder = `${podFolder(await node.running('counted'))}/volumes/kubernetes.io~empty-dir/scratch`;
    const project = (await projectOf(folder)) ?? 0;
    assert.ok(project >= firstProject, `project ${project}`);
    assert.match(await runOutput('lsattr', '-pd', folder), new RegExp(`^ *${project} \\S*P`));
    await node.waitFor('the summary has the deleted file', async () => {
      const { pods } = JSON.parse(await node.ask('/stats/summary')) as {
        pods: { podRef: { name: string }; volume?: { name: string; usedBytes?: number }[] }[];
      };
      const { volume = [] } = pods.find(({ podRef }) => podRef.name === node.podName('counted')) ?? {};
      const usedKib = (volume.find(({ name }) => name === 'scratch')?.usedBytes ?? 0) / 1024;
      return usedKib >= deletedMib * kibPerMib;
    });
    await node.end('counted');
    assert.equal(await projectOf(folder), undefined);
    assert.equal(await countedKib(project), 0);
  },
};

const growth: GuestCase = {
  name: 'an ext4 grows under a running pod when its claim does',
  boot: 0,
  extra: true,
  run: async (node) => {
    const server = joined();
    const driver = new TestCsiDriver({ name: CSI_DRIVER, dir: '/var/lib/podwright/csi', nodeId: NODE_NAME });
    await driver.start(KUBELET_ROOT);
    await server.claims.create('grown', '32Mi');
    const volumeMounts = [{ name: 'data', mountPath: '/data' }];
    await server.create(
      podManifest('growing', {
        containers: [main({ volumeMounts })],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'grown' } }],
      }),
    );
    const pod = await server.running('growing');
    const id = pod.status?.containerStatuses?.[0]?.containerID?.replace('containerd://', '') ?? '';
    const sizeMib = async (): Promise<number> => {
      const words = (await node.runtime.exec(id, 'df', '-m', '/data')).trim().split('\n').at(-1)?.split(/\s+/);
      return Number(words?.[1]);
    };
    const before = await sizeMib();
    await server.claims.resize('grown', '64Mi');
    await node.waitFor('the claim has its new size', async () => {
      return (await server.claims.get('grown')).status?.capacity?.['storage'] === '64Mi';
    });
    const after = await sizeMib();
    assert.ok(after - before >= 28, `${before} MiB became ${after} MiB`);
    await server.delete('growing');
    await node.waitFor('the volume is not in use', async () =>
      (await driver.volumes()).every(({ mountPoints, devices }) => mountPoints.length + devices.length === 0),
    );
    await driver.stop();
  },
};

/** Before the kubelet is started. */
export const diskOfKubeletCases: readonly GuestCase[] = [countingDisk];
export const localVolumeCases: readonly GuestCase[] = [counted, growth];
