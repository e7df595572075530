import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exists } from '../packages.js';
import { accelerationArguments, type Acceleration } from './qemu-argv.js';
import type { QemuProcess } from './qemu-process.js';

type StartQemu = (args: readonly string[]) => QemuProcess;

const PROBE_MS = 8_000;

/**
 * `kvm` if a kernel really boots with it, else `tcg`. The device alone does not prove it: some machines can open it but
 * do not emulate the instructions that a kernel executes.
 */
export async function bestAcceleration(kernel: string, start: StartQemu): Promise<Acceleration> {
  if (!(await exists('/dev/kvm'))) return 'tcg';
  const dir = await mkdtemp(path.join(os.tmpdir(), 'podwright-kvm-'));
  const log = path.join(dir, 'console');
  const machine = ['-nodefaults', '-no-user-config', '-display', 'none', '-nic', 'none', '-m', '256', '-no-reboot'];
  const boot = ['-kernel', kernel, '-append', 'console=ttyS0 panic=-1', '-serial', `file:${log}`];
  const qemu = start([...machine, ...accelerationArguments('kvm'), ...boot]);
  try {
    await qemu.endedWithin(PROBE_MS);
    // Without a disk, the boot gets this far and no further.
    return (await readFile(log, 'utf8').catch(() => '')).includes('Unable to mount root fs') ? 'kvm' : 'tcg';
  } finally {
    await qemu.kill();
    await rm(dir, { recursive: true, force: true });
  }
}
