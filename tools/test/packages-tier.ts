import { packCheck } from '../release/pack-check.js';
import { run } from '../workspace/run-node.js';
import { fasterNode } from './faster-node.js';
import type { CheckResult } from './results.js';

/** Checks the packed packages as an outside user would use them (see tools/release/pack-check.ts), and makes their pages. */
export async function runPackageChecks(): Promise<CheckResult[]> {
  const [checks, pages] = await Promise.all([
    packCheck().catch((error: unknown) => [{ name: 'packing', fault: String(error) }]),
    run(await fasterNode(), ['tools/bootstrap/run.mjs', 'tools/docs/main.ts']),
  ]);
  return [
    ...checks.map(({ name, fault }): CheckResult =>
      fault === undefined ? { name, outcome: 'passed' } : { name, outcome: 'failed', detail: fault },
    ),
    pages.code === 0
      ? { name: 'API pages', outcome: 'passed' }
      : { name: 'API pages', outcome: 'failed', detail: pages.output },
  ];
}
