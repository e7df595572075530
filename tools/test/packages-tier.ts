import { packCheck } from '../release/pack-check.js';
import type { CheckResult } from './results.js';

/** The packed packages, used as a stranger would; see tools/release/pack-check.ts. */
export async function runPackageChecks(): Promise<CheckResult[]> {
  const checks = await packCheck().catch((error: unknown) => [{ name: 'packing', fault: String(error) }]);
  return checks.map(({ name, fault }) =>
    fault === undefined ? { name, outcome: 'passed' } : { name, outcome: 'failed', detail: fault },
  );
}
