import { describe, expect, it } from '@jest/globals';
import type { RecordingLine } from '@podwright/flight-recorder-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import type { PodCheckpointPart, PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import { VirtualClock } from '@podwright/time';
import { probeKey } from '../seams/recorded-inputs.js';
import { replayedCheckpoints } from './replayed-checkpoints.js';
import { replayedProbers, replayedRandom, replayedSummary } from './replayed-inputs.js';
import { replayedRuntime } from './replayed-runtime.js';
import { replayedTransport } from './replayed-transport.js';
import { ReplayedWorld } from './replayed-world.js';

const key = '/api/v1/namespaces/n/pods/p/status';
const patch = { seam: 'api', method: 'PATCH', key, tookMs: 1 } as const;
const answered = (stream: number, at: number): readonly RecordingLine[] => [
  { t: 'open', stream, ...patch, at, answer: { status: 200 + stream, headers: {} } },
  { t: 'close', stream, at: at + 2 },
];
const header = { t: 'recording', version: 1, startedAtMs: 0 } as const;

describe('a replayed world', () => {
  it('has an outage of the API server where it was, and answers as before what is sent once more', async () => {
    const refused = { t: 'call', ...patch, error: { code: 'unavailable', message: 'connection refused' } } as const;
    const lines = [...answered(0, 1), { ...refused, at: 10_000 }, { ...refused, at: 20_000 }, ...answered(1, 30_000)];
    const clock = new VirtualClock();
    const { send } = replayedTransport(new ReplayedWorld({ header, lines, torn: false }, clock));
    const ask = async (): Promise<string> => {
      const { signal } = new AbortController();
      const answer = send({ method: 'PATCH', path: key, headers: {} }, signal);
      const told = answer.then(({ status }) => String(status)).catch((error: Error) => error.message);
      await clock.advance(1_500);
      return told;
    };
    const seen: string[] = [];
    for (const atMs of [0, 5_000, 9_000, 19_000, 29_000, 50_000]) {
      await clock.advance(atMs - clock.monotonic());
      seen.push(await ask());
    }
    expect(seen).toEqual(['200', '200', 'connection refused', 'connection refused', '201', '201']);
  });

  it('leaves out the answers of a round of probes that the replayed kubelet did not make, with its repetitions', async () => {
    const probe = (at: number, output: string): RecordingLine => ({
      ...{ t: 'call', seam: 'probe', method: 'exec', key: probeKey({}, { containerId: 'c' }), at, tookMs: 1 },
      answer: { result: 'success', output },
    });
    const lines = [probe(1, 'a'), probe(40, 'extra'), probe(2_000, 'b'), probe(4_000, 'c'), probe(4_002, 'repeated')];
    const clock = new VirtualClock();
    const { exec } = replayedProbers(new ReplayedWorld({ header, lines, torn: false }, clock));
    const seen: unknown[] = [];
    for (const atMs of [0, 2_150, 4_150, 4_152]) {
      await clock.advance(atMs - clock.monotonic());
      const answer = exec.probe({} as never, { containerId: 'c' } as never, 1_000, new AbortController().signal);
      void answer.then((outcome) => seen.push('output' in outcome && outcome.output));
      await clock.advance(1);
    }
    expect(seen).toEqual(['a', 'b', 'c', 'repeated']);
  });

  it('answers each POST of one collection about its own object, and in a replay from a snapshot about any', async () => {
    const events = '/api/v1/namespaces/n/events';
    const made = (stream: number, key: string, at: number): readonly RecordingLine[] => [
      {
        t: 'open',
        stream,
        seam: 'api',
        method: 'POST',
        key,
        tookMs: 1,
        at,
        answer: { status: 200 + stream, headers: {} },
      },
      { t: 'close', stream, at: at + 2 },
    ];
    const [plain, ...others] = made(3, events, 3);
    const standing = [{ ...plain, snapshot: true } as RecordingLine, ...others];
    const lines = [...made(0, `${events} u1 Pulled`, 1), ...made(1, `${events} u2 Pulled`, 2), ...standing];
    const clock = new VirtualClock();
    const { send } = replayedTransport(new ReplayedWorld({ header, lines, torn: false }, clock));
    const post = async (uid: string, reason: string): Promise<number> => {
      const body = JSON.stringify({ metadata: { name: 'p.18f' }, involvedObject: { uid }, reason });
      const answer = send({ method: 'POST', path: events, headers: {}, body }, new AbortController().signal);
      await clock.advance(10);
      return (await answer).status;
    };
    expect([await post('u2', 'Pulled'), await post('u1', 'Pulled'), await post('u1', 'Killing')]).toEqual([
      201, 200, 203,
    ]);
  });

  it('gives the last measurement to whom nobody had given one, and has the disks of the images where they were', async () => {
    const call = { t: 'call', tookMs: 1 } as const;
    const fs = (capacityBytes: number) => ({ capacityBytes });
    const summary = { node: { fs: fs(1), runtime: { imageFs: fs(2), containerFs: fs(1) } }, pods: [] };
    const lines: readonly RecordingLine[] = [
      { ...call, seam: 'stats', method: 'summary', key: '{"podUids":[]}', at: 10, answer: summary },
      {
        ...{ ...call, seam: 'images', method: 'imageFsInfo', key: '{}', at: 10 },
        answer: { imageFilesystems: [{}], containerFilesystems: [{}] },
      },
    ];
    const clock = new VirtualClock();
    const world = new ReplayedWorld({ header, lines, torn: false }, clock);
    const early = expect(replayedSummary(world)({})).rejects.toThrow('the recording has no usage of the node');
    await clock.advance(20);
    await early;
    const late = replayedSummary(world)({});
    await clock.advance(1);
    expect(await late).toEqual(summary);
    const facts = { runtimeName: 'r', runtimeVersion: '1', runtimeApiVersion: 'v1' };
    const runtime = replayedRuntime(world, { facts, requestTimeoutMs: 1_000, root: '/replay/machine' });
    const disks = runtime.imageFsInfo({});
    await clock.advance(1);
    expect(await disks).toEqual({
      imageFilesystems: [{ fsId: { mountpoint: '/proc' } }],
      containerFilesystems: [{ fsId: { mountpoint: '/replay' } }],
    });
  });

  it('begins with a container that was about to be started before it was made, and stops again what has stopped', async () => {
    const call = { t: 'call', seam: 'runtime', tookMs: 1 } as const;
    const then = { ...call, snapshot: true } as const;
    const made = (id: string) => ({ method: 'createContainer', key: `${id}/c/0`, answer: { containerId: id } });
    const lines: readonly RecordingLine[] = [
      { ...then, ...made('starts'), at: -9 },
      { ...then, ...made('waits'), at: -8 },
      { ...then, method: 'stopPodSandbox', key: 'stopped', at: -7, answer: {} },
      { ...then, method: 'listPodSandbox', key: '{}', at: -6, answer: { items: [{ id: 'stopped', state: 1 }] } },
      {
        ...{ ...then, method: 'listContainers', key: '{}', at: -5 },
        answer: { containers: ['starts', 'waits'].map((id) => ({ id, state: 0 })) },
      },
      { ...call, method: 'startContainer', key: 'starts', at: 5, answer: {} },
      { t: 'end', at: 60_000 },
    ];
    const clock = new VirtualClock();
    const world = new ReplayedWorld({ header, lines, torn: false }, clock);
    const facts = { runtimeName: 'r', runtimeVersion: '1', runtimeApiVersion: 'v1' };
    const runtime = replayedRuntime(world, { facts, requestTimeoutMs: 1_000, root: '/replay' });
    const promptly = async <T>(asked: Promise<T>): Promise<T> => {
      await clock.advance(1);
      return asked;
    };
    const ids = async () => (await promptly(runtime.listContainers({} as never))).containers.map(({ id }) => id);
    expect(await ids()).toEqual(['waits']);
    const config = { metadata: { name: 'c', attempt: 0 } };
    const making = { podSandboxId: 'starts', config } as never;
    expect(await promptly(runtime.createContainer(making))).toEqual({ containerId: 'starts' });
    expect(await ids()).toEqual(['starts', 'waits']);
    await promptly(runtime.stopPodSandbox({ podSandboxId: 'stopped' } as never));
    await promptly(runtime.removeContainer({ containerId: 'gone' } as never));
    expect(world.unanswered).toEqual([]);
    const waiting = runtime.stopContainer({ containerId: 'waits', timeout: 0n } as never);
    const failed = expect(waiting).rejects.toThrow('context deadline exceeded');
    await clock.advance(50_000);
    await failed;
    expect(world.unanswered).toMatchObject([{ method: 'stopContainer', key: 'waits' }]);
  });

  it('lets a container run as long as somebody has seen it run, whatever the runtime says about its end', () => {
    const asked = {
      t: 'call',
      seam: 'runtime',
      method: 'containerStatus',
      key: '{"containerId":"c"}',
      tookMs: 1,
    } as const;
    const status = (state: number, finishedAt: string): unknown => ({
      status: { state, finishedAt: { $n: finishedAt } },
    });
    const lines: readonly RecordingLine[] = [
      { ...asked, at: 5_306, answer: status(1, '0') },
      { ...asked, at: 5_400, answer: status(2, '5298000000') },
    ];
    const { runtime } = new ReplayedWorld({ header, lines, torn: false }, new VirtualClock());
    const stateAt = (atMs: number): unknown => runtime.answer('containerStatus', { containerId: 'c' }, atMs);
    expect([5_306, 5_350].map(stateAt)).toMatchObject([{ status: { state: 1 } }, { status: { state: 2 } }]);
  });

  it('draws a number again that was drawn under its name at this time, and the least one where there was none', async () => {
    const lines: readonly RecordingLine[] = [
      { t: 'draw', at: 1_000, of: 'lease', value: 0.25 },
      { t: 'draw', at: 11_000, of: 'lease', value: 0.75 },
    ];
    const clock = new VirtualClock();
    const others = { next: () => 0.5, hex: () => 'ab' };
    const random = replayedRandom(new ReplayedWorld({ header, lines, torn: false }, clock), others);
    const seen: number[] = [];
    for (const atMs of [900, 2_000, 10_900, 60_000]) {
      await clock.advance(atMs - clock.monotonic());
      seen.push(random.next('lease'));
    }
    expect(seen).toEqual([0.25, 0.0005, 0.75, 0.0005]);
    expect([random.next('sync'), random.next(), random.hex(1)]).toEqual([0.0005, 0.0005, 'ab']);
  });

  it('lists in the recorded order, and answers all who ask about an image at the same time alike', async () => {
    const call = { t: 'call', tookMs: 10 } as const;
    const list = { ...call, seam: 'runtime', method: 'listContainers', key: '{}' } as const;
    const listed = (...ids: readonly string[]) => ({ containers: ids.map((id) => ({ id, state: 1 })) });
    const image = { seam: 'images', key: 'web:1' } as const;
    const lines: readonly RecordingLine[] = [
      { ...list, at: 0, answer: listed('a', 'b') },
      { ...call, ...image, method: 'imageStatus', at: 1_000, answer: { image: undefined } },
      { ...call, ...image, method: 'pullImage', at: 1_010, answer: { imageRef: 'sha256:1' } },
      { ...call, ...image, method: 'imageStatus', at: 1_700, answer: { image: { id: 'sha256:1' } } },
      { ...list, at: 2_000, answer: listed('b', 'a') },
    ];
    const clock = new VirtualClock();
    const facts = { runtimeName: 'r', runtimeVersion: '1', runtimeApiVersion: 'v1' };
    const world = new ReplayedWorld({ header, lines, torn: false }, clock);
    const runtime = replayedRuntime(world, { facts, requestTimeoutMs: 1_000, root: '/replay' });
    const at = async <T>(atMs: number, ask: () => Promise<T>): Promise<T> => {
      await clock.advance(atMs - clock.monotonic());
      const answer = ask();
      await clock.advance(20);
      return answer;
    };
    const ids = async () => (await runtime.listContainers({} as never)).containers.map(({ id }) => id);
    const imageId = async () => (await runtime.imageStatus({ image: { image: 'web:1' } } as never)).image?.id;
    const twice = () => Promise.all([imageId(), imageId()]);
    expect(await at(0, ids)).toEqual(['a', 'b']);
    // Soon after it the image is there, but not before this kubelet has pulled it.
    expect(await at(995, twice)).toEqual([undefined, undefined]);
    await at(1_015, () => runtime.pullImage({ image: { image: 'web:1' } } as never));
    const after = twice();
    await clock.advance(1_000);
    expect(await after).toEqual(['sha256:1', 'sha256:1']);
    expect(await at(2_040, ids)).toEqual(['b', 'a']);
  });

  it('lets the loop hear of the exits that the recorded one has heard of', () => {
    const exit = (containerId: string, at: number): RecordingLine => ({
      ...{ t: 'decision', at },
      entry: { kind: 'container.exited', containerId } as JournalEntry,
    });
    const lines = [exit('before', 1), { t: 'listening', at: 2 } as const, exit('after', 3)];
    const world = new ReplayedWorld({ header, lines, torn: false }, new VirtualClock());
    const heard = ['before', 'after'].map((id) =>
      world.isHeard({ kind: 'container.exited', containerId: id } as JournalEntry),
    );
    expect([world.listeningMs, heard]).toEqual([2, [false, true]]);
  });

  it('has what the kubelet before had left of a pod, until that is written or removed', async () => {
    const found = { t: 'checkpoint', at: 1, podUid: 'u' } as const;
    const lines: readonly RecordingLine[] = ['a', 'b'].map((part) => ({ ...found, part, value: part }));
    const inner = {
      read: () => 'own',
      write: async () => undefined,
      remove: async () => undefined,
      podUids: () => ['v'],
    };
    const left = replayedCheckpoints(inner as unknown as PodCheckpoints, lines);
    const part = (name: string): PodCheckpointPart<unknown> => ({ name, decode: (json) => json });
    const read = (): readonly unknown[] => ['a', 'b'].map((name) => left.read('u', part(name)));
    expect([read(), left.podUids()]).toEqual([
      ['a', 'b'],
      ['v', 'u'],
    ]);
    await left.write('u', part('a'), 'new');
    expect(read()).toEqual(['own', 'b']);
    await left.remove('u');
    expect([read(), left.podUids()]).toEqual([['own', 'own'], ['v']]);
  });
});
