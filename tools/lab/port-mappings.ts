import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { runCommand, tryCommand, unlessMissing } from './commands.js';
import { withoutCrioPortMappings } from './crio-port-mappings.js';
import type { LabLayout } from './layout.js';
import { readRecord, type LabRecord } from './record.js';

/** CNI keeps one file per attachment here; containerd cannot configure the folder. */
export const CNI_RESULTS = '/var/lib/cni/results';

/** Has the port mapper remove the iptables chains of pods that were never torn down. */
export async function removePortMappings(layout: LabLayout): Promise<void> {
  const record = await readRecord(layout);
  if (record?.portMappings !== true) return;
  if (record.runtime === 'cri-o') return removeCrioPortMappings(record);
  const prefix = `${layout.network}-`;
  const names = (await unlessMissing(readdir(CNI_RESULTS))) ?? [];
  for (const name of names.filter((candidate) => candidate.startsWith(prefix))) {
    const result = (await unlessMissing(readFile(path.join(CNI_RESULTS, name), 'utf8'))) ?? '';
    // The mapper runs iptables several times, a tenth of a second per pod; most pods have no mappings.
    if (!/"portMappings":\s*\[\s*\{/.test(result)) continue;
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
      // The mapper does nothing for a pod without ports, and does not check which ports they are.
      input: JSON.stringify({
        cniVersion: '0.4.0',
        name: layout.network,
        type: 'portmap',
        runtimeConfig: { portMappings: [{ hostPort: 1, containerPort: 1, protocol: 'tcp' }] },
      }),
    });
  }
}

async function removeCrioPortMappings({ network, env }: LabRecord): Promise<void> {
  const options = { env: { ...process.env, ...env } };
  const addresses = network.gateway.replace(/[0-9]+$/, '');
  const saved = await runCommand('iptables-save', ['-t', 'nat'], options);
  const input = withoutCrioPortMappings(saved, addresses);
  if (input !== undefined) await runCommand('iptables-restore', ['--noflush'], { ...options, input });
}

function splitLast(text: string): [string, string] {
  const dash = text.lastIndexOf('-');
  return [text.slice(0, dash), text.slice(dash + 1)];
}
