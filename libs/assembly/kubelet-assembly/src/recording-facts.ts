import type { RecordingFacts } from '@podwright/flight-recorder-interface';
import { maskConfiguration } from '@podwright/kubelet-configuration';
import type { KubeletProcess } from '@podwright/server-interface';
import type { KubeletProgram } from './kubelet-program.js';
import type { NodeFacts } from './node-facts.js';

/** Those that matter to a replay or its reader, and hold no password. The configuration has what the others set. */
const keptFlags = new Set([
  ...[
    'assembly',
    'cloud-provider',
    'config',
    'config-dir',
    'hostname-override',
    'kubeconfig',
    'node-ip',
    'node-labels',
  ],
  ...['maximum-dead-containers', 'maximum-dead-containers-per-container', 'minimum-container-ttl-duration'],
  ...['root-dir', 'seccomp-default'],
]);

/** What a recording says of the kubelet that it is of, without secrets: recordings are given to others. */
export const recordingFacts = (
  { program }: Pick<KubeletProgram, 'program'>,
  process: Pick<KubeletProcess, 'configuration' | 'flags' | 'version'>,
  ownFlags: Readonly<Record<string, string>>,
  machine: NodeFacts,
  assembly: NonNullable<RecordingFacts['assembly']> = [],
): RecordingFacts => ({
  program,
  version: process.version,
  flags: Object.fromEntries(Object.entries(process.flags).filter(([name]) => keptFlags.has(name))),
  ownFlags,
  configuration: { ...maskConfiguration(process.configuration) },
  machine: { ...machine },
  ...(assembly.length > 0 && { assembly }),
});
