import { packCheck } from '../release/pack-check.js';
import type { CheckResult } from './results.js';

/** Checks the packed packages as an outside user would use them; see tools/release/pack-check.ts. */
export async function runPackageChecks(): Promise<CheckResult[]> {
  const checks = await packCheck().catch((error: unknown) => [{ name: 'packing', fault: String(error) }]);
  return checks.map(({ name, fault }) =>
    fault === undefined ? { name, outcome: 'passed' } : { name, outcome: 'failed', detail: fault },
  );
}
