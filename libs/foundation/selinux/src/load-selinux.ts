import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '@podwright/errors';
import { readMountTable, type MountEntry } from '@podwright/filesystem';
import type { Random } from '@podwright/time';
import { policyLabels } from './policy-labels.js';
import { noSeLinux, type SeLinux } from './selinux.js';

export interface SeLinuxSources {
  readonly random: Random;
  /** Folder of the configuration and of the policies. Default `/etc/selinux`. */
  readonly configDir?: string;
  /** File with the label of this process. Default `/proc/self/attr/current`. */
  readonly currentLabelPath?: string;
  /** Default: the mounts that this process sees. */
  readonly readMounts?: () => Promise<readonly MountEntry[]>;
}

/**
 * Reads once whether the kernel has a policy, and which labels that gives to containers. Rejects with Node's error for
 * files that cannot be read; missing ones give no labels. Source: opencontainers/selinux v1.13 go-selinux.
 */
export async function loadSeLinux(sources: SeLinuxSources): Promise<SeLinux> {
  const { random, configDir = '/etc/selinux', currentLabelPath = '/proc/self/attr/current' } = sources;
  const mounts = await (sources.readMounts ?? readMountTable)();
  const writable = mounts.some(({ fsType, options }) => fsType === 'selinuxfs' && !options.includes('ro'));
  if (!writable) return noSeLinux;
  // Without a policy, all processes have this label.
  if ((await textOf(currentLabelPath)).replace(/[\0\n]+$/, '') === 'kernel') return noSeLinux;
  const { SELINUXTYPE: policy = '' } = settingsIn(await textOf(join(configDir, 'config')));
  const labels = settingsIn(await textOf(join(configDir, policy, 'contexts/lxc_contexts')));
  return policyLabels({ process: labels['process'] ?? '', file: labels['file'] ?? '' }, random);
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
}

/** `key = "value"` lines; `#` and `;` begin comments. */
function settingsIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => !/^\s*[#;]/.test(line));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, key, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.replace(/^"(.*)"$/, '$1')] as const];
    }),
  );
}
