import { createHash } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import type { RecordedError, RecordingFacts, Seam } from '@podwright/flight-recorder-interface';
import { recordingVersion } from '@podwright/flight-recorder-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import type { PodUpdate } from '@podwright/pod-config-interface';
import type { Clock } from '@podwright/time';
import { maskDecision } from '../redact/mask-decision.js';
import { maskPod } from '../redact/mask-pod.js';
import { toPlainJson } from './plain-json.js';

/** Takes the lines of a recording, without line breaks. It must only enqueue. */
export type TakeLine = (line: string) => void;

/** What a call is about. */
export interface Asked {
  readonly seam: Seam;
  readonly method: string;
  readonly key: string;
}

/** A call or stream that has begun, for the line that ends it. */
export interface Begun extends Asked {
  readonly at: number;
}

// Answers that repeat are most of what an idle node sees. A key that was forgotten only costs its answer once more.
const mostKeys = 10_000;
const leastMs = 0.001;

/** Turns what comes in over the seams into the lines of a recording. */
export class RecordingTape {
  /** The API server has begun to deliver pods. */
  watchesPods = false;
  private readonly startedAt: number;
  private readonly lastAnswers = new Map<string, string>();
  private streams = 0;
  private latest = 0;

  /** `take` gets the first line at once. */
  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
    private readonly take: TakeLine,
    facts: RecordingFacts | undefined,
  ) {
    this.startedAt = clock.monotonic();
    const header = { t: 'recording', version: recordingVersion, startedAtMs: clock.now() };
    this.take(toPlainJson({ ...header, ...(facts && { facts }) }));
  }

  begin(asked: Asked): Begun {
    return { ...asked, at: this.at() };
  }

  answered(begun: Begun, answer: unknown): void {
    const json = toPlainJson(answer);
    const name = `${begun.seam} ${begun.method} ${begun.key}`;
    const hash = createHash('md5').update(json).digest('base64');
    const outcome = this.lastAnswers.get(name) === hash ? '"same":true' : `"answer":${json}`;
    if (this.lastAnswers.size >= mostKeys) this.lastAnswers.clear();
    this.lastAnswers.set(name, hash);
    this.take(`${this.callLine(begun)},${outcome}}`);
  }

  failed(begun: Begun, error: unknown): void {
    this.take(`${this.callLine(begun)},"error":${toPlainJson(recordedError(error))}}`);
  }

  /** Returns the number of the stream. */
  opened(begun: Begun, answer?: unknown): number {
    const stream = this.streams++;
    this.line({ t: 'open', stream, ...begun, tookMs: rounded(this.at() - begun.at), answer });
    return stream;
  }

  item(stream: number, answer: unknown): void {
    this.line({ t: 'item', stream, at: this.at(), answer });
  }

  closed(stream: number, error?: unknown): void {
    this.line({ t: 'close', stream, at: this.at(), ...(error !== undefined && { error: recordedError(error) }) });
  }

  pods({ source, op, pods }: PodUpdate): void {
    this.line({ t: 'pods', at: this.at(), source, op, pods: pods.map(maskPod) });
  }

  decided(entry: JournalEntry): void {
    this.line({ t: 'decision', at: this.at(), entry: maskDecision(entry) });
  }

  end(): void {
    this.line({ t: 'end', at: this.at() });
  }

  /** Now, in the recording's time. Each instant is later than the one before, so that a replay keeps their order. */
  at(): number {
    this.latest = rounded(Math.max(this.clock.monotonic() - this.startedAt, this.latest + leastMs));
    return this.latest;
  }

  private callLine({ seam, method, key, at }: Begun): string {
    const head = JSON.stringify({ t: 'call', seam, method, key, at, tookMs: rounded(this.at() - at) });
    return head.slice(0, -1);
  }

  private line(value: object): void {
    this.take(toPlainJson(value));
  }
}

function recordedError(thrown: unknown): RecordedError {
  const { code, message, reason } = KubeletError.from(thrown);
  return { code, message, ...(reason !== undefined && { reason }) };
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;
