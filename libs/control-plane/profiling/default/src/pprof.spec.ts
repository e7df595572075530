import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { VirtualClock, yieldToEventLoop } from '@podwright/time';
import { askRoutes, type Asked } from '@podwright/server-interface/contract';
import { pprofRoutes } from './pprof-routes.js';
import { createV8Profiler, type CpuProfileRequest, type RuntimeProfiler } from './v8-profiler.js';

interface Harness {
  readonly get: (path: string, method?: string) => Promise<Asked>;
  readonly asked: readonly (readonly [kind: string, request: CpuProfileRequest])[];
}

function harness(make: () => Promise<Uint8Array> = async () => Buffer.from('message')): Harness {
  const asked: [string, CpuProfileRequest][] = [];
  const profiler: RuntimeProfiler = {
    cpu: (request) => (asked.push(['cpu', request]), make()),
    heap: (request) => (asked.push(['heap', request]), make()),
  };
  const routes = pprofRoutes({ enabled: true, profiler, commandLine: ['/usr/bin/kubelet', '--v=2'] });
  return { get: (path, method = 'GET') => askRoutes(routes, method, `/debug/pprof/${path}`), asked };
}

describe('/debug/pprof/', () => {
  it.each([
    ['profile', 'cpu', { durationMs: 30_000 }],
    ['profile?seconds=2', 'cpu', { durationMs: 2_000 }],
    ['profile?seconds=0', 'cpu', { durationMs: 30_000 }],
    ['profile?seconds=-3', 'cpu', { durationMs: 30_000 }],
    ['profile?seconds=x', 'cpu', { durationMs: 30_000 }],
    ['profile?seconds=600', 'cpu', { durationMs: 600_000 }],
    ['heap', 'heap', { durationMs: 5_000, withFreed: false }],
    ['heap?seconds=1&debug=0', 'heap', { durationMs: 1_000, withFreed: false }],
    ['allocs?seconds=1', 'heap', { durationMs: 1_000, withFreed: true }],
  ])('%s', async (path, kind, request) => {
    const { get, asked } = harness();
    const { status, headers, bytes } = await get(path);
    expect([status, headers]).toEqual([
      200,
      {
        'X-Content-Type-Options': 'nosniff',
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${/^\w+/.exec(path)?.[0]}"`,
      },
    ]);
    expect(gunzipSync(bytes).toString()).toBe('message');
    expect(asked).toMatchObject([[kind, request]]);
  });

  it.each([
    ...['goroutine', 'block', 'mutex', 'threadcreate', 'trace', 'none', 'profile/more'].map(
      (name) => [name, 404, 'Unknown profile\n'] as const,
    ),
    ['heap?seconds=x', 400, 'invalid value for "seconds" - must be a positive integer\n'],
    ['heap?seconds=0', 400, 'invalid value for "seconds" - must be a positive integer\n'],
    ['profile?seconds=601', 400, 'a profile takes at most 600 seconds\n'],
    ['heap?debug=1', 400, 'there is no form but debug=0\n'],
  ] as const)('%s: %i', async (path, status, body) => {
    const { get, asked } = harness();
    expect(await get(path)).toMatchObject({ status, headers: { 'X-Go-Pprof': '1' }, body });
    expect(asked).toEqual([]);
  });

  it('answers that it is disabled', async () => {
    const profiler = createV8Profiler({ clock: new VirtualClock(), yieldTurn: yieldToEventLoop });
    const routes = pprofRoutes({ enabled: false, profiler, commandLine: [] });
    const disabled = { status: 405, body: 'profiling endpoint is disabled.\n' };
    expect(await askRoutes(routes, 'GET', '/debug/pprof/')).toMatchObject(disabled);
  });

  it('is not troubled by a client that goes away', async () => {
    const abort = new AbortController();
    const profiler = createV8Profiler({ clock: new VirtualClock(), yieldTurn: yieldToEventLoop });
    const routes = pprofRoutes({ enabled: true, profiler, commandLine: [] });
    const answer = askRoutes(routes, 'GET', '/debug/pprof/profile', { signal: abort.signal });
    await yieldToEventLoop();
    abort.abort(new Error('gone'));
    expect(await answer).toMatchObject({ status: 500, body: 'gone\n' });
  });

  it('tells the command line, that there are symbols, and what there is', async () => {
    const { get } = harness();
    expect(await get('cmdline')).toMatchObject({ status: 200, body: '/usr/bin/kubelet\0--v=2' });
    expect(await get('symbol?0x1')).toMatchObject({ status: 200, body: 'num_symbols: 1\n' });
    const index = await get('');
    expect(index.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(index.body).toContain('<a href="heap">heap</a>');
    expect((await get('profile', 'POST')).status).toBe(405);
  });

  it('makes one profile at a time, and the next after a failure', async () => {
    let finish: (error: Error) => void = () => undefined;
    const { get } = harness(() => new Promise((_resolve, reject) => (finish = reject)));
    const first = get('profile');
    await yieldToEventLoop();
    expect(await get('heap')).toMatchObject({
      status: 500,
      body: 'Could not enable CPU profiling: cpu profiling already in use\n',
    });
    finish(new Error('the client has gone'));
    await expect(first).rejects.toThrow('the client has gone');
    const second = get('profile');
    await yieldToEventLoop();
    finish(new Error('again'));
    await expect(second).rejects.toThrow('again');
  });
});

/** Strings and value sums of a profile message, read field by field. */
function readProfile(message: Uint8Array): { readonly strings: readonly string[]; readonly total: number } {
  const strings: string[] = [];
  let total = 0;
  for (const [field, value] of fields(Buffer.from(message))) {
    if (field === 6) strings.push((value as Buffer).toString());
    if (field !== 2) continue;
    const values = new Map(fields(value as Buffer)).get(2) as Buffer;
    total += numbers(values)[1] ?? 0;
  }
  return { strings, total };
}

function* fields(message: Buffer): Generator<[number, Buffer | number]> {
  for (let at = 0; at < message.length;) {
    const [tag, afterTag] = varint(message, at);
    const [value, afterValue] = varint(message, afterTag);
    if ((tag & 7) === 0) {
      yield [tag >> 3, value];
      at = afterValue;
    } else {
      at = afterValue + value;
      yield [tag >> 3, message.subarray(afterValue, at)];
    }
  }
}

function numbers(packed: Buffer): readonly number[] {
  const all: number[] = [];
  for (let at = 0; at < packed.length;) {
    const [value, next] = varint(packed, at);
    all.push(value);
    at = next;
  }
  return all;
}

function varint(bytes: Buffer, start: number): [value: number, next: number] {
  let value = 0;
  let at = start;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * factor;
    if (byte < 128) return [value, at];
  }
}

