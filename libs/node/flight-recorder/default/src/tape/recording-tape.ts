import { KubeletError } from '@podwright/errors';
import type { RecordedError, RecordingFacts, RecordingHeader } from '@podwright/flight-recorder-interface';
import { recordingVersion } from '@podwright/flight-recorder-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import type { PodUpdate } from '@podwright/pod-config-interface';
import type { Clock } from '@podwright/time';
import { maskDecision } from '../redact/mask-decision.js';
import { maskPod } from '../redact/mask-pod.js';
import type { Asked, Begun } from './asked.js';
import { HeldWorld } from './held-world.js';
import { toPlainJson } from './plain-json.js';

/** Takes the lines of a recording, without line breaks. It must only enqueue. */
export type TakeLine = (line: string) => void;

const leastMs = 0.001;

export interface TapeOptions {
  /** Most bytes of what is kept in memory for snapshots. */
  readonly worldBytes: number;
}

// A pod needs 12 to 20 KB, so this is for many more than a node has; labels and annotations may be long.
export const usualWorldBytes = 32 * 2 ** 20;

/** Turns what comes in over the seams into the lines of a recording, and keeps what a snapshot of the world needs. */
export class RecordingTape {
  /** The API server has begun to deliver pods. */
  watchesPods = false;
  private readonly startedAt: number;
  private readonly held: HeldWorld;
  private readonly takers = new Set<TakeLine>();
  private streams = 0;
  private latest = 0;
  private isEnded = false;

  /** `take` gets the first line at once. */
  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
    take: TakeLine,
    private readonly facts: (() => RecordingFacts) | undefined,
    { worldBytes }: TapeOptions = { worldBytes: usualWorldBytes },
  ) {
    this.startedAt = clock.monotonic();
    this.held = new HeldWorld(worldBytes);
    this.takers.add(take);
    take(this.header({}));
  }

  /** True: nothing comes any more. */
  get ended(): boolean {
    return this.isEnded;
  }

  /** Bytes that are kept for snapshots. */
  get worldBytes(): number {
    return this.held.bytes;
  }

  /** Gives further lines to somebody else, too. Returns an end. */
  follow(take: TakeLine): () => void {
    this.takers.add(take);
    return () => void this.takers.delete(take);
  }

  /** The first lines of a segment that begins now: its header, and what a kubelet that starts now would find. */
  snapshot(about: Pick<RecordingHeader, 'segment'> = {}): readonly string[] {
    const at = this.at();
    return [this.header({ at, ...about }), ...this.held.lines(at)];
  }

  begin(asked: Asked): Begun {
    return { ...asked, at: this.at() };
  }

  answered(begun: Begun, answer: unknown): void {
    const json = toPlainJson(answer);
    const at = this.at();
    const head = callLine(begun, at);
    this.take(`${head},${this.held.repeats(begun, json) ? '"same":true' : `"answer":${json}`}}`);
    this.held.answered(begun, at, head, json);
  }

  failed(begun: Begun, thrown: unknown): void {
    const error = recordedError(thrown);
    const at = this.at();
    this.take(`${callLine(begun, at)},"error":${toPlainJson(error)}}`);
    this.held.failed(begun, at, error);
  }

  /** Returns the number of the stream. */
  opened(begun: Begun, answer?: unknown): number {
    const opening = { stream: this.streams++, ...begun, tookMs: rounded(this.at() - begun.at), answer };
    this.line({ t: 'open', ...opening });
    this.held.streams.opened(opening);
    return opening.stream;
  }

  item(stream: number, answer: unknown): void {
    this.line({ t: 'item', stream, at: this.at(), answer });
    this.held.streams.item(stream, answer);
  }

  closed(stream: number, error?: unknown): void {
    const at = this.at();
    this.line({ t: 'close', stream, at, ...(error !== undefined && { error: recordedError(error) }) });
    this.held.streams.closed(stream, at, error !== undefined);
  }

  /** The kubelet begins to hear of pods and containers. */
  listening(): void {
    this.line({ t: 'listening', at: this.at() });
  }

  drawn(of: string, value: number): void {
    this.line({ t: 'draw', at: this.at(), of, value });
  }

  pods({ source, op, pods }: PodUpdate): void {
    const masked = pods.map(maskPod);
    this.line({ t: 'pods', at: this.at(), source, op, pods: masked });
    this.held.pods(source, op, masked);
  }

  /** `value`: masked; undefined when it must not be kept. */
  checkpointRead(podUid: string, part: string, value: unknown): void {
    if (value === undefined || this.held.checkpoints.has(podUid, part)) return;
    this.line({ t: 'checkpoint', at: this.at(), podUid, part, value });
    this.held.checkpoints.set(podUid, part, value);
  }

  /** A replayed kubelet writes it itself, so it is only kept for a snapshot. */
  checkpointWritten(podUid: string, part: string, value: unknown): void {
    this.held.checkpoints.set(podUid, part, value);
  }

  checkpointRemoved(podUid: string): void {
    this.held.checkpoints.remove(podUid);
  }

  decided(entry: JournalEntry): void {
    this.line({ t: 'decision', at: this.at(), entry: maskDecision(entry) });
  }

  end(): void {
    this.isEnded = true;
    this.line({ t: 'end', at: this.at() });
  }

  /** Now, in the recording's time. Each instant is later than the one before, so that a replay keeps their order. */
  at(): number {
    this.latest = rounded(Math.max(this.clock.monotonic() - this.startedAt, this.latest + leastMs));
    return this.latest;
  }

  private header(about: Pick<RecordingHeader, 'at' | 'segment'>): string {
    const header = { t: 'recording', version: recordingVersion, startedAtMs: this.clock.now(), ...about };
    return toPlainJson({ ...header, ...(this.facts && { facts: this.facts() }) });
  }

  private line(value: object): void {
    this.take(toPlainJson(value));
  }

  private take(line: string): void {
    for (const take of this.takers) take(line);
  }
}

/** The line of a call up to its outcome. */
function callLine({ seam, method, key, at }: Begun, endMs: number): string {
  return JSON.stringify({ t: 'call', seam, method, key, at, tookMs: rounded(endMs - at) }).slice(0, -1);
}

function recordedError(thrown: unknown): RecordedError {
  const { code, message, reason } = KubeletError.from(thrown);
  return { code, message, ...(reason !== undefined && { reason }) };
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;
