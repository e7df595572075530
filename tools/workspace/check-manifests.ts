// node tools/bootstrap/run.mjs tools/workspace/check-manifests.ts [--fix] [PACKAGE_FOLDER...]
import { checkManifests } from './manifests/check.js';

const args = process.argv.slice(2);
const faults = checkManifests(
  args.filter((arg) => !arg.startsWith('--')),
  args.includes('--fix'),
);
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'manifests: no faults' : `manifests: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