describe("V8's profiles", () => {
  const kept: string[] = [];
  let work = 100_000;
  function busyWork(): void {
    kept.length = 0;
    for (let i = 0; i < work; i++) {
      const text = JSON.stringify({ work: i });
      if (i < 100_000) kept.push(text);
    }
  }
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async (_ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      busyWork();
    },
  };
  const profiler = createV8Profiler({ clock, yieldTurn: () => Promise.resolve() });

  it('show what the CPU did', async () => {
    let profile = { strings: [] as readonly string[], total: 0 };
    // It depends on the machine for how much work there is a sample.
    for (work = 100_000; work < 100_000_000 && !profile.strings.includes('busyWork'); work *= 2)
      profile = readProfile(await profiler.cpu({ durationMs: 1, signal: new AbortController().signal }));
    work = 100_000;
    const { strings, total } = profile;
    expect(strings[0]).toBe('');
    expect(strings).toEqual(expect.arrayContaining(['samples', 'count', 'cpu', 'nanoseconds', 'busyWork']));
    expect(total).toBeGreaterThan(0);
  });

  it.each([
    [false, 'inuse_space'],
    [true, 'alloc_space'],
  ])('show what was allocated, freed or not: %p', async (withFreed, type) => {
    const { strings, total } = readProfile(
      await profiler.heap({ durationMs: 1, withFreed, signal: new AbortController().signal }),
    );
    expect(strings).toEqual(expect.arrayContaining([type, 'bytes', 'busyWork']));
    expect(total).toBeGreaterThan(100_000);
  });

  it('end with whoever asked', async () => {
    await expect(profiler.cpu({ durationMs: 1, signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    expect((await profiler.cpu({ durationMs: 1, signal: new AbortController().signal })).length).toBeGreaterThan(0);
  });
});
