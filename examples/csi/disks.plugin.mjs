// A CSI driver: each volume is a file behind a loop device, formatted when a pod first uses it. SIGUSR1 prints its calls.
import os from 'node:os';
import path from 'node:path';
import { TestCsiDriver } from '@podwright/test-csi-driver';

const [kubeletRoot = '/var/lib/kubelet'] = process.argv.slice(2);
const name = 'disks.example.com';
const driver = new TestCsiDriver({
  name,
  nodeId: os.hostname(),
  dir: path.join(kubeletRoot, 'plugins', name),
  topology: { [`topology.${name}/node`]: os.hostname() },
  maxVolumes: 100,
});

process.on('SIGUSR1', () => {
  for (const { rpc, volumeId, outcome } of driver.calls.list()) console.log(rpc, volumeId, outcome ?? 'runs');
});
process.on('SIGTERM', () => void driver.stop().then(() => process.exit()));
await driver.start(kubeletRoot);
console.log('volumes of', name, 'are served for', kubeletRoot);
