// A DRA driver with two devices. SIGUSR1 makes the first one sick, or well again.
import { createKubeClient } from '@podwright/kube-client';
import { createKubeTransport } from '@podwright/kube-transport';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { TestDraDriver } from '@podwright/test-dra-driver';
import { createSystemClock, createSystemRandom } from '@podwright/time';

const [kubeletRoot = '/var/lib/kubelet'] = process.argv.slice(2);
const { KUBECONFIG: kubeconfig = '', NODE_NAME: nodeName = '', CDI_DIR: cdiDir = '/var/run/cdi' } = process.env;
const [logger, metrics] = [createMemoryLogger(), createMetricsRegistry()];
const deps = { clock: createSystemClock(), random: createSystemRandom(), logger, metrics };
const transport = createKubeTransport(deps, { kubeconfig });
const client = createKubeClient({ transport, ...deps }, { qps: 10, burst: 20 });
const devices = ['gpu-0', 'gpu-1'].map((name) => ({
  name,
  edits: { env: [`GPU=${name}`], deviceNodes: [{ path: `/dev/${name}`, hostPath: '/dev/null', permissions: 'rw' }] },
}));
const driver = new TestDraDriver({ name: 'gpu.example.com', nodeName, devices, cdiDir, client });

let sick = false;
process.on('SIGUSR1', () => {
  sick = !sick;
  driver.setHealth('gpu-0', sick ? 'Unhealthy' : 'Healthy', sick ? 'too hot' : '');
});
process.on('SIGTERM', () => void driver.stop().then(() => process.exit()));
await transport.start();
await client.start();
await driver.start(kubeletRoot);
console.log('devices of', driver.name, 'are served for', kubeletRoot);
