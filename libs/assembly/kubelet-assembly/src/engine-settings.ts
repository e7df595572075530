import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSystemClock } from '@podwright/time';
import { thisProcess } from './executable-pages.js';
import { tendHeap } from './tend-heap.js';

// Fifteen times V8's default. Busy loops reach the budget within milliseconds.
const settingsOfNode20 = ['--interrupt-budget=1000000'];

const settingsOfLater = [
  // Without the compiler in the middle, whose code costs 10 MiB. The one before it is nearly as fast for a kubelet, and
  // the one after it still compiles busy loops.
  '--no-maglev',
  // The old generation grows by three fifths between two collections, and not to twice its size.
  '--heap-growing-percent=60',
  // V8 looks for rest after 2 s, to make the heap smaller, and not after 8 s.
  '--gc-memory-reducer-start-delay-ms=2000',
];

/** Settings for the V8 of this version, `process.versions.v8`. */
export const engineSettings = (v8: string): readonly string[] => [
  // Code that runs a few times a minute is not worth compiling. V8 complains on stderr about settings that it lacks.
  ...(Number.parseInt(v8, 10) < 12 ? settingsOfNode20 : settingsOfLater),
];

/**
 * Tunes V8 for a daemon that is idle most of the time; figures are in docs/decisions/0011-memory.md. Set here and not
 * on a command line, because the executable starts as plain `node`.
 */
export function tuneEngine(): void {
  for (const setting of engineSettings(process.versions.v8)) setFlagsFromString(setting);
  const { cpuUs } = thisProcess;
  const engine = { youngBytes, heapBytes, collect, cpuUs, set: setFlagsFromString };
  void tendHeap(createSystemClock(), engine, new AbortController().signal);
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

const heapBytes = (): number => getHeapStatistics().total_heap_size;

/** V8 gives its function for that to new contexts alone, and only while the setting is on. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as (how: { readonly type: string; readonly flavor: string }) => void;
  setFlagsFromString('--no-expose-gc');
  collectGarbage({ type: 'major', flavor: 'last-resort' });
}
