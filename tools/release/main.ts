// node tools/bootstrap/run.mjs tools/release/main.ts dry-run|pack-check
import { releaseDryRun } from './dry-run.js';
import { packCheck } from './pack-check.js';

const [verb] = process.argv.slice(2);
if (verb === 'dry-run') {
  const result = await releaseDryRun();
  console.log(result.outcome === 'failed' ? result.output : `release dry run: ${JSON.stringify(result)}`);
  process.exitCode = result.outcome === 'failed' ? 1 : 0;
} else if (verb === 'pack-check') {
  const checks = await packCheck();
  for (const { name, fault } of checks)
    console.log(fault === undefined ? `ok      ${name}` : `FAILED  ${name}\n${fault}`);
  process.exitCode = checks.some(({ fault }) => fault !== undefined) ? 1 : 0;
} else {
  console.error('usage: tools/release/main.ts dry-run|pack-check');
  process.exitCode = 2;
}
