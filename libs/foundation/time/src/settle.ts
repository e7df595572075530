import { yieldToEventLoop } from './event-loop.js';

// Several turns, because promises may wait for setImmediate themselves. Between two turns all microtasks run.
const quietTurns = 3;
// About a second of real time: a request that hangs must not hang the simulation.
const mostTurnsForFiles = 20_000;

/**
 * Waits until everything has run that needs no timer: microtasks, immediates and file operations in flight. It does not
 * wait for sockets; a simulation that uses them gives the virtual clock its own `settle`.
 */
export async function settleEventLoop(): Promise<void> {
  let quiet = 0;
  for (let turn = 0; quiet < quietTurns && turn < mostTurnsForFiles; turn++) {
    await yieldToEventLoop();
    quiet = hasFileOperation() ? 0 : quiet + 1;
  }
}

function hasFileOperation(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq') || name === 'CloseReq');
}
