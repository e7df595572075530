import { parseArgs } from 'node:util';
import { nodeMajors, type NodeMajor } from '../node/node-pins.js';

export interface BenchOptions {
  readonly pods: number;
  /** Milliseconds between two manifests; 0 = all at once. */
  readonly gapMs: number;
  readonly runtimeEndpoint: string | undefined;
  readonly containerd: '1.6' | '2';
  readonly image: string;
  /** Seconds of the idle measurement. */
  readonly idleSeconds: number;
  /** Number of parallel CRI calls when measuring the floor. */
  readonly parallel: number;
  /** Rounds of start, idle and removal with one kubelet. */
  readonly rounds: number;
  readonly kubelet: string | undefined;
  /** What runs the kubelet, one after the other: a Node.js by its major, or the single executable. */
  readonly nodes: readonly BenchNode[];
  readonly skipFloor: boolean;
  /** Runs all rounds with the generic pleg and then with the evented pleg. */
  readonly comparePleg: boolean;
  /** Feature gates of the kubelet's configuration, by name. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** API server that provides the pods, in place of manifests; `own`: one of `KUBEBUILDER_ASSETS`, for this run. */
  readonly cluster: BenchCluster | 'own' | undefined;
  /** Executable of another kubelet, of anybody, whose rounds alternate with the first one's. */
  readonly against: string | undefined;
  /** Where the recording of a kubelet with the flight recorder goes; undefined: it runs without one. */
  readonly record: string | undefined;
}

export type BenchNode = NodeMajor | 'executable';

/** Two kubeconfig files for one API server. */
export interface BenchCluster {
  /** Kubeconfig with administrator rights, to bind and watch the pods. */
  readonly kubeconfig: string;
  /** Kubeconfig of the node `nodeName`. */
  readonly nodeKubeconfig: string;
  readonly nodeName: string;
}

/** Parses and checks the options. Throws with a sentence for the user when one is wrong. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pods: { type: 'string', default: '10' },
      gap: { type: 'string', default: '0' },
      'runtime-endpoint': { type: 'string' },
      containerd: { type: 'string', default: '2' },
      image: { type: 'string', default: '' },
      idle: { type: 'string', default: '20' },
      parallel: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '1' },
      kubelet: { type: 'string' },
      node: { type: 'string', multiple: true, default: [] },
      'skip-floor': { type: 'boolean', default: false },
      'compare-pleg': { type: 'boolean', default: false },
      'feature-gate': { type: 'string', multiple: true, default: [] },
      kubeconfig: { type: 'string' },
      'node-kubeconfig': { type: 'string' },
      'node-name': { type: 'string' },
      record: { type: 'string' },
      cluster: { type: 'boolean', default: false },
      against: { type: 'string' },
    },
  });
  const { containerd } = values;
  if (containerd !== '1.6' && containerd !== '2') throw new Error(`--containerd must be 1.6 or 2, not "${containerd}"`);
  const given = clusterOf(values.kubeconfig, values['node-kubeconfig'], values['node-name']);
  if (values.cluster && given !== undefined) throw new Error('--cluster works only without --kubeconfig');
  const cluster = values.cluster ? 'own' : given;
  if (values['compare-pleg'] && cluster !== undefined) throw new Error('--compare-pleg works only with static pods');
  if (values.record !== undefined && cluster !== undefined) throw new Error('--record works only with static pods');
  const nodes = values.node.map(benchNode);
  if (values.against !== undefined && (values['compare-pleg'] || nodes.length > 0 || values.record !== undefined)) {
    throw new Error('--against works only without --compare-pleg, --node and --record');
  }
  if (values['compare-pleg'] && nodes.length > 0) throw new Error('--compare-pleg works only without --node');
  if (values.kubelet !== undefined && nodes.includes('executable')) {
    throw new Error('--node executable works only without --kubelet');
  }
  const featureGates = Object.fromEntries(values['feature-gate'].map(featureGate));
  return {
    pods: whole('--pods', values.pods, 1),
    gapMs: whole('--gap', values.gap, 0),
    runtimeEndpoint: values['runtime-endpoint'],
    containerd,
    image: values.image,
    idleSeconds: whole('--idle', values.idle, 0),
    parallel: whole('--parallel', values.parallel, 1),
    rounds: whole('--rounds', values.rounds, 1),
    kubelet: values.kubelet,
    nodes,
    skipFloor: values['skip-floor'],
    comparePleg: values['compare-pleg'],
    featureGates,
    cluster,
    record: values.record,
    against: values.against,
  };
}

function benchNode(text: string): BenchNode {
  const major = nodeMajors.find((each) => String(each) === text);
  if (major === undefined && text !== 'executable') {
    throw new Error(`--node must be ${nodeMajors.join(', ')} or executable, not "${text}"`);
  }
  return major ?? 'executable';
}

function featureGate(text: string): [name: string, enabled: boolean] {
  const [, name, value] = /^(\w+)=(true|false)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`--feature-gate must be NAME=true or NAME=false, not "${text}"`);
  return [name, value === 'true'];
}

function clusterOf(
  kubeconfig: string | undefined,
  nodeKubeconfig: string | undefined,
  nodeName: string | undefined,
): BenchCluster | undefined {
  if (kubeconfig === undefined && nodeKubeconfig === undefined && nodeName === undefined) return undefined;
  if (kubeconfig === undefined || nodeKubeconfig === undefined || nodeName === undefined)
    throw new Error('--kubeconfig, --node-kubeconfig and --node-name must be used together');
  return { kubeconfig, nodeKubeconfig, nodeName };
}

/** A whole number of at least `min`. */
export function whole(name: string, text: string, min: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min)
    throw new Error(`${name} must be a whole number >= ${min}, not "${text}"`);
  return value;
}
