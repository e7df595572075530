import type { Clock } from '@podwright/time';

export interface Engine {
  /** Size of the space for new objects, both halves together. */
  youngBytes(): number;
  /** Memory that the heap has from the kernel. */
  heapBytes(): number;
  /** Collects all garbage at once and returns the memory. */
  collect(): void;
  /** Processor time of the process so far, in microseconds. */
  cpuUs(): number;
  set(setting: string): void;
}

const checkMs = 1_000;
// V8 doubles the space, from 1 MiB when the process has been idle: it comes to rest at 8 MiB.
const enoughBytes = 6 * 1024 * 1024;
/** Less than this between two checks is rest. */
const restUs = 50_000;
// V8 has begun by itself until then, if it does.
const restChecks = 5;
// As V8, which makes the heap smaller each time it has grown by that.
const garbageBytes = 10 * 1024 * 1024;
/** A larger heap is left to V8: to collect all of it at once would hold up the event loop for more than 100 ms. */
const smallBytes = 100 * 1024 * 1024;

/**
 * Keeps the heap as small as a daemon that is idle most of the time can have it. Figures are in
 * docs/decisions/0011-memory.md.
 *
 * - V8's space for new objects may grow to 8 MiB (4 MiB per half) and no further. A burst of pods would grow it to 32
 *   MiB, of which V8 gives back nothing as long as there is some work: 30 MiB of memory that save hardly any CPU time.
 *   But V8 also shrinks it to 1 MiB in an idle process, and then collects five times as often.
 * - At rest V8 may collect what a burst has left, and return the memory. It would do so by itself in a process that
 *   allocates next to nothing, and even an idle kubelet allocates too much for that. It does so once for each 10 MiB by
 *   which the heap has grown since it last did, and that may have been at the beginning of a burst. So what is left
 *   after five seconds at rest is collected here.
 */
export async function tendHeap(clock: Clock, engine: Engine, signal: AbortSignal): Promise<void> {
  let current: readonly string[] = [];
  let seenUs = 0;
  let rests = 0;
  let restBytes: number | undefined;
  const check = (): void => {
    const nowUs = engine.cpuUs();
    const isAtRest = nowUs - seenUs < restUs;
    const wanted = [
      `--semi-space-growth-factor=${engine.youngBytes() < enoughBytes ? 2 : 1}`,
      isAtRest ? '--optimize-for-size' : '--no-optimize-for-size',
    ];
    seenUs = nowUs;
    rests = isAtRest ? rests + 1 : 0;
    if (rests === restChecks) {
      const bytes = engine.heapBytes();
      if (bytes - (restBytes ?? bytes) > garbageBytes && bytes < smallBytes) engine.collect();
      restBytes = engine.heapBytes();
    }
    for (const setting of wanted) if (!current.includes(setting)) engine.set(setting);
    current = wanted;
  };
  await clock.every(checkMs, check, signal);
}
