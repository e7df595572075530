import type { RecordedError } from '@podwright/flight-recorder-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import { HeldCalls } from './held-calls.js';
import { HeldCheckpoints } from './held-checkpoints.js';
import { HeldStreams } from './held-streams.js';
import { toPlainJson } from './plain-json.js';
import type { Begun } from './asked.js';

/**
 * What a kubelet that starts now would find: the last answers of runtime, images, stats and API server, the pods of each
 * source, and checkpoints. All of it is masked, and nobody is asked for it. When it becomes too much, what was unused
 * longest goes first.
 */
export class HeldWorld {
  readonly streams: HeldStreams;
  readonly checkpoints: HeldCheckpoints;
  private readonly calls: HeldCalls;
  private readonly sources = new Map<string, Map<string, string>>();

  constructor(mostBytes: number) {
    this.calls = new HeldCalls(mostBytes / 2, (podUid) => [...this.sources.values()].some((pods) => pods.has(podUid)));
    this.streams = new HeldStreams((mostBytes * 3) / 8);
    this.checkpoints = new HeldCheckpoints(mostBytes / 8);
  }

  /** Without the pods of the sources, of which there are few. */
  get bytes(): number {
    return this.calls.bytes + this.streams.bytes + this.checkpoints.bytes;
  }

  /** True: the answer equals the one before. */
  repeats(begun: Begun, json: string): boolean {
    return this.calls.repeats(begun, json);
  }

  answered(begun: Begun, atMs: number, head: string, json: string): void {
    this.calls.answered(begun, atMs, head, json);
  }

  failed(begun: Begun, atMs: number, { code }: RecordedError): void {
    if (code === 'not-found') this.calls.gone(begun);
    this.streams.refused(begun, atMs);
  }

  pods(source: string, op: string, pods: readonly Pod[]): void {
    const known = this.sources.get(source) ?? new Map<string, string>();
    this.sources.set(source, known);
    for (const pod of pods) {
      if (op === 'REMOVE') known.delete(podUid(pod));
      else known.set(podUid(pod), toPlainJson(pod));
    }
  }

  lines(nowMs: number): readonly string[] {
    const sources = [...this.sources].map(
      ([source, pods]) =>
        `${JSON.stringify({ t: 'pods', at: nowMs, source, op: 'SET', snapshot: true }).slice(0, -1)},"pods":[${[...pods.values()].join()}]}`,
    );
    return [...sources, ...this.checkpoints.lines(nowMs), ...this.calls.lines(), ...this.streams.lines(nowMs)];
  }
}
