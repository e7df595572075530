import type { Clock } from '@podwright/time';

export interface Engine {
  /** Size of the space for new objects, both halves together. */
  youngBytes(): number;
  /** Processor time of the process so far, in microseconds. */
  cpuUs(): number;
  set(setting: string): void;
}

const checkMs = 1_000;
// V8 doubles the space, from 1 MiB when the process has been idle: it comes to rest at 8 MiB.
const enoughBytes = 6 * 1024 * 1024;
/** Less than this between two checks is rest. */
const restUs = 50_000;

/**
 * Keeps the heap as small as a daemon that is idle most of the time can have it. Figures are in
 * docs/decisions/0011-memory.md.
 *
 * - V8's space for new objects may grow to 8 MiB (4 MiB per half) and no further. A burst of pods would grow it to 32
 *   MiB, of which V8 gives back nothing as long as there is some work: 30 MiB of memory that save hardly any CPU time.
 *   But V8 also shrinks it to 1 MiB in an idle process, and then collects five times as often.
 * - At rest V8 may collect what a burst has left, and return the memory. It would do so by itself in a process that
 *   allocates next to nothing, and even an idle kubelet allocates too much for that. It does so once for each 10 MiB by
 *   which the heap has grown.
 */
export async function tendHeap(clock: Clock, engine: Engine, signal: AbortSignal): Promise<void> {
  let current: readonly string[] = [];
  let seenUs = 0;
  const check = (): void => {
    const nowUs = engine.cpuUs();
    const wanted = [
      `--semi-space-growth-factor=${engine.youngBytes() < enoughBytes ? 2 : 1}`,
      nowUs - seenUs < restUs ? '--optimize-for-size' : '--no-optimize-for-size',
    ];
    seenUs = nowUs;
    for (const setting of wanted) if (!current.includes(setting)) engine.set(setting);
    current = wanted;
  };
  await clock.every(checkMs, check, signal);
}
