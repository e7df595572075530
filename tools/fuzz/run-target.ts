import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { corpusOf } from './corpus.js';
import { bundleChild, bundleTarget } from './engine/bundle.js';
import type { Summary, Task } from './engine/child.js';
import { judge, type Finding, type FoundInput } from './engine/judge.js';
import { steepGrowth } from './engine/steep-growth.js';
import type { FuzzTarget } from './fuzz-target.js';
import { wordsOf } from './words-of.js';

export interface TargetRun extends Summary {
  readonly name: string;
  /** How many branches of the code there are, in our sources and in the npm packages that they use. */
  readonly branches: number;
  readonly findings: readonly FoundInput[];
}

export interface RunOptions {
  readonly inputs: number;
  readonly seed: number;
  readonly root: string;
}

const watchMs = 5000;
/** Seconds of the processor, not of a clock: the machine may be busy. */
const mostSeconds = 20;
const nothing: Summary = { inputs: 0, refused: 0, cpuSeconds: 0, grownBytes: 0, reached: 0, kept: 0 };

/** Runs the fuzzer on one target in a process of its own, and then checks what it found without its probes. */
export async function runTarget(target: FuzzTarget, { inputs, seed, root }: RunOptions): Promise<TargetRun> {
  const folder = mkdtempSync(path.join(tmpdir(), `podwright-fuzz-${target.name}-`));
  const { bundle, probes, words } = await bundleTarget(target.name, root);
  const seeds = [...target.seeds().map((input) => Buffer.from(input)), ...corpusOf(target.name)];
  mkdirSync(path.join(folder, 'seeds'));
  seeds.forEach((input, index) => writeFileSync(path.join(folder, 'seeds', String(index).padStart(5, '0')), input));
  const task: Task = { bundle, probes, words: [...wordsOf(seeds), ...words], inputs, seed };
  writeFileSync(path.join(folder, 'task.json'), JSON.stringify(task));
  const end = await runChild(await bundleChild(root), folder);
  const file = path.join(folder, 'summary.json');
  const summary = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Summary) : nothing;
  const findings = [
    ...(await confirmed(target, folder)),
    ...(await steepGrowth(target, keptIn(folder), folder)),
    ...endOfProcess(folder, end),
  ];
  if (findings.length === 0) rmSync(folder, { recursive: true });
  return { ...summary, name: target.name, branches: probes, findings };
}

/** Resolves with how the process ended; undefined: as it should. Ends it when it reads one input for too long. */
function runChild(program: string, folder: string): Promise<string | undefined> {
  const child = spawn(process.execPath, ['--max-old-space-size=1024', program, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let last = '';
    let errors = '';
    child.stderr.on('data', (part: Buffer) => (errors = (errors + part.toString()).slice(-2000)));
    let since = 0;
    const watch = setInterval(() => {
      const [now, seconds] = [headOf(folder), secondsOf(child.pid)];
      if (now !== last) since = seconds;
      else if (seconds - since > mostSeconds) child.kill('SIGKILL');
      last = now;
    }, watchMs);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(watch);
      resolve(code === 0 ? undefined : `${signal ?? `code ${code}`}: ${errors.trim().replace(/\s+/g, ' ')}`);
    });
  });
}

const ticksPerSecond = 100;

/** What a process has used of the processor; where there is no /proc, the time since this one started. */
function secondsOf(pid: number | undefined): number {
  try {
    // The name before may hold blanks and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return performance.now() / 1000;
  }
}

const headOf = (folder: string): string => {
  const file = path.join(folder, 'current');
  return existsSync(file) ? readFileSync(file).subarray(0, 8).toString('hex') : 'none';
};

/** What the process with probes found and this one finds as well; probes make code slower. */
async function confirmed(target: FuzzTarget, folder: string): Promise<readonly FoundInput[]> {
  const found: FoundInput[] = [];
  for (const file of inFolder(folder, 'findings').filter((each) => !each.endsWith('.json'))) {
    const first = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Finding;
    const finding = first.kind === 'growth' ? first : await judge(target, readFileSync(file));
    if (finding !== undefined) found.push({ ...finding, file });
  }
  return found;
}

function endOfProcess(folder: string, end: string | undefined): readonly FoundInput[] {
  if (end === undefined) return [];
  const current = path.join(folder, 'current');
  const content = existsSync(current) ? readFileSync(current) : Buffer.alloc(12);
  const file = path.join(folder, 'last-input');
  writeFileSync(file, content.subarray(12, 12 + content.readUInt32LE(8)));
  return [{ kind: 'end of the process', what: end, file }];
}

const keptIn = (folder: string): readonly Buffer[] => inFolder(folder, 'kept').map((file) => readFileSync(file));

function inFolder(folder: string, name: string): readonly string[] {
  const inner = path.join(folder, name);
  return existsSync(inner) ? readdirSync(inner).map((file) => path.join(inner, file)) : [];
}
