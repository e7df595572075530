import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { VirtualClock } from '@podwright/time';
import { FileSystems, type FileSystemCalls } from './file-systems.js';

const never = new AbortController().signal;
const answer = { bsize: 4096, blocks: 100, bfree: 40, bavail: 30, files: 50, ffree: 20 };

function harness(): { clock: VirtualClock; systems: FileSystems; asked: string[]; wake: Map<string, () => void> } {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const wake = new Map<string, () => void>();
  const statfs: FileSystemCalls['statfs'] = (path) => {
    asked.push(path);
    if (path === '/missing') return Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' }));
    if (!path.startsWith('/dead')) return Promise.resolve(answer);
    return new Promise((resolve) => wake.set(path, () => resolve(answer)));
  };
  const systems = new FileSystems(clock, 1_000, { statfs, stat: async () => ({ dev: 7 }) });
  return { clock, systems, asked, wake };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return ['not-found', 'deadline-exceeded', 'unavailable'].find((code) => hasCode(error, code as 'unavailable')) ?? '';
};

describe('file systems', () => {
  it('tells bytes and inodes, as root and others may use them', async () => {
    const { systems } = harness();
    expect(await systems.numbers('/', never)).toEqual({
      availableBytes: 30 * 4096,
      capacityBytes: 100 * 4096,
      usedBytes: 60 * 4096,
      inodes: 50,
      inodesFree: 20,
    });
    expect(await systems.device('/', never)).toBe(7);
    expect(await codeOf(systems.numbers('/missing', never))).toBe('not-found');
  });

  it('waits for a dead one once, and asks it again when it lives', async () => {
    const { clock, systems, asked, wake } = harness();
    const waiting = codeOf(systems.numbers('/dead', never));
    const same = codeOf(systems.numbers('/dead', never));
    await clock.advance(1_000);
    expect([await waiting, await same]).toEqual(['deadline-exceeded', 'deadline-exceeded']);
    expect(await codeOf(systems.numbers('/dead', never))).toBe('unavailable');
    expect(asked).toEqual(['/dead']);
    wake.get('/dead')?.();
    await clock.advance(0);
    const alive = systems.numbers('/dead', never);
    wake.get('/dead')?.();
    expect((await alive).inodes).toBe(50);
  });

  it('starts nothing more while two hang', async () => {
    const { clock, systems, asked } = harness();
    const hanging = [codeOf(systems.numbers('/dead/1', never)), codeOf(systems.numbers('/dead/2', never))];
    await clock.advance(1_000);
    await Promise.all(hanging);
    expect(await codeOf(systems.numbers('/', never))).toBe('unavailable');
    expect(asked).toEqual(['/dead/1', '/dead/2']);
  });

  it('does not call a file system that a child process could not ask', async () => {
    const { clock, asked } = harness();
    const statfs: FileSystemCalls['statfs'] = async (path) => (asked.push(path), answer);
    const requireAnswer: FileSystemCalls['requireAnswer'] = (_path, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const systems = new FileSystems(clock, 1_000, { statfs, stat: async () => ({ dev: 7 }), requireAnswer });
    const hung = codeOf(systems.numbers('/nfs', never));
    await clock.advance(1_000);
    expect([await hung, asked]).toEqual(['deadline-exceeded', []]);
    const again = codeOf(systems.numbers('/nfs', never));
    await clock.advance(1_000);
    expect([await again, asked]).toEqual(['deadline-exceeded', []]);
  });
});
