import type { Clock } from '@podwright/time';

export interface ProgressParts {
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly nodes: number;
  readonly readyCount: () => number;
}

const periodMs = 1_000;

/** Prints how many nodes are Ready whenever that has changed, at most once a second, until the signal. */
export async function showProgress(
  { clock, print, nodes, readyCount }: ProgressParts,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = clock.monotonic();
  let shown = -1;
  await clock.every(
    periodMs,
    () => {
      const ready = readyCount();
      if (ready === shown) return;
      shown = ready;
      print(`${ready} of ${nodes} nodes Ready after ${((clock.monotonic() - startedMs) / 1_000).toFixed(1)} s`);
    },
    signal,
  );
}
