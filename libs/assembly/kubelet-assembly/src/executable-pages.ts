import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { madviseModule, type AddressRange } from './madvise-module.js';

const checkMs = 1_000;
// Processor time of the process since the last time, in work and once it has come to rest.
const afterWorkUs = 250_000;
const atRestUs = 50_000;
/** Less than this between two looks is rest. */
const restUs = 20_000;

export interface PagesOfProcess {
  /** Processor time of the process so far, in microseconds. */
  cpuUs(): number;
  /** Text of /proc/self/smaps. */
  readMappings(): Promise<string>;
  /** Path of the executable, as in its mappings. */
  readExecutable(): Promise<string>;
  /** Resolves with what gives these pages back. */
  prepare(ranges: readonly AddressRange[]): Promise<() => void>;
}

/**
 * Gives the pages of the executable back again and again, after each quarter of a second of processor time. The kernel
 * maps 16 pages for each that is needed, and never takes one away while there is free memory; so most that are mapped
 * after the start were needed once or never. They stay in the page cache: what is needed again is there without a read.
 * Figures are in docs/decisions/0011-memory.md. Returns when the signal aborts, or when this machine cannot.
 */
export async function returnExecutablePages(
  { clock, logger, process = thisProcess }: { clock: Clock; logger: Logger; process?: PagesOfProcess },
  signal: AbortSignal,
): Promise<void> {
  let giveBack: () => void;
  try {
    await clock.sleep(checkMs, signal);
    const ranges = unchangedMappings(await process.readMappings(), await process.readExecutable());
    if (ranges.length === 0)
      throw new KubeletError('/proc/self/smaps does not name the executable', { code: 'not-found' });
    giveBack = await process.prepare(ranges);
  } catch (error) {
    if (!signal.aborted) logger.debug(2, 'Pages of the executable stay in memory', { error });
    return;
  }
  let returnedAtUs = 0;
  let lookedAtUs = 0;
  const look = (): void => {
    const nowUs = process.cpuUs();
    const isAtRest = nowUs - lookedAtUs < restUs;
    lookedAtUs = nowUs;
    if (nowUs - returnedAtUs < (isAtRest ? atRestUs : afterWorkUs)) return;
    giveBack();
    returnedAtUs = nowUs;
  };
  await clock.every(checkMs, look, signal);
}

/**
 * Where a file is mapped in a process that has not changed these pages and may not write to them: what the kernel drops
 * there it reads again from the file. `smaps` is as in proc_pid_smaps(5).
 */
export function unchangedMappings(smaps: string, file: string): readonly AddressRange[] {
  return smaps
    .split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
    .filter((mapping) => / 0 kB$/.test(/^Anonymous:.*$/m.exec(mapping)?.[0] ?? ''))
    .map((mapping) => /^([0-9a-f]+)-([0-9a-f]+) .(.).. \S+ \S+ \S+ +(.*)$/m.exec(mapping))
    .filter((found) => found !== null)
    .filter(([, , , writable, path]) => writable === '-' && path === file)
    .map(([, start = '', end = '']) => ({ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16) }));
}

export const thisProcess: PagesOfProcess = {
  cpuUs: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  readMappings: () => readFile('/proc/self/smaps', 'utf8'),
  readExecutable: () => readlink('/proc/self/exe'),
  prepare: loadMadviseModule,
};

/** A module can only be loaded from a file. Rejects where the folder for temporary files is mounted without `exec`. */
async function loadMadviseModule(ranges: readonly AddressRange[]): Promise<() => void> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new KubeletError(`not on ${process.platform} ${process.arch}`, { code: 'unimplemented' });
  const folder = await mkdtemp(path.join(tmpdir(), 'kubelet-'));
  try {
    const file = path.join(folder, 'madvise.node');
    await writeFile(file, madviseModule(ranges));
    const loaded: { exports: unknown } = { exports: {} };
    process.dlopen(loaded, file);
    return loaded.exports as () => void;
  } finally {
    await rm(folder, { recursive: true });
  }
}
