import { describe, expect, it } from '@podwright/contract';
import type { LogRotation } from '../log-rotation.js';

/**
 * One fresh instance, not started. It rotates logs of 1000 bytes and more, keeps three files per container, and checks
 * every ten seconds once started.
 */
export interface LogRotationHarness {
  readonly rotation: LogRotation;
  /** Creates a container with an empty log; resolves with the log's path. */
  addContainer(name: string, state?: 'running' | 'exited'): Promise<string>;
  /** Makes the container write to its open file, even if that was renamed. */
  write(name: string, text: string): Promise<void>;
  /** From now on the runtime fails to reopen logs. */
  refuseReopening(): void;
  /** File names in the log's folder, sorted. */
  files(name: string): Promise<readonly string[]>;
  /** Content of a file in that folder, decompressed when its name ends in `.gz`. */
  content(name: string, file: string): Promise<string>;
  remove(name: string, file: string): Promise<void>;
  put(name: string, file: string, text: string): Promise<void>;
  /** Advances the virtual clock and lets pending work proceed. */
  pass(ms: number): Promise<void>;
  /** Timers that still run; must be 0 after stop. */
  pendingTimers(): number;
}

const large = (mark: string): string => `${mark.repeat(999)}\n`;
const rotatedName = /^0\.log\.\d{8}-\d{6}$/;

/** Every implementation of {@link LogRotation} passes this suite; `create` gives a new instance per case. */
export function describeLogRotationContract(name: string, create: () => Promise<LogRotationHarness>): void {
  describe(`${name} as a LogRotation`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { rotation, pendingTimers } = await create();
      await rotation.stop();
      await Promise.all([rotation.stop(), rotation.stop()]);
      expect(() => rotation.healthy()).not.toThrow();
      expect(pendingTimers()).toBe(0);
    });

    it('leaves a log alone that is smaller than its limit, and that of a container that has ended', async () => {
      const harness = await create();
      await harness.addContainer('small');
      await harness.write('small', large('a').slice(1));
      await harness.addContainer('ended', 'exited');
      await harness.write('ended', large('a'));
      await harness.rotation.rotateDueLogs();
      expect(await harness.files('small')).toEqual(['0.log']);
      expect(await harness.files('ended')).toEqual(['0.log']);
      await harness.rotation.stop();
    });

    it('gives a log that has reached its limit another name, and the container a new one; nothing is lost', async () => {
      const harness = await create();
      await harness.addContainer('app');
      await harness.write('app', large('a'));
      await harness.rotation.rotateDueLogs();
      await harness.write('app', 'next\n');
      const files = await harness.files('app');
      expect(files).toEqual(['0.log', expect.stringMatching(rotatedName)]);
      expect(await harness.content('app', '0.log')).toBe('next\n');
      expect(await harness.content('app', files[1] ?? '')).toBe(large('a'));
      await harness.rotation.stop();
    });

    it('compresses all but the newest of the rotated ones, and keeps no more than it may, the oldest go', async () => {
      const harness = await create();
      await harness.addContainer('app');
      for (const mark of ['a', 'b', 'c', 'd']) {
        await harness.write('app', large(mark));
        await harness.rotation.rotateDueLogs();
        await harness.pass(1_000);
      }
      const files = await harness.files('app');
      expect(files).toHaveLength(3);
      expect(files[0]).toBe('0.log');
      expect(files[1]).toMatch(/^0\.log\.\d{8}-\d{6}\.gz$/);
      expect(files[2]).toMatch(rotatedName);
      expect(await harness.content('app', files[1] ?? '')).toBe(large('c'));
      expect(await harness.content('app', files[2] ?? '')).toBe(large('d'));
      await harness.rotation.stop();
    });

    it('has a log that is not there made again', async () => {
      const harness = await create();
      await harness.addContainer('app');
      await harness.remove('app', '0.log');
      await harness.rotation.rotateDueLogs();
      expect(await harness.files('app')).toEqual(['0.log']);
      await harness.rotation.stop();
    });

    it('gives the log its name back when the runtime does not open a new one', async () => {
      const harness = await create();
      await harness.addContainer('app');
      await harness.write('app', large('a'));
      harness.refuseReopening();
      await harness.rotation.rotateDueLogs();
      await harness.write('app', 'more\n');
      expect(await harness.files('app')).toEqual(['0.log']);
      expect(await harness.content('app', '0.log')).toBe(`${large('a')}more\n`);
      await harness.rotation.stop();
    });

    it('puts right what a kubelet left that died in the middle of a rotation', async () => {
      const harness = await create();
      await harness.addContainer('app');
      await harness.put('app', '0.log.20200101-000001', 'packed already');
      await harness.put('app', '0.log.20200101-000001.gz', 'whole');
      await harness.put('app', '0.log.20200101-000002.tmp', 'half a file');
      await harness.put('app', '0.log.20200101-000002', 'packed in part');
      await harness.write('app', large('a'));
      await harness.rotation.rotateDueLogs();
      const files = await harness.files('app');
      expect(files).toEqual(['0.log', '0.log.20200101-000002.gz', expect.stringMatching(rotatedName)]);
      expect(await harness.content('app', files[1] ?? '')).toBe('packed in part');
      await harness.rotation.stop();
    });

    it('looks each ten seconds once started, and not after stop', async () => {
      const harness = await create();
      await harness.rotation.start();
      await harness.pass(0);
      await harness.addContainer('app');
      await harness.write('app', large('a'));
      await harness.pass(10_000);
      expect(await harness.files('app')).toHaveLength(2);
      await harness.rotation.stop();
      expect(harness.pendingTimers()).toBe(0);
      await harness.write('app', large('b'));
      await harness.pass(30_000);
      expect(await harness.files('app')).toHaveLength(2);
    });

    it('removes a log with all that was rotated from it, and nothing of others', async () => {
      const harness = await create();
      const path = await harness.addContainer('app');
      for (const file of ['0.log.20200101-000001.gz', '0.log.20200101-000002', '0.log.20200101-000002.tmp', '1.log']) {
        await harness.put('app', file, 'x');
      }
      await harness.rotation.clean(path);
      expect(await harness.files('app')).toEqual(['1.log']);
      await harness.rotation.clean(path);
      await harness.rotation.clean('/nonexistent/pod/app/0.log');
      await harness.rotation.stop();
    });
  });
}
