import { KubeletError } from '@podwright/errors';
import { booleanPolicyOption } from '@podwright/kubelet-configuration';
import type { Logger } from '@podwright/logging';

export type TopologyPolicy = 'best-effort' | 'restricted' | 'single-numa-node';

export interface TopologyPolicyOptions {
  /** Among masks with equally many nodes, prefer those whose nodes are closer. */
  readonly preferClosest: boolean;
  readonly maxNumaNodes: number;
}

// More nodes make too many combinations: 8 nodes already give 255 masks per resource.
const usualMaxNumaNodes = 8;

/**
 * Parses `topologyManagerPolicyOptions`. Throws `invalid-argument` with upstream's text.
 * Source: kubernetes v1.36 pkg/kubelet/cm/topologymanager/policy_options.go.
 */
export function topologyPolicyOptions(
  options: Readonly<Record<string, string>>,
  logger: Logger,
): TopologyPolicyOptions {
  let preferClosest = false;
  let maxNumaNodes = usualMaxNumaNodes;
  for (const [name, value] of Object.entries(options)) {
    if (name === 'prefer-closest-numa-nodes') preferClosest = booleanPolicyOption(name, value);
    else if (name === 'max-allowable-numa-nodes') maxNumaNodes = maximumOf(name, value, logger);
    else throw fault(`unknown Topology Manager Policy option: ${JSON.stringify(name)}`);
  }
  return { preferClosest, maxNumaNodes };
}

export function policyOf(name: string): TopologyPolicy {
  if (name === 'best-effort' || name === 'restricted' || name === 'single-numa-node') return name;
  throw fault(`unknown policy: "${name}"`);
}

export function scopeOf(name: string): 'container' | 'pod' {
  if (name === 'container' || name === 'pod') return name;
  throw fault(`unknown scope: "${name}"`);
}

function maximumOf(name: string, value: string, logger: Logger): number {
  if (!/^[+-]?\d{1,9}$/.test(value)) {
    const why = `strconv.Atoi: parsing ${JSON.stringify(value)}: invalid syntax`;
    throw fault(`unable to convert policy option to integer ${JSON.stringify(name)}: ${why}`);
  }
  const maximum = Number(value);
  if (maximum < usualMaxNumaNodes)
    throw fault(`the minimum value of ${JSON.stringify(name)} should not be less than ${usualMaxNumaNodes}`);
  if (maximum > usualMaxNumaNodes)
    logger.warn('The value of max-allowable-numa-nodes is more than the default recommended value', {
      'max-allowable-numa-nodes': maximum,
      recommended: usualMaxNumaNodes,
    });
  return maximum;
}

function fault(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument', cause });
}
