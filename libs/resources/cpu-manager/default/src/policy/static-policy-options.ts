import { KubeletError } from '@podwright/errors';
import { booleanPolicyOption } from '@podwright/kubelet-configuration';
import type { CpuTopology } from '../cpu-topology.js';

export interface StaticPolicyOptions {
  readonly fullPhysicalCpusOnly: boolean;
  readonly strictReservation: boolean;
  readonly alignByUncoreCache: boolean;
  readonly distributeAcrossNuma: boolean;
  readonly alignBySocket: boolean;
  readonly distributeAcrossCores: boolean;
}

export interface OptionGates {
  /** Gate CPUManagerPolicyAlphaOptions. */
  readonly alphaOptions: boolean;
  /** Gate CPUManagerPolicyBetaOptions. */
  readonly betaOptions: boolean;
}

const known: Readonly<
  Record<string, { readonly stage?: 'Alpha' | 'Beta'; readonly key: keyof StaticPolicyOptions } | undefined>
> = {
  'full-pcpus-only': { key: 'fullPhysicalCpusOnly' },
  'strict-cpu-reservation': { key: 'strictReservation' },
  'prefer-align-cpus-by-uncorecache': { key: 'alignByUncoreCache' },
  'distribute-cpus-across-numa': { stage: 'Beta', key: 'distributeAcrossNuma' },
  'align-by-socket': { stage: 'Alpha', key: 'alignBySocket' },
  'distribute-cpus-across-cores': { stage: 'Alpha', key: 'distributeAcrossCores' },
};

const forbiddenPairs = [
  ['full-pcpus-only', 'distribute-cpus-across-cores'],
  ['distribute-cpus-across-numa', 'distribute-cpus-across-cores'],
  ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-cores'],
  ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-numa'],
] as const;

export const noStaticPolicyOptions: StaticPolicyOptions = {
  fullPhysicalCpusOnly: false,
  strictReservation: false,
  alignByUncoreCache: false,
  distributeAcrossNuma: false,
  alignBySocket: false,
  distributeAcrossCores: false,
};

/**
 * Parses `cpuManagerPolicyOptions` of the static policy. Throws `invalid-argument` with upstream's text.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/policy_options.go.
 */
export function staticPolicyOptions(given: Readonly<Record<string, string>>, gates: OptionGates): StaticPolicyOptions {
  const options: { -readonly [K in keyof StaticPolicyOptions]: boolean } = { ...noStaticPolicyOptions };
  for (const [name, value] of Object.entries(given)) {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (option === undefined) throw fault(`unknown CPU Manager Policy option: ${JSON.stringify(name)}`);
    const { stage, key } = option;
    if ((stage === 'Alpha' && !gates.alphaOptions) || (stage === 'Beta' && !gates.betaOptions))
      throw fault(`CPU Manager Policy ${stage}-level Options not enabled, but option ${JSON.stringify(name)} provided`);
    options[key] = booleanPolicyOption(name, value);
  }
  for (const [a, b] of forbiddenPairs)
    if (isOn(options, a) && isOn(options, b))
      throw fault(`static policy options ${a} and ${b} can not be used at the same time`);
  return options;
}

/** Checks that the machine and the topology manager's policy allow `align-by-socket`. */
export function checkAlignBySocket(
  { alignBySocket }: StaticPolicyOptions,
  topology: CpuTopology,
  topologyPolicy: string,
): void {
  if (!alignBySocket) return;
  if (topologyPolicy === 'single-numa-node')
    throw fault(
      'Topolgy manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option',
    );
  if (topology.socketCount > topology.numaNodeCount)
    throw fault('Align by socket is not compatible with hardware where number of sockets are more than number of NUMA');
}

function isOn(options: StaticPolicyOptions, name: string): boolean {
  const option = known[name];
  return option !== undefined && options[option.key];
}

function fault(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument', cause });
}
