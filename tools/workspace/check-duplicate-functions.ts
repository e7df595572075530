// node tools/bootstrap/run.mjs tools/workspace/check-duplicate-functions.ts
import { checkDuplicateFunctions } from './duplicate-functions/duplicate-functions.js';

const faults = checkDuplicateFunctions();
for (const fault of faults) console.error(fault);
console.log(`duplicate functions: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
