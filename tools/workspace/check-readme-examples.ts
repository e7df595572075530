// node tools/bootstrap/run.mjs tools/workspace/check-readme-examples.ts
import { checkReadmeExamples } from './readme-examples/check.js';

const { count, faults } = checkReadmeExamples();
for (const fault of faults) console.error(fault);
console.log(`${count} README examples, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
