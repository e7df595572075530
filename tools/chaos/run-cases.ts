import { CaseReport, type CaseResult } from './case-report.js';
import type { ChaosCase } from './chaos-case.js';
import type { ChaosSize } from './chaos-size.js';
import { ReadinessLog } from './readiness-log.js';
import type { ChaosNode } from './chaos-node.js';

/** Opens a node for a case; the case's own failures come from its `run`. */
export type OpenNode = (of: ChaosCase) => Promise<ChaosNode>;

/** Runs the cases one after the other, each on a node of its own. */
export async function runCases(
  cases: readonly ChaosCase[],
  open: OpenNode,
  size: ChaosSize,
  done: (result: CaseResult) => void,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const each of cases) {
    const result = await runCase(each, open, size);
    done(result);
    results.push(result);
  }
  return results;
}

async function runCase(of: ChaosCase, open: OpenNode, size: ChaosSize): Promise<CaseResult> {
  const startedMs = performance.now();
  const report = new CaseReport();
  let node: ChaosNode | undefined;
  try {
    node = await open(of);
    await of.run(node, report, size);
  } catch (error) {
    report.lost(error instanceof Error ? error.message : String(error));
  }
  const log = node?.readiness ?? new ReadinessLog();
  const ended = node !== undefined && !node.isRunning;
  if (ended) report.lost(`the kubelet ended: ${node?.lastWords() ?? ''}`);
  const result = report.result(of, log, (performance.now() - startedMs) / 1000);
  await node?.close();
  return result;
}
