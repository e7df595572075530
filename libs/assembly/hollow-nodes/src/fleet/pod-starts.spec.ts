import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import { VirtualClock } from '@podwright/time';
import { PodStarts } from './pod-starts.js';

const never = new AbortController().signal;
const context = (name: string): Parameters<PodSyncer['syncPod']>[0] =>
  ({ updateType: 'create', pod: { metadata: { name, uid: name } } as Pod, status: {} }) as never;
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `pod-${index}`);

describe('the starts of a fleet', () => {
  function fleet() {
    const clock = new VirtualClock();
    const starts = new PodStarts(clock);
    const begun: string[] = [];
    const ends = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
    const syncer = (): PodSyncer =>
      starts.limited({
        syncPod: ({ pod: { metadata } }) => {
          begun.push(metadata.name ?? '');
          return new Promise((resolve, reject) => {
            ends.set(metadata.name ?? '', { resolve: () => resolve({ terminal: false }), reject });
          });
        },
        syncTerminatingPod: async () => undefined,
        syncTerminatingRuntimePod: async () => undefined,
        syncTerminatedPod: async () => undefined,
      });
    return { clock, begun, ends, syncer };
  }

  it('are 64 at a time over all nodes; what takes long gives its place to the next', async () => {
    const { clock, begun, ends, syncer } = fleet();
    const [one, other] = [syncer(), syncer()];
    for (const name of names(130)) void (name.endsWith('1') ? one : other).syncPod(context(name), never);
    await clock.advance(0);
    expect(begun).toHaveLength(64);
    ends.get('pod-3')?.resolve();
    await clock.advance(0);
    expect(begun.slice(64)).toEqual(['pod-64']);
    await clock.advance(1_000);
    expect(begun).toHaveLength(129);
    await clock.advance(1_000);
    expect(begun).toHaveLength(130);
  });

  it('do not hold up a pod that has been synced before, but one that failed or is new again', async () => {
    const { clock, begun, ends, syncer } = fleet();
    const node = syncer();
    const done = node.syncPod(context('known'), never);
    const failed = node.syncPod(context('failed'), never);
    await clock.advance(0);
    ends.get('known')?.resolve();
    ends.get('failed')?.reject(new Error('no'));
    await expect(failed).rejects.toThrow('no');
    await done;
    for (const name of names(64)) void node.syncPod(context(name), never);
    await clock.advance(0);
    const ended = new AbortController();
    const waiting = node.syncPod(context('failed'), ended.signal);
    void node.syncPod(context('known'), never);
    await clock.advance(0);
    expect(begun.slice(66)).toEqual(['known']);
    ended.abort(new Error('the pod ends'));
    await expect(waiting).rejects.toThrow('the pod ends');
    await node.syncTerminatedPod(context('known').pod, {} as never, never);
    void node.syncPod(context('known'), never);
    await clock.advance(0);
    expect(begun).toHaveLength(67);
  });
});
