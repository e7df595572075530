import type { Spread } from './spread.js';

/** Which containers a rule is about; `*` in a pattern stands for any text. */
export interface ContainerMatch {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly image: string;
}

/** What some of the containers do against their will. */
export interface Failures {
  /** The share of pods that fail, 0 to 1. */
  readonly share: number;
  /** How many starts of such a container fail; then it works. `Infinity`: all. */
  readonly times: number;
}

export interface Crashes extends Failures {
  /** From the container's start to its exit. */
  readonly after: Spread;
  /** One of them is chosen for each exit. */
  readonly exitCodes: readonly number[];
}

export interface StartFailures extends Failures {
  readonly message: string;
}

/** What a container does. */
export interface ContainerRule extends ContainerMatch {
  /** How long its start takes. */
  readonly start: Spread;
  /** From its start to the first success of its startup and readiness probes. */
  readonly ready: Spread;
  /** How long it runs before it exits; absent: until it is stopped. */
  readonly run: Spread | undefined;
  /** Exit code after `run`. */
  readonly exitCode: number;
  /** From SIGTERM to its exit. */
  readonly stop: Spread;
  readonly crash: Crashes | undefined;
  readonly startFailure: StartFailures | undefined;
  /** Lines of its log. */
  readonly log: readonly string[];
  /** What stats report, in millicores and bytes. */
  readonly cpuMillicores: number;
  readonly memoryBytes: number;
}

/** How an image is pulled. */
export interface ImageRule {
  readonly image: string;
  readonly pull: Spread;
  readonly sizeBytes: number;
  /** `share` is of the nodes that pull it. */
  readonly pullFailure: (Failures & { readonly message: string }) | undefined;
}

export type NodeFaultKind = 'unreachable' | 'down';

/** What happens to some of the nodes. */
export interface NodeFaultRule {
  /**
   * - `unreachable`: the node runs on, but nothing between it and the API server gets through.
   * - `down`: the machine is off; its containers have ended when it is back.
   */
  readonly fault: NodeFaultKind;
  /** Names of nodes; `*` stands for any text. */
  readonly nodes: readonly string[];
  /** The share of these nodes, 0 to 1. */
  readonly share: number;
  /** From the node's start, or from the end of its last fault. */
  readonly after: Spread;
  /** Until the node is back; absent: for good. */
  readonly lasts: Spread | undefined;
  /** How often it happens to one node. */
  readonly times: number;
}

/** What a hollow node shows of its machine. */
export interface NodeShape {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** What the containers, images and nodes of a fleet do. */
export interface HollowBehaviour {
  readonly node: NodeShape;
  /** The first rule that matches counts. */
  readonly containers: readonly ContainerRule[];
  readonly images: readonly ImageRule[];
  readonly nodeFaults: readonly NodeFaultRule[];
}
