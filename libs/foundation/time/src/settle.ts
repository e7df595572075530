import { yieldToEventLoop } from './event-loop.js';

// Turns for promises that wait for setImmediate themselves; between two turns all microtasks run, however deep.
const quietTurns = 3;
// About a second of real time: a request that hangs must not hang the simulation.
const mostTurnsForFiles = 20_000;

/**
 * Lets everything that can go on without time going on do so: microtasks, immediates and file operations in flight.
 * Sockets are not waited for; a simulation that uses them gives the virtual clock a `settle` of its own.
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
