import { createSystemClock } from '@podwright/time';
import type { CollectedCase } from './collect-cases.js';

/** How a case ended. `stuck`: it did not end within the {@link Patience}. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'stuck' };

const clock = createSystemClock();
/** How long to wait for a case. */
export interface Patience {
  /** The most time without activity: no file operation in flight, and no socket, process or timer added or removed. */
  readonly quietMs: number;
  /** The most time altogether. */
  readonly longestMs: number;
}

/** Runs one case with its hooks. Failures of the hooks after it count, too. */
export async function runCase({ before, body, after }: CollectedCase, patience: Patience): Promise<Outcome> {
  const outcome = await settled([...before, body], patience);
  const ending = await settled(after, patience);
  return outcome.kind === 'passed' ? ending : outcome;
}

async function settled(steps: CollectedCase['before'], { quietMs, longestMs }: Patience): Promise<Outcome> {
  let outcome: Outcome | undefined;
  const work = async (): Promise<void> => {
    for (const step of steps) await step();
  };
  const done = work().then(
    () => (outcome = { kind: 'passed' }),
    (error: unknown) => (outcome = { kind: 'failed', error }),
  );
  const startedMs = clock.monotonic();
  let busyMs = startedMs;
  let inUse: string | undefined;
  for (;;) {
    await Promise.race([done, clock.sleep(1)]);
    if (outcome !== undefined) return outcome;
    const nowMs = clock.monotonic();
    const inUseBefore = inUse;
    inUse = process.getActiveResourcesInfo().sort().join(' ');
    // A pending request, such as one to the file system, ends sooner or later.
    if (inUse !== inUseBefore || inUse.includes('Req')) busyMs = nowMs;
    if (nowMs - busyMs > quietMs || nowMs - startedMs > longestMs) return { kind: 'stuck' };
  }
}
