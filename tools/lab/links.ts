import { readdir } from 'node:fs/promises';
import { runCommand, tryCommand, unlessMissing, waitUntil } from './commands.js';
import type { LabLayout } from './layout.js';
import type { LabNetwork } from './network.js';
import { exists } from './packages.js';

/** Creates the bridge and its address before the first pod would: a kubelet needs a node IP at its start. */
export async function createBridge({ bridge, gateway }: LabNetwork, layout: LabLayout): Promise<void> {
  const env = ipEnv(layout);
  await runCommand('ip', ['link', 'add', 'name', bridge, 'type', 'bridge'], { env });
  await runCommand('ip', ['address', 'add', `${gateway}/24`, 'dev', bridge], { env });
  await runCommand('ip', ['link', 'set', bridge, 'up'], { env });
}

/** Bridges that exist, each followed by its ports. */
export async function labLinks(bridges: readonly string[]): Promise<string[]> {
  const links = bridges.map(async (bridge) => {
    const ports = (await unlessMissing(readdir(`/sys/class/net/${bridge}/brif`))) ?? [];
    return (await exists(`/sys/class/net/${bridge}`)) ? [bridge, ...ports] : [];
  });
  return (await Promise.all(links)).flat();
}

export async function removeBridge(bridge: string, layout: LabLayout): Promise<void> {
  // The pod's end of a veth pair vanishes with its namespace, a little after the unmount; the rest is removed by name.
  await waitUntil(async () => (await labLinks([bridge])).length <= 1, { timeoutMs: 3_000 });
  const env = ipEnv(layout);
  for (const link of (await labLinks([bridge])).reverse()) await tryCommand('ip', ['link', 'delete', link], { env });
}

/** `ip` is the machine's own, or else the lab's link to busybox. */
function ipEnv(layout: LabLayout): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin:${layout.toolsDir}` };
}
