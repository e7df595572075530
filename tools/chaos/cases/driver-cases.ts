import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodes } from '@podwright/kube-client-interface';
import { TestCsiDriver } from '@podwright/test-csi-driver';
import { Claims, createStorageClasses } from '../../acceptance/claims.js';
import { main, podManifest, type PodManifest } from '../../acceptance/pod-manifests.js';
import { repositoryRoot } from '../../workspace/repository-root.js';
import type { ChaosCase } from '../chaos-case.js';
import { quickPod, type ChaosNode } from '../chaos-node.js';

const steadyPods = 6;
const deadSeconds = 10;
const driverName = 'disks';

const withClaim = (name: string, claim: string): PodManifest =>
  podManifest(name, {
    terminationGracePeriodSeconds: 2,
    containers: [main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
  });

export const killCsiDriver: ChaosCase = {
  name: 'kill-csi-driver',
  does: `death of a CSI driver, which is back after ${deadSeconds} s, with a pod that uses a volume, one that needs one and one that gives one back`,
  server: { volumes: true },
  run: async (node, report) => {
    const { bed, root } = node;
    await createStorageClasses(bed.server.transport(), driverName, { attachRequired: false });
    const env = { ...process.env, ...bed.lab.env };
    const dir = path.join(node.node.kubelet.dir, 'disks');
    const driver = new TestCsiDriver({ name: driverName, dir, nodeId: node.node.name, env });
    await driver.start(root);
    try {
      const claims = new Claims(node.node.admin);
      for (const claim of ['used', 'needed', 'returned'])
        await (node.hasControllers ? claims.createWithVolume(claim, '16Mi', driverName) : claims.create(claim, '16Mi'));
      await node.steady(steadyPods);
      await node.create([withClaim('uses', 'used'), withClaim('returns', 'returned')]);
      for (const name of ['uses', 'returns']) await node.node.untilReady(name);
      await node.node.exec('uses', 'sh', '-c', 'echo kept > /data/word');
      const { id } = await node.containerOf('uses');
      report.begins();
      driver.die();
      await node.create([withClaim('needs', 'needed')]);
      await node.node.delete('returns');
      await sleep(deadSeconds * 1000);
      report.note(`said of the pod that needs a volume: ${await node.explanation('needs')}`);
      const fromMs = performance.now();
      await driver.start(root);
      report.well(await node.untilWell(fromMs, ['uses', 'needs'], ['returns']));
      if ((await node.containerOf('uses')).id !== id) report.lost('the pod that uses a volume was started anew');
      const word = await node.node.exec('uses', 'cat', '/data/word');
      if (word.trim() !== 'kept')
        report.lost(`the volume has ${JSON.stringify(word)} in the place of what was written`);
      await node.judgeSteady(report);
      for (const name of ['uses', 'needs']) await node.node.delete(name, 0);
      for (const name of ['uses', 'needs']) await node.node.untilEnded(name);
      await node.node.kubelet.waitFor('no volume is mounted', async () =>
        (await driver.volumes()).every(({ mountPoints }) => mountPoints.length === 0),
      );
    } finally {
      await driver.stop();
    }
  },
};

const sensor = 'example.com/sensor';

async function untilAllocatable(node: ChaosNode, count: string): Promise<void> {
  await node.node.kubelet.waitFor(`${count} sensors are allocatable`, async () => {
    const found = await node.node.find(nodes, { name: node.node.name });
    return found?.status?.allocatable?.[sensor] === count;
  });
}

export const killDevicePlugin: ChaosCase = {
  name: 'kill-device-plugin',
  does: `kill -9 of a device plugin, which is back after ${deadSeconds} s, with a pod that has two of its three devices`,
  run: async (node, report) => {
    const example = path.join(repositoryRoot, 'examples/device-plugin/sensors.mjs');
    const folder = path.join(node.root, 'device-plugins');
    const args = [path.join(repositoryRoot, 'tools/bootstrap/run.mjs'), example, folder];
    // Upstream makes it when its device manager starts, which the node's readiness does not wait for.
    await node.node.kubelet.waitFor('the kubelet takes device plugins', () => stat(path.join(folder, 'kubelet.sock')));
    const start = (): ChildProcess => spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    let plugin = start();
    try {
      await untilAllocatable(node, '3');
      await node.steady(steadyPods);
      const resources = { limits: { [sensor]: '2' }, requests: { [sensor]: '2' } };
      await node.create([quickPod('senses', { containers: [main({ resources })] })]);
      await node.node.untilReady('senses');
      const { id } = await node.containerOf('senses');
      report.begins();
      plugin.kill('SIGKILL');
      await untilAllocatable(node, '0');
      await sleep(deadSeconds * 1000);
      plugin = start();
      const fromMs = performance.now();
      await untilAllocatable(node, '3');
      report.well(await node.untilWell(fromMs, ['senses']));
      if ((await node.containerOf('senses')).id !== id) report.lost('the pod with devices was started anew');
      await node.judgeSteady(report);
    } finally {
      plugin.kill('SIGKILL');
    }
  },
};
