// npm run mutation: measures how many small faults in the packages that decide their specs notice; see usage.txt.
import { mutatedPackages } from './mutated-packages.js';
import { parseOptions } from './options.js';
import { renderScores, renderSurvivors, scoreOf, type PackageScore } from './score-table.js';
import { runMutants } from './stryker-run.js';
import { installTestPrograms } from './test-programs.js';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const options = parseOptions(
  process.argv.slice(2),
  mutatedPackages.map(({ name }) => name),
);

const programs = await installTestPrograms(say);
const scores: PackageScore[] = [];
for (const target of mutatedPackages.filter(({ name }) => options.packages.includes(name))) {
  say(`running the mutants of ${target.name} ...`);
  const mutants = await runMutants(target, programs, options);
  const score = scoreOf(target.name, mutants);
  scores.push(score);
  if (score.survived > 0) process.stdout.write(`${target.name}: nothing noticed\n${renderSurvivors(mutants)}\n\n`);
}
process.stdout.write(`${renderScores(scores)}\n`);
const low = scores.filter(({ score }) => score < options.below).map(({ name }) => name);
if (low.length > 0) {
  say(`below ${options.below} %: ${low.join(', ')}`);
  process.exitCode = 1;
}
