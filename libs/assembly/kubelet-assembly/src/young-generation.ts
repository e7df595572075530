import type { Clock } from '@podwright/time';

export interface Engine {
  /** Size of the space for new objects, both halves together. */
  youngBytes(): number;
  set(setting: string): void;
}

const checkMs = 1_000;
// V8 doubles the space, from 1 MiB when the process has been idle: it comes to rest at 8 MiB.
const enoughBytes = 6 * 1024 * 1024;

/**
 * Lets V8's space for new objects grow to 8 MiB (4 MiB per half) and no further. A burst of pods would grow it to 32 MiB, of
 * which V8 gives back nothing as long as there is some work: 30 MiB of memory that save hardly any CPU time. But V8 also
 * shrinks it to 1 MiB in an idle process, and then collects five times as often. Figures are in
 * docs/decisions/0011-memory.md.
 */
export async function tendYoungGeneration(clock: Clock, engine: Engine, signal: AbortSignal): Promise<void> {
  let factor: number | undefined;
  const check = (): void => {
    const wanted = engine.youngBytes() < enoughBytes ? 2 : 1;
    if (wanted !== factor) engine.set(`--semi-space-growth-factor=${wanted}`);
    factor = wanted;
  };
  await clock.every(checkMs, check, signal);
}
