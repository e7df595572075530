import type { CaseReport } from './case-report.js';
import type { ChaosNode, ChaosSurroundings } from './chaos-node.js';
import type { ChaosSize } from './chaos-size.js';

/** One kind of trouble on a node of its own. */
export interface ChaosCase extends ChaosSurroundings {
  readonly name: string;
  /** What it does, for the table. */
  readonly does: string;
  /**
   * Makes the trouble and tells the report what it saw. What it throws before `report.begins()` was no trouble of the
   * kubelet's: the case then counts as not tried. Afterwards it counts as a broken promise.
   */
  run(node: ChaosNode, report: CaseReport, size: ChaosSize): Promise<void>;
}
