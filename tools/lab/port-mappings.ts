import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { tryCommand, unlessMissing } from './commands.js';
import type { LabLayout } from './layout.js';
import { readRecord } from './record.js';

/** Lets the port mapper remove the iptables chains of pods that were never torn down. */
export async function removePortMappings(layout: LabLayout): Promise<void> {
  const record = await readRecord(layout);
  if (record?.portMappings !== true) return;
  const prefix = `${layout.network}-`;
  const names = (await unlessMissing(readdir('/var/lib/cni/results'))) ?? [];
  for (const name of names.filter((candidate) => candidate.startsWith(prefix))) {
    const [containerId = '', device = ''] = splitLast(name.slice(prefix.length));
    await tryCommand(path.join(record.cniDir, 'portmap'), [], {
      env: {
        ...process.env,
        ...record.env,
        CNI_COMMAND: 'DEL',
        CNI_CONTAINERID: containerId,
        CNI_IFNAME: device,
        CNI_NETNS: '',
        CNI_PATH: record.cniDir,
      },
      // It does nothing for a pod without ports, and otherwise does not look at which ports they are.
      input: JSON.stringify({
        cniVersion: '0.4.0',
        name: layout.network,
        type: 'portmap',
        runtimeConfig: { portMappings: [{ hostPort: 1, containerPort: 1, protocol: 'tcp' }] },
      }),
    });
  }
}

function splitLast(text: string): [string, string] {
  const dash = text.lastIndexOf('-');
  return [text.slice(0, dash), text.slice(dash + 1)];
}
