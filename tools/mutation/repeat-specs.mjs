// Runs specs.mjs of the current folder three times in one process, without a mutant. A case that passes only the first
// time would count as one that notices every mutant after it. Argument: as for bundle-specs.mjs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { programs } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const Mocha = createRequire(path.join(programs, 'package.json'))('mocha');

const rounds = 3;
const failures = [];

class Failures {
  constructor(runner) {
    runner.on('fail', (test, error) => failures.push(`${test.fullTitle()}: ${error.message}`));
  }
}

const mocha = new Mocha({ reporter: Failures });
mocha.cleanReferencesAfterRun(false);
mocha.addFile(path.resolve('specs.mjs'));
await mocha.loadFilesAsync();
for (let round = 1; round <= rounds && failures.length === 0; round += 1) {
  await new Promise((resolve) => mocha.run(resolve));
  if (failures.length > 0) console.error(`round ${round} of the specs without a mutant:\n${failures.join('\n')}`);
}
process.exit(failures.length === 0 ? 0 : 1);
