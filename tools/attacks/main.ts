// npm run attacks: attacks a kubelet on a throw-away node and prints what held; see usage.txt.
import { labSupport } from '@podwright/lab';
import { buildKubelet } from '../build/kubelet.js';
import { openAttackBed, startTarget, type AttackBedOptions } from './attack-bed.js';
import { attacks } from './attacks.js';
import { LyingRuntime } from './lying-runtime.js';
import { parseOptions } from './options.js';
import { renderResults } from './result-table.js';
import { runAttacks } from './run-attacks.js';
import { victim } from './attack-target.js';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const options = parseOptions(
  process.argv.slice(2),
  attacks.map(({ name }) => name),
);
const chosen = attacks.filter(({ name }) => options.cases.includes(name));

async function run(): Promise<boolean> {
  const { kubelet, upstream, weaken } = options;
  const file = kubelet ?? (await buildKubelet()).file;
  const bedOptions: AttackBedOptions = { file, ours: !upstream, weakened: weaken, say };
  const bed = await openAttackBed(bedOptions);
  const runtime = await LyingRuntime.before(bed.runtime.client);
  try {
    say(`starting ${file} ...`);
    const target = await startTarget(bed, { ...bedOptions, server: bed.server, runtime });
    bed.owns(target.node);
    await target.victim();
    say(`pod ${victim} runs on the node`);
    const results = await runAttacks(chosen, target, say);
    process.stdout.write(`\n${renderResults(results)}\n`);
    return results.every(({ outcome }) => outcome === 'held' || outcome === 'not applicable');
  } finally {
    await bed.close();
    await runtime.close();
  }
}

if (options.list) {
  for (const { name, tries, mustNot, pastFault } of chosen)
    process.stdout.write(`${name}\n  tries: ${tries}\n  must not happen: ${mustNot}\n  past fault: ${pastFault}\n`);
} else {
  const support = labSupport();
  if (!support.ok) throw new Error(`there can be no throw-away node here: ${support.reason}`);
  process.exitCode = (await run()) ? 0 : 1;
}
