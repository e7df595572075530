import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { ProgramEnd } from '@podwright/program';
import { eventually, VirtualClock } from '@podwright/time';
import { guardedWalk } from './guarded-walk.js';
import { parseMountTable } from './index.js';

const table = parseMountTable('1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:40 / /pods/n rw - nfs4 server:/ rw');

/** A walk that stands still at a file until it is told to go on. */
class StandingWalk {
  begun = false;
  goOn: () => void = () => undefined;

  readonly run = async (step: () => void): Promise<void> => {
    this.begun = true;
    step();
    await new Promise<void>((resolve) => (this.goOn = resolve));
    step();
  };
}

describe('guardedWalk', () => {
  const clock = new VirtualClock();
  const start = (walk: StandingWalk, signal?: AbortSignal, end: ProgramEnd = { how: 'exited', code: 0 }) => {
    const run = async () => ({ end, problem: undefined, stdout: '', stderr: '' });
    const walked = guardedWalk('/pods/n/a', walk.run, { clock, signal, list: async () => table, run });
    walked.catch(() => undefined);
    return walked;
  };
  /** Where links lead is read from the disk, so a walk begins in its own time. */
  const begins = (walk: StandingWalk): Promise<void> => eventually(() => walk.begun);

  it('lets two walks hang on network file systems; the third waits until one of them is back', async () => {
    const walks = [new StandingWalk(), new StandingWalk(), new StandingWalk()] as const;
    const ends = [start(walks[0]), start(walks[1])] as const;
    await Promise.all([begins(walks[0]), begins(walks[1])]);
    const third = start(walks[2]);
    await clock.advance(120_000);
    const gone = { code: 'unavailable', message: 'the file system at /pods/n/a does not answer any more' };
    await expect(ends[0]).rejects.toMatchObject(gone);
    await expect(ends[1]).rejects.toMatchObject(gone);
    expect(walks[2].begun).toBe(false);
    walks[0].goOn(); // its server is back
    await begins(walks[2]);
    walks[1].goOn();
    walks[2].goOn();
    await third;
  });

  it('does not begin where no answer comes, and gives its place back', async () => {
    for (let tries = 0; tries < 3; tries++) {
      const walk = new StandingWalk();
      await expect(start(walk, undefined, { how: 'aborted' })).rejects.toMatchObject({ code: 'unavailable' });
      expect(walk.begun).toBe(false);
    }
  });

  it('goes on after a deadline, and stops for another reason', async () => {
    const late = AbortSignal.abort(new KubeletError('late', { code: 'deadline-exceeded' }));
    const controllers = [new AbortController(), new AbortController()] as const;
    const walks = [new StandingWalk(), new StandingWalk()] as const;
    const ends = walks.map((walk, at) => start(walk, controllers[at]?.signal));
    await Promise.all([begins(walks[0]), begins(walks[1])]);
    controllers[0].abort(late.reason);
    controllers[1].abort(new KubeletError('stopped', { code: 'cancelled' }));
    walks[0].goOn();
    walks[1].goOn();
    await ends[0];
    await expect(ends[1]).rejects.toMatchObject({ message: 'stopped' });
  });

  it('asks nobody about other file systems', async () => {
    const asked: unknown[] = [];
    const run = async (command: unknown) => {
      asked.push(command);
      return { end: { how: 'aborted' } as const, problem: undefined, stdout: '', stderr: '' };
    };
    await guardedWalk('/pods/m', async (step) => step(), { clock, list: async () => table, run });
    expect(asked).toEqual([]);
  });
});
