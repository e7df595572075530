import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { RuntimeView } from './runtime-view.js';

/** Leaves what a machine has after a reboot: no container, no sandbox, and no volume in memory below the folder. */
export async function asAfterAReboot({ client }: Pick<RuntimeView, 'client'>, nodeDir: string): Promise<void> {
  const { items } = await client.listPodSandbox({});
  await Promise.all(
    items.map(async ({ id: podSandboxId }) => {
      await client.stopPodSandbox({ podSandboxId });
      await client.removePodSandbox({ podSandboxId });
    }),
  );
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const place of mounts.filter((each) => each.startsWith(`${nodeDir}/`)).reverse()) {
    await promisify(execFile)('umount', [place]);
  }
}
