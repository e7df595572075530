// A device plugin: three sensors, for pods with the limit `example.com/sensor`. SIGUSR1 breaks the first one, or mends it.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TestDevicePlugin } from '@podwright/test-device-plugin';

const [directory = '/var/lib/kubelet/device-plugins'] = process.argv.slice(2);
const sensors = ['sensor-0', 'sensor-1', 'sensor-2'];
const manual = path.join(directory, 'sensor-manual.txt');
let broken = false;
const list = () => sensors.map((id, at) => ({ id, health: broken && at === 0 ? 'Unhealthy' : 'Healthy' }));

const plugin = new TestDevicePlugin({
  resourceName: 'example.com/sensor',
  devices: list(),
  // What a container gets: variables, files of the host, device files under another name.
  allocate: (ids) => ({
    envs: { SENSORS: [...ids].sort().join(' ') },
    mounts: [{ hostPath: manual, containerPath: '/etc/sensor-manual.txt', readOnly: true }],
    devices: ids.map((id) => ({ hostPath: '/dev/null', containerPath: `/dev/${id}`, permissions: 'rw' })),
    annotations: { 'example.com/sensors': String(ids.length) },
  }),
});

await writeFile(manual, 'do not open\n');
process.on('SIGUSR1', () => {
  broken = !broken;
  plugin.setDevices(list());
});
process.on('SIGTERM', () => void plugin.stop().then(() => process.exit()));
await plugin.attach(directory, (error) => console.error('not registered yet:', error.message));
console.log('sensors are offered in', directory);
