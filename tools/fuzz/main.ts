// npm run fuzz: feeds parsers with inputs that nobody meant and prints what they did; see usage.txt.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { judge, type Finding } from './engine/judge.js';
import { parseOptions } from './options.js';
import { renderRuns } from './result-table.js';
import { runTarget, type TargetRun } from './run-target.js';
import { targets } from './targets.js';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const options = parseOptions(
  process.argv.slice(2),
  targets.map(({ name }) => name),
);
const chosen = targets.filter(({ name }) => options.targets.includes(name));

if (options.list) {
  for (const { name, reads } of chosen) process.stdout.write(`${name}: ${reads}\n`);
} else if (options.files.length > 0) {
  for (const target of chosen) for (const file of options.files) show(file, await judge(target, readFileSync(file)));
} else {
  const runs: TargetRun[] = [];
  for (const target of chosen) {
    say(`${target.name} ...`);
    runs.push(await runTarget(target, { ...options, root: path.resolve('.') }));
  }
  process.stdout.write(`${renderRuns(runs)}\n`);
  process.exitCode = runs.every(({ findings, inputs }) => findings.length === 0 && inputs >= options.inputs) ? 0 : 1;
}

function show(file: string, finding: Finding | undefined): void {
  process.stdout.write(
    `${file}: ${finding === undefined ? 'read as it should be' : `${finding.kind}: ${finding.what}`}\n`,
  );
  if (finding !== undefined) process.exitCode = 1;
}
