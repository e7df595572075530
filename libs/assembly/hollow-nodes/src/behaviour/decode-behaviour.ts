import { KubeletError, messageOf } from '@podwright/errors';
import { quantityToBytes, quantityToNumber } from '@podwright/kube-types';
import {
  decodeWithSchema,
  describeValue,
  formatFault,
  isSourceObject,
  readDocument,
  type SourceObject,
} from '@podwright/pod-manifest';
import { behaviourSchema, furtherFaults, type BehaviourFile } from './behaviour-schema.js';
import type { ContainerRule, Failures, HollowBehaviour, ImageRule, NodeFaultRule } from './hollow-behaviour.js';
import { fixed, parseSpread, type Spread } from './spread.js';

export const behaviourApiVersion = 'hollow.podwright.dev/v1alpha1';
export const behaviourKind = 'HollowBehaviour';

/** What the nodes do when nobody says anything: every container starts at once and runs until it is stopped. */
export const defaultBehaviour: HollowBehaviour = behaviourOf({});

/**
 * Decodes a behaviour file, YAML or JSON, strictly.
 * @throws KubeletError `invalid-argument` naming the file, the field and the value of each fault.
 */
export function decodeBehaviour(content: Uint8Array | string, fileName: string): HollowBehaviour {
  try {
    const { value, faults } = readDocument(content);
    const source = checkedType(value);
    const decoded = decodeWithSchema(behaviourSchema, source);
    const file = decoded.value as BehaviourFile;
    const all = [...faults, ...decoded.faults];
    if (all.length === 0) all.push(...furtherFaults(file));
    if (all.length > 0) throw new Error(all.map(formatFault).join('; '));
    return behaviourOf(file);
  } catch (error) {
    throw new KubeletError(`${fileName}: ${messageOf(error)}`, { code: 'invalid-argument', cause: error });
  }
}

function checkedType(value: unknown): SourceObject {
  if (!isSourceObject(value as SourceObject)) throw new Error('must hold one object with apiVersion and kind');
  const source = value as SourceObject;
  for (const [field, wanted] of [
    ['apiVersion', behaviourApiVersion],
    ['kind', behaviourKind],
  ] as const)
    if (source[field] !== wanted)
      throw new Error(`${field}: must be ${wanted}, got ${describeValue(source[field] ?? null)}`);
  return source;
}

function behaviourOf({ node, containers = [], images = [], nodeFaults = [] }: BehaviourFile): HollowBehaviour {
  return {
    node: {
      cores: node?.cpu ?? 4,
      memoryBytes: quantityToBytes(node?.memory ?? '16Gi'),
      labels: node?.labels ?? {},
    },
    // The last rule is for those that no other is about.
    containers: [...containers, {}].map(containerRule),
    images: [...images, {}].map(imageRule),
    nodeFaults: nodeFaults.map(nodeFaultRule),
  };
}

function spreadOf(text: string | undefined): Spread {
  return text === undefined ? fixed(0) : parseSpread(text);
}

function failuresOf({ share = 1, times = Infinity }: { readonly share?: number; readonly times?: number }): Failures {
  return { share, times };
}

function containerRule(rule: NonNullable<BehaviourFile['containers']>[number]): ContainerRule {
  const { crash, startFailure } = rule;
  return {
    namespace: rule.namespace ?? '*',
    pod: rule.pod ?? '*',
    container: rule.container ?? '*',
    image: rule.image ?? '*',
    start: spreadOf(rule.start),
    ready: spreadOf(rule.ready),
    run: rule.run === undefined ? undefined : parseSpread(rule.run),
    exitCode: rule.exitCode ?? 0,
    stop: spreadOf(rule.stop),
    crash: crash && {
      ...failuresOf(crash),
      after: spreadOf(crash.after),
      exitCodes: crash.exitCodes ?? [1],
    },
    startFailure: startFailure && {
      ...failuresOf(startFailure),
      message: startFailure.message ?? 'the container does not start: the behaviour says so',
    },
    log: rule.log ?? ['hollow container $container of pod $namespace/$pod runs on node $node (start $attempt)'],
    cpuMillicores: Math.round(quantityToNumber(rule.cpu ?? '1m') * 1_000),
    memoryBytes: quantityToBytes(rule.memory ?? '8Mi'),
  };
}

function imageRule(rule: NonNullable<BehaviourFile['images']>[number]): ImageRule {
  const { pullFailure } = rule;
  return {
    image: rule.image ?? '*',
    pull: spreadOf(rule.pull),
    sizeBytes: quantityToBytes(rule.size ?? '5M'),
    pullFailure: pullFailure && {
      ...failuresOf(pullFailure),
      message: pullFailure.message ?? 'the image is not pulled: the behaviour says so',
    },
  };
}

function nodeFaultRule(rule: NonNullable<BehaviourFile['nodeFaults']>[number]): NodeFaultRule {
  if (rule.fault === undefined) throw new Error('a rule about nodes has no fault');
  return {
    fault: rule.fault,
    nodes: rule.nodes ?? ['*'],
    share: rule.share ?? 1,
    after: spreadOf(rule.after),
    lasts: rule.lasts === undefined ? undefined : parseSpread(rule.lasts),
    times: rule.times ?? 1,
  };
}
