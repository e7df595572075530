import { KubeletError } from '@podwright/errors';
import { createSystemClock } from './system-clock.js';

const clock = createSystemClock();
const pollMs = 1;
// Below the time that test runners usually give a test, so that a test that fails leaves no loop behind.
const defaultLimitMs = 25_000;

/**
 * Waits in real time until `condition` is true: for sockets, threads, child processes and the kernel, of which no
 * virtual clock knows. For tests. Rejects with `deadline-exceeded` after `limitMs`, 25 s by default: that long, because
 * how soon something comes on a busy machine says nothing. Pass less only for what is not expected to come.
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  limitMs: number = defaultLimitMs,
): Promise<void> {
  const latestMs = clock.monotonic() + limitMs;
  while (!(await condition())) {
    if (clock.monotonic() > latestMs) {
      throw new KubeletError(`condition not met within ${limitMs} ms`, { code: 'deadline-exceeded' });
    }
    await clock.sleep(pollMs);
  }
}
