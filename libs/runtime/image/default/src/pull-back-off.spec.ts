import { describe, expect, it } from '@jest/globals';
import { VolatilePodCheckpoints } from '@podwright/pod-checkpoint-interface/contract';
import { VirtualClock } from '@podwright/time';
import { pullBackOffPart } from './pull-back-off-part.js';
import { PullBackOff } from './pull-back-off.js';

function setUp() {
  const clock = new VirtualClock();
  let checkpoints = new VolatilePodCheckpoints();
  const create = () => new PullBackOff({ clock, checkpoints, initialMs: 10_000, maxMs: 300_000 });
  const restart = () => {
    checkpoints = checkpoints.restarted();
    return create();
  };
  return { clock, pulls: create(), restart, checkpointed: () => checkpoints.read('u', pullBackOffPart) };
}

describe('back-off of pulls over a restart', () => {
  it('goes on where it was, with the failure', async () => {
    const { clock, pulls, restart } = setUp();
    await pulls.fail('u', 'a', 'ErrImagePull: gone');
    await clock.advance(10_000);
    expect(pulls.isWaiting('u', 'a')).toBe(false);
    await pulls.fail('u', 'a', 'ErrImagePull: still gone'); // 20 s from here
    await clock.advance(12_000);
    const next = restart();
    expect(next.isWaiting('u', 'a')).toBe(true);
    expect(next.lastFailure('u', 'a')).toBe('ErrImagePull: still gone');
    await clock.advance(8_000);
    expect(next.isWaiting('u', 'a')).toBe(false);
    await next.fail('u', 'a', 'x');
    await clock.advance(39_999);
    expect(next.isWaiting('u', 'a')).toBe(true);
  });

  it('is apart for pods and images', async () => {
    const { pulls, restart } = setUp();
    await pulls.fail('u', 'a', 'x');
    await pulls.fail('u', 'b', 'x');
    const next = restart();
    expect(['a', 'b', 'c'].map((image) => next.isWaiting('u', image))).toEqual([true, true, false]);
    expect(next.isWaiting('v', 'a')).toBe(false);
  });

  it('does not come back when it has run out', async () => {
    const { clock, pulls, restart, checkpointed } = setUp();
    await pulls.fail('u', 'a', 'x');
    await clock.advance(600_001);
    const next = restart();
    expect([next.isWaiting('u', 'a'), next.lastFailure('u', 'a')]).toEqual([false, undefined]);
    await next.fail('u', 'b', 'y');
    expect(Object.keys(checkpointed() ?? {})).toEqual(['b']);
  });

  it('keeps the back-off of another image that this process has not met', async () => {
    const { pulls, restart, checkpointed } = setUp();
    await pulls.fail('u', 'a', 'x');
    await restart().fail('u', 'b', 'y');
    expect(Object.keys(checkpointed() ?? {})).toEqual(['a', 'b']);
  });

  it.each([
    [null],
    [[]],
    ['x'],
    [{ a: 1 }],
    [{ a: { delayMs: -1, updatedAtMs: 0, failure: '' } }],
    [{ a: { delayMs: 1, updatedAtMs: 1 } }],
  ])('is not read from %j', (json) => {
    expect(pullBackOffPart.decode(json)).toBeUndefined();
  });
});
