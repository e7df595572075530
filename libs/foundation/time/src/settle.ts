import { performance } from 'node:perf_hooks';
import { yieldToEventLoop } from './event-loop.js';
import { hasFileOperation, watchFileOperations } from './file-operations.js';

// Several turns, because promises may wait for setImmediate themselves. Between two turns all microtasks run.
const quietTurns = 3;
// An operation that hangs must not hang the simulation, but a slow disk is no reason to go on without its answer. Turns
// count as well, because in a process that stood still the answer is there and was not looked at yet.
const longestMs = 10_000;
const leastTurns = 1_000;

/**
 * Waits until everything has run that needs no timer: microtasks, immediates and file operations in flight. It does not
 * wait for sockets; a simulation that uses them gives the virtual clock a `settle` that says with `isAtWork` whether
 * something else is under way.
 */
export async function settleEventLoop(isAtWork: () => boolean = () => false): Promise<void> {
  watchFileOperations();
  const startedMs = performance.now();
  let quiet = 0;
  let isBusy = false;
  for (let turn = 0; quiet < quietTurns; turn++) {
    // Turn after turn without a pause would take the processor from the threads that do the work.
    await (isBusy ? aMillisecond() : yieldToEventLoop());
    isBusy = hasFileOperation() || isAtWork();
    quiet = isBusy ? 0 : quiet + 1;
    if (turn >= leastTurns && performance.now() - startedMs >= longestMs) return;
  }
}

const aMillisecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
