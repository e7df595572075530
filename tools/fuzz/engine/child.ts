// One run of the fuzzer on one target, in a process of its own; run-target.ts starts it.
import { createHash } from 'node:crypto';
import { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FuzzTarget } from '../fuzz-target.js';
import { explore } from './explore.js';
import type { Finding } from './judge.js';

/** `task.json` in the folder that is this process' argument. */
export interface Task {
  readonly bundle: string;
  readonly probes: number;
  readonly words: readonly string[];
  readonly inputs: number;
  readonly seed: number;
}

/** `summary.json` at the end. */
export interface Summary {
  readonly inputs: number;
  readonly refused: number;
  readonly cpuSeconds: number;
  readonly grownBytes: number;
  readonly reached: number;
  readonly kept: number;
}

const mostFindings = 40;
/** How much more of the heap a run may have at its end than after its first quarter: compiled code, bounded caches. */
const keptBytes = 16 * 1024 * 1024;

const folder = process.argv[2] ?? '';
const inside = (...names: readonly string[]): string => path.join(folder, ...names);
const task = JSON.parse(readFileSync(inside('task.json'), 'utf8')) as Task;
const probes = new Uint8Array(Math.ceil(task.probes / 4) * 4);
Object.assign(globalThis, { fuzzProbes: probes });
const { target } = createRequire(import.meta.url)(task.bundle) as { readonly target: FuzzTarget };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heap = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

let count = 0;
let refused = 0;
let heapAtFirst = 0;
const causes = new Set<string>();
const current = openSync(inside('current'), 'w');
const head = Buffer.alloc(12);

mkdirSync(inside('findings'));
mkdirSync(inside('kept'));

function keep(finding: Finding, input: Uint8Array): void {
  // Numbers and places in the input differ from input to input.
  const cause = `${finding.kind} ${finding.what.replace(/\d+/g, '#')}`;
  if (causes.has(cause) || causes.size >= mostFindings) return;
  causes.add(cause);
  const name = createHash('sha256').update(input).digest('hex').slice(0, 12);
  writeFileSync(inside('findings', name), input);
  writeFileSync(inside('findings', `${name}.json`), JSON.stringify(finding));
}

const counting: FuzzTarget = {
  ...target,
  refuses: (error) => {
    const declared = target.refuses(error);
    if (declared) refused++;
    return declared;
  },
};
const { kept, reached } = await explore(counting, {
  ...task,
  seeds: readdirSync(inside('seeds')).map((name) => readFileSync(inside('seeds', name))),
  probes,
  onInput: (input) => {
    count++;
    // Not at the start: what is compiled and cached once is no growth.
    if (count === Math.min(20_000, Math.floor(task.inputs / 4))) heapAtFirst = heap();
    // An input that ends or hangs this process is found there.
    head.writeBigUInt64LE(BigInt(count), 0);
    head.writeUInt32LE(input.length, 8);
    writeSync(current, Buffer.concat([head, input]), 0, head.length + input.length, 0);
  },
  onFinding: keep,
});
const grownBytes = heap() - heapAtFirst;
if (heapAtFirst > 0 && grownBytes > keptBytes) {
  keep({ kind: 'growth', what: `the heap has ${Math.round(grownBytes / 1024)} KiB more` }, new Uint8Array());
}
kept.forEach((input, index) => writeFileSync(inside('kept', String(index)), input));
const { user, system } = process.cpuUsage();
const cpuSeconds = (user + system) / 1e6;
const summary: Summary = { inputs: count, refused, cpuSeconds, grownBytes, reached, kept: kept.length };
writeFileSync(inside('summary.json'), JSON.stringify(summary));
process.exit();
