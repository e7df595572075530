import type { HollowNode } from '../node/hollow-node.js';

/** Nodes of one process. */
export interface HollowNodes {
  readonly nodes: readonly HollowNode[];
  /** How many are Ready now. */
  readyCount(): number;
  /** Ends all nodes, and removes their files. The Node objects stay. */
  stop(): Promise<void>;
}
