import { labelValue, qualifiedName } from '@podwright/kube-types';
import { parseGoNanoseconds } from '@podwright/time';
import type { KubeletFlags } from '../flags/kubelet-flags.js';
import type { KubeletConfiguration } from '../kubelet-configuration.js';

const strategies = ['Get', 'Cache', 'Watch'];
const modes = ['AlwaysAllow', 'Webhook'];

/**
 * The faults that upstream reports only when it starts, in the order of its start: the first one counts. Empty when
 * valid. Sources: kubernetes v1.36 cmd/kubelet/app/server.go run, cmd/kubelet/app/auth.go, pkg/kubelet/kubelet.go
 * NewMainKubelet.
 */
export function validateStartup(
  flags: KubeletFlags,
  configuration: KubeletConfiguration,
  cgroupVersion?: 1 | 2,
): readonly string[] {
  const faults: string[] = [];
  const { authorization, memorySwap, syncFrequency } = configuration;
  if (flags.exitOnLockContention && flags.lockFile === '')
    faults.push('cannot exit on lock file contention: no lock file specified (--lock-file)');
  if (!modes.includes(authorization.mode))
    faults.push(`unknown authorization mode ${authorization.mode} (authorization.mode: ${modes.join(' or ')})`);
  if (cgroupVersion === 1 && memorySwap.swapBehavior === 'LimitedSwap')
    faults.push(
      'swap feature is enabled and LimitedSwap but it is only supported with cgroupv2 (memorySwap.swapBehavior: NoSwap)',
    );
  // The resource managers check their own policies and options here.
  const create = (fault: string): void => void faults.push(`failed to create kubelet: ${fault}`);
  if (flags.rootDir === '') create('invalid root directory "" (--root-dir)');
  const syncNanoseconds = parseGoNanoseconds(syncFrequency);
  if (syncNanoseconds <= 0n)
    create(`invalid sync frequency ${syncNanoseconds} (syncFrequency: ${syncFrequency}, must be above 0)`);
  if (flags.cloudProvider !== '' && flags.cloudProvider !== 'external') {
    create(
      `cloud provider ${JSON.stringify(flags.cloudProvider)} was specified, but built-in cloud providers are disabled. Please set --cloud-provider=external and migrate to an external cloud provider`,
    );
  }
  // A standalone kubelet has no use for it.
  const strategy = configuration.configMapAndSecretChangeDetectionStrategy;
  if (flags.kubeconfig !== '' && !strategies.includes(strategy))
    create(
      `unknown configmap and secret manager mode: ${strategy} (configMapAndSecretChangeDetectionStrategy: ${strategies.join(', ')})`,
    );
  if ((flags.imageCredentialProviderConfig === '') !== (flags.imageCredentialProviderBinDir === '')) {
    faults.push(
      'both --image-credential-provider-config and --image-credential-provider-bin-dir must be given, or neither',
    );
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
