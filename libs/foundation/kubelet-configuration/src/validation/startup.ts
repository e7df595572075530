import { labelValue, qualifiedName } from '@podwright/kube-types';
import { parseGoNanoseconds } from '@podwright/time';
import type { KubeletFlags } from '../flags/kubelet-flags.js';
import type { KubeletConfiguration } from '../kubelet-configuration.js';
import { isClean } from './network.js';

const strategies = ['Get', 'Cache', 'Watch'];

/**
 * The faults that upstream reports only at start-up: of flags, and of fields that a manager rejects. Empty when valid.
 */
export function validateStartup(flags: KubeletFlags, configuration: KubeletConfiguration): readonly string[] {
  const faults: string[] = [];
  if (parseGoNanoseconds(configuration.syncFrequency) <= 0n) {
    faults.push(`invalid sync frequency ${configuration.syncFrequency}`);
  }
  if (flags.rootDir === '' || !isClean(flags.rootDir))
    faults.push(`invalid root directory ${JSON.stringify(flags.rootDir)}`);
  if (flags.cloudProvider !== '' && flags.cloudProvider !== 'external') {
    faults.push(
      `unsupported value for --cloud-provider: ${JSON.stringify(flags.cloudProvider)}, only "external" or "" is allowed`,
    );
  }
  if (flags.exitOnLockContention && flags.lockFile === '')
    faults.push('cannot exit on lock file contention: no lock file specified');
  if ((flags.imageCredentialProviderConfig === '') !== (flags.imageCredentialProviderBinDir === '')) {
    faults.push(
      'both --image-credential-provider-config and --image-credential-provider-bin-dir must be given, or neither',
    );
  }
  const strategy = configuration.configMapAndSecretChangeDetectionStrategy;
  if (!strategies.includes(strategy))
    faults.push(`unknown configmap and secret manager mode: ${JSON.stringify(strategy)}`);
  // The resource managers check their own policies and options.
  for (const [field, value, known] of [
    ['cgroupDriver', configuration.cgroupDriver, ['cgroupfs', 'systemd']],
    ['authorization.mode', configuration.authorization.mode, ['AlwaysAllow', 'Webhook']],
  ] as const) {
    if (!(known as readonly string[]).includes(value)) {
      faults.push(`${field}: unknown value ${JSON.stringify(value)}, must be one of ${known.join(', ')}`);
    }
  }
  return faults;
}

const allowedKeys = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const allowedPrefixes = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/**
 * Validates `--node-labels`, with one fault at most: a kubelet may set any label on its node, but only some of
 * Kubernetes' own.
 * Source: kubernetes v1.36 staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go.
 */
export function validateNodeLabels(labels: Readonly<Record<string, string>>): readonly string[] {
  const unknown = Object.keys(labels)
    .filter((key) => isReserved(key) && !isAllowed(key))
    .sort();
  if (unknown.length > 0)
    return [
      `unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [${unknown.join(' ')}]\n--node-labels in the 'kubernetes.io' namespace must begin with an allowed prefix (${allowedPrefixes.join(', ')}) or be in the specifically allowed set (${[...allowedKeys].sort().join(', ')})`,
    ];
  const faults = Object.entries(labels)
    .flatMap(([key, value]) => [[key, qualifiedName(key)] as const, [value, labelValue(value)] as const])
    .filter(([, wrong]) => wrong.length > 0)
    .map(([text, wrong]) => `'${text}' - ${wrong.join(', ')}`);
  return faults.length === 0 ? [] : [`invalid node labels: ${faults.join('; ')}`];
}

function domainOf(key: string): string {
  return key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
}

function isReserved(key: string): boolean {
  const domain = domainOf(key);
  return ['kubernetes.io', 'k8s.io'].some((own) => domain === own || domain.endsWith(`.${own}`));
}

function isAllowed(key: string): boolean {
  const domain = domainOf(key);
  return allowedKeys.has(key) || allowedPrefixes.some((prefix) => domain === prefix || domain.endsWith(`.${prefix}`));
}
