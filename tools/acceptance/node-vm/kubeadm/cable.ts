import { runOutput } from '../guest-commands.js';
import { machineShapes, type MachineShape } from './cluster-shape.js';

/** Brings this machine's end of the cable up. The other machine is the way to everywhere: addresses of services need one. */
export async function connectCable({ address }: MachineShape): Promise<void> {
  await runOutput('modprobe', 'virtio_net');
  await runOutput('ip', 'address', 'add', `${address}/24`, 'dev', 'eth0');
  await runOutput('ip', 'link', 'set', 'eth0', 'up');
  const other = machineShapes.find((shape) => shape.address !== address)?.address ?? '';
  await runOutput('ip', 'route', 'add', 'default', 'via', other);
}
