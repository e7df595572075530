import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { ContainerLogOptions, ContainerLogs } from '../container-logs.js';
import { collect, LogReader } from './log-reader.js';

/** A fresh instance, and a pod with one running container `app` that has written nothing. */
export interface ContainerLogsHarness {
  readonly containerLogs: ContainerLogs;
  readonly pod: Pod;
  /** The pod's latest status. */
  status(): PodStatus;
  /** Makes the container write `text` now; without a line feed at the end, the next write continues the line. */
  write(text: string, stream?: 'stdout' | 'stderr'): Promise<void>;
  /** Rotates the log and begins a new file; `pack` compresses the files rotated before. */
  rotate(pack?: boolean): Promise<void>;
  /** Ends the container's process. */
  exit(): Promise<void>;
  /** Ends `app` and starts it again. */
  restart(): Promise<void>;
  /** Makes the runtime forget ended containers; their log files stay. */
  forget(): Promise<void>;
  /** Advances the clock. */
  pass(ms: number): Promise<void>;
  /** Number of file handles and timers that open logs hold. */
  held(): Promise<number>;
  dispose(): Promise<void>;
}

/** Every implementation of {@link ContainerLogs} passes this suite; `create` gives a new instance per case. */
export function describeContainerLogsContract(name: string, create: () => Promise<ContainerLogsHarness>): void {
  const withLogs =
    (run: (harness: ContainerLogsHarness) => Promise<void>): (() => Promise<void>) =>
    async () => {
      const harness = await create();
      try {
        await run(harness);
        expect(await harness.held()).toBe(0);
      } finally {
        await harness.dispose();
      }
    };
  const open = (
    harness: ContainerLogsHarness,
    options: ContainerLogOptions,
    signal = new AbortController().signal,
    container = 'app',
  ): Promise<AsyncIterable<Uint8Array>> =>
    harness.containerLogs.open({ pod: harness.pod, status: harness.status(), container, options, signal });
  const read = async (harness: ContainerLogsHarness, options: ContainerLogOptions = {}): Promise<string> =>
    collect(await open(harness, options));
  const follow = async (harness: ContainerLogsHarness, options: ContainerLogOptions = {}): Promise<LogReader> =>
    new LogReader(await open(harness, { ...options, follow: true }));

  // Decompression takes real time, which a virtual clock does not wait for.
  const restOf = async (harness: ContainerLogsHarness, reader: LogReader): Promise<string> => {
    let isOver = false;
    const rest = reader.rest().finally(() => (isOver = true));
    while (!isOver) await harness.pass(500);
    return rest;
  };

  describe(`${name} as ContainerLogs`, () => {
    it(
      'gives nothing of a container that has written nothing',
      withLogs(async (harness) => expect(await read(harness)).toBe('')),
    );

    it.each<[ContainerLogOptions, string]>([
      [{}, 'one\ntwo\nthree\nfour\n'],
      [{ tailLines: 2 }, 'three\nfour\n'],
      [{ tailLines: 0 }, ''],
      [{ tailLines: 9 }, 'one\ntwo\nthree\nfour\n'],
      [{ limitBytes: 6 }, 'one\ntw'],
      [{ tailLines: 2, limitBytes: 1 }, 't'],
      [{ stream: 'Stderr' }, 'two\n'],
      [{ stream: 'Stdout' }, 'one\nthree\nfour\n'],
      [{ sinceSeconds: 15 }, 'three\nfour\n'],
      [{ sinceSeconds: 15, tailLines: 3 }, 'three\nfour\n'],
      [{ sinceSeconds: 1 }, ''],
    ])('reads with %j', (options, expected) =>
      withLogs(async (harness) => {
        await harness.write('one\n');
        await harness.write('two\n', 'stderr');
        await harness.pass(10_000);
        await harness.write('three\n');
        await harness.pass(10_000);
        await harness.write('four\n');
        await harness.pass(2000);
        expect(await read(harness, options)).toBe(expected);
      })(),
    );

    it(
      'joins what was written without a line feed, with one time stamp for the line',
      withLogs(async (harness) => {
        await harness.write('one ');
        await harness.write('line\n');
        expect(await read(harness)).toBe('one line\n');
        const stamped = await read(harness, { timestamps: true });
        expect(stamped).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(Z|[+-]\d\d:\d\d) one line\n$/);
        expect(await read(harness, { sinceTime: stamped.split(' ')[0] ?? '' })).toBe('one line\n');
      }),
    );

    it.each([
      { tailLines: -1 },
      { limitBytes: 0 },
      { sinceSeconds: 0 },
      { sinceTime: 'yesterday' },
      { sinceSeconds: 1, sinceTime: '2026-01-01T00:00:00Z' },
      { stream: 'Stdout', tailLines: 1 },
    ] satisfies ContainerLogOptions[])('refuses %j', (options) =>
      withLogs(async (harness) => {
        await expect(read(harness, options)).rejects.toMatchObject({ code: 'invalid-argument' });
      })(),
    );

    it(
      'reads the instance before, and says so when there is none',
      withLogs(async (harness) => {
        await harness.write('first\n');
        await expect(read(harness, { previous: true })).rejects.toThrow(
          `previous terminated container "app" in pod "${harness.pod.metadata.name}" not found`,
        );
        await harness.restart();
        await harness.write('second\n');
        expect(await read(harness, { previous: true })).toBe('first\n');
        expect(await read(harness)).toBe('second\n');
      }),
    );

    it(
      'does not know containers that have no status',
      withLogs(async (harness) => {
        await expect(open(harness, {}, undefined, 'other')).rejects.toThrow(
          `container "other" in pod "${harness.pod.metadata.name}" is not available`,
        );
      }),
    );

    it(
      'reads instances that the runtime has lost its records of',
      withLogs(async (harness) => {
        await harness.write('first\n');
        await harness.restart();
        await harness.write('second\n');
        await harness.exit();
        await harness.forget();
        expect(await read(harness, { previous: true })).toBe('first\n');
        expect(await read(harness)).toBe('second\n');
        const reader = await follow(harness);
        await harness.pass(3000);
        expect(await reader.rest()).toBe('second\n');
      }),
    );

    it(
      'follows until the container has ended, to its last line',
      withLogs(async (harness) => {
        await harness.write('one\n');
        const reader = await follow(harness);
        expect(await reader.next()).toBe('one\n');
        const waiting = reader.next();
        await harness.write('two\n');
        await harness.pass(3000);
        expect(await waiting).toBe('two\n');
        const rest = reader.rest();
        await harness.pass(3000);
        await harness.write('three\n');
        await harness.exit();
        await harness.pass(3000);
        expect(await rest).toBe('three\n');
      }),
    );

    it(
      'follows from the end of the log',
      withLogs(async (harness) => {
        await harness.write('old\n');
        const reader = await follow(harness, { tailLines: 0 });
        const rest = reader.rest();
        await harness.write('new\n');
        await harness.exit();
        await harness.pass(3000);
        expect(await rest).toBe('new\n');
      }),
    );

    it.each([
      [1, 0, 'follows'],
      [3, 0, 'follows'],
      [4, 1, 'follows'],
      [1, 0, 'reads'],
      [3, 0, 'reads'],
      [4, 1, 'reads'],
    ])('loses and repeats nothing over %d rotations, packed every %d, while it %s', (rotations, packed, how) =>
      withLogs(async (harness) => {
        await harness.write('0\n');
        const options = how === 'follows' ? { follow: true } : {};
        const reader = new LogReader(await open(harness, options));
        let written = '0\n';
        for (let rotation = 1; rotation <= rotations; rotation++) {
          await harness.pass(1000);
          await harness.rotate(packed > 0);
          await harness.write(`${rotation}a\n`);
          await harness.write(`${rotation}b\n`);
          written += `${rotation}a\n${rotation}b\n`;
        }
        await harness.exit();
        expect(await restOf(harness, reader)).toBe(written);
      })(),
    );

    it(
      'follows over rotations that happen while it waits, joining a line across them',
      withLogs(async (harness) => {
        const reader = await follow(harness);
        const rest = reader.rest();
        for (const text of ['one\n', 'two ', 'parts\n', 'three\n']) {
          await harness.write(text);
          await harness.pass(2000);
          await harness.rotate();
          await harness.pass(2000);
        }
        await harness.exit();
        await harness.pass(3000);
        expect(await rest).toBe('one\ntwo parts\nthree\n');
      }),
    );

    it.each(['return', 'signal'])('ends at once, while it waits, by %s', (how) =>
      withLogs(async (harness) => {
        const leaving = new AbortController();
        const content = await open(harness, { follow: true }, leaving.signal);
        const iterator = content[Symbol.asyncIterator]();
        const waiting = iterator.next();
        await harness.pass(1500);
        if (how === 'return') await iterator.return?.();
        else leaving.abort();
        expect(await waiting).toMatchObject({ done: true });
        await harness.pass(0);
      })(),
    );

    it(
      'frees a log that is never read when its reader goes',
      withLogs(async (harness) => {
        await harness.write('one\n');
        const leaving = new AbortController();
        await open(harness, {}, leaving.signal);
        expect(await harness.held()).toBeGreaterThan(0);
        leaving.abort();
        await harness.pass(0);
      }),
    );

    it(
      'refuses a reader who has gone before',
      withLogs(async (harness) => {
        const outcome = open(harness, {}, AbortSignal.abort(new Error('gone'))).catch((error: unknown) => error);
        expect(hasCode(await outcome, 'not-found')).toBe(false);
        expect(await outcome).toBeInstanceOf(Error);
      }),
    );
  });
}
