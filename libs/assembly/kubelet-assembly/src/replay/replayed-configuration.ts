import path from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { RecordingLine } from '@podwright/flight-recorder-interface';
import {
  defaultKubeletConfiguration,
  kubeletConfigurationSchema,
  validateKubeletConfiguration,
  type KubeletConfiguration,
  type PartialKubeletConfiguration,
} from '@podwright/kubelet-configuration';
import { genericPlegModule } from '@podwright/pleg';
import { decodeWithSchema, formatFault, type SourceValue } from '@podwright/pod-manifest';
import { changedModule } from '../simulation/simulated-kubelet.js';

const { apiVersion: _apiVersion, kind: _kind, ...fields } = kubeletConfigurationSchema.fields;

/** Decodes fields as a configuration file has them. Throws `invalid-argument` that names the field that is wrong. */
export function decodeChanges(given: Readonly<Record<string, unknown>>): PartialKubeletConfiguration {
  const { value, faults } = decodeWithSchema({ ...kubeletConfigurationSchema, fields }, given as SourceValue);
  if (faults.length > 0) throw wrong(faults.map(formatFault).join('; '));
  const own = Object.keys(given).filter((name) => name in ofThisMachine(''));
  if (own.length > 0)
    throw wrong(`${own.join(', ')}: a replay has a value of its own, because it touches nothing of this machine`);
  // A zero that a file may leave out asks for the default.
  return { ...Object.fromEntries(Object.keys(given).map((name) => [name, undefined])), ...(value as object) };
}

/** The recorded configuration with other fields. Throws `invalid-argument` if no kubelet would start with it. */
export function changedConfiguration(
  recorded: KubeletConfiguration,
  changes: PartialKubeletConfiguration,
  defaults: PartialKubeletConfiguration = {},
): KubeletConfiguration {
  if (Object.keys(changes).length === 0) return recorded;
  const asked = Object.entries(changes).map(([name, value]) => [
    name,
    value ?? defaults[name as keyof typeof defaults],
  ]);
  const configuration = defaultKubeletConfiguration({ ...recorded, ...(Object.fromEntries(asked) as object) });
  const stood = new Set(validateKubeletConfiguration(recorded));
  const faults = validateKubeletConfiguration(configuration).filter((fault) => !stood.has(fault));
  if (faults.length > 0) throw wrong(faults.join('; '));
  return configuration;
}

/**
 * The feature gates of a replay. A recording names only the gates that somebody had set, and the default of one has
 * changed: a kubelet that had not asked for container events had listed its containers each second. An assembly file
 * that names the generic pleg decides by itself.
 */
export function replayedGates(
  given: KubeletConfiguration['featureGates'],
  lines: readonly RecordingLine[],
  changes: readonly Readonly<Record<string, unknown>>[],
): KubeletConfiguration['featureGates'] {
  if (changes.some((entry) => changedModule(entry) === genericPlegModule.name)) return given;
  const asked = lines.some((line) => 'method' in line && line.method === 'getContainerEvents');
  return { EventedPLEG: asked, ...given };
}

/** What must not reach the machine on which the replay runs: its ports, credentials, cgroups and services. */
export const ofThisMachine = (dir: string): Partial<KubeletConfiguration> => ({
  podLogsDir: path.join(dir, 'pod-logs'),
  volumePluginDir: path.join(dir, 'volume-plugins'),
  enableServer: false,
  readOnlyPort: 0,
  healthzPort: 0,
  staticPodPath: '',
  staticPodURL: '',
  // Another machine has another one, or none.
  resolvConf: '',
  rotateCertificates: false,
  serverTLSBootstrap: false,
  tlsCertFile: '',
  tlsPrivateKeyFile: '',
  cgroupDriver: 'cgroupfs',
  kubeletCgroups: '',
  systemCgroups: '',
  enforceNodeAllocatable: ['pods'],
  systemReservedCgroup: '',
  kubeReservedCgroup: '',
  // Without a bus there is no inhibitor.
  shutdownGracePeriod: '0s',
  shutdownGracePeriodCriticalPods: '0s',
  shutdownGracePeriodByPodPriority: [],
  makeIPTablesUtilChains: false,
});

const wrong = (message: string): KubeletError =>
  new KubeletError(`bad --set: ${message}`, { code: 'invalid-argument' });
