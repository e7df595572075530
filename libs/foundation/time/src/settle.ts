import { performance } from 'node:perf_hooks';
import { yieldToEventLoop } from './event-loop.js';
import { hasFileOperation, watchFileOperations } from './file-operations.js';

// Several turns, because promises may wait for setImmediate themselves. Between two turns all microtasks run.
const quietTurns = 3;
// An operation that hangs must not hang the simulation, but a slow disk is no reason to go on without its answer. Turns
// count as well, because in a process that stood still the answer is there and was not looked at yet.
const longestMsForFiles = 10_000;
const leastTurnsForFiles = 20_000;

/**
 * Waits until everything has run that needs no timer: microtasks, immediates and file operations in flight. It does not
 * wait for sockets; a simulation that uses them gives the virtual clock its own `settle`.
 */
export async function settleEventLoop(): Promise<void> {
  watchFileOperations();
  const startedMs = performance.now();
  let quiet = 0;
  for (let turn = 0; quiet < quietTurns; turn++) {
    await yieldToEventLoop();
    quiet = hasFileOperation() ? 0 : quiet + 1;
    if (turn >= leastTurnsForFiles && performance.now() - startedMs >= longestMsForFiles) return;
  }
}
