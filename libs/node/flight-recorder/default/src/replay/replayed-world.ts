import { KubeletError } from '@podwright/errors';
import type {
  RecordedCall,
  RecordedDraw,
  RecordedError,
  RecordedItem,
  RecordedClosing,
  RecordedOpening,
  RecordedPods,
  RecordingLine,
} from '@podwright/flight-recorder-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import type { Clock } from '@podwright/time';
import type { Recording } from '../read/read-recording.js';
import { addressOf } from '../seams/api-request.js';
import type { Asked } from '../tape/asked.js';
import { fromPlainJson } from '../tape/plain-json.js';
import { CallBook } from './call-book.js';
import { RuntimeTimeline } from './runtime-timeline.js';

/** A question to which the recording has no answer. */
export interface Unanswered extends Asked {
  /** In the recording's time. */
  readonly atMs: number;
}

interface RecordedStream {
  readonly opening: RecordedOpening;
  readonly items: RecordedItem[];
  closing?: RecordedClosing;
}

/** A random number as a page. */
type DrawPage = Pick<RecordedDraw, 'at' | 'value'> & { readonly tookMs: 0 };

/** A stream, or a request that got no answer, as one page, so that openings are found as calls are. */
interface StreamPage {
  readonly at: number;
  readonly tookMs: number;
  readonly stream?: RecordedStream;
  readonly error?: RecordedError;
  readonly standing?: boolean;
}

export interface OpenedStream {
  readonly answer: unknown;
  readonly items: AsyncIterable<unknown>;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** True: it changes something, so each recorded answer is given once, in their order. */
  readonly changes: boolean;
  /** How long the caller waits where there is no answer; a recorded answer comes at its own instant. */
  readonly limitMs?: number;
  /**
   * What the answer is at an instant, where it is known without a recorded answer to this very question. `recorded`: that
   * answer, if there is one.
   */
  readonly derived?: (atMs: number, recorded?: unknown) => unknown;
}

const nameOf = ({ seam, method, key }: Asked): string => `${seam} ${method} ${key}`;

/**
 * What stood around a recorded kubelet: it gives to each question of a replayed one the recorded answer, not before the
 * instant of the recorded one. The clock begins with the recording.
 */
export class ReplayedWorld {
  readonly unanswered: Unanswered[] = [];
  readonly pods: readonly RecordedPods[];
  /** Instant of the last line. */
  readonly endMs: number;
  readonly runtime: RuntimeTimeline;
  /** The recorded kubelet was to join an API server. */
  readonly usesApi: boolean;
  /** When its sync loop began to hear of pods and containers; undefined: before the recording. */
  readonly listeningMs: number | undefined;
  /** Containers of whose exit the loop has heard. */
  private readonly heardExits: ReadonlySet<string>;
  /** What the recorded kubelet has measured of node and pods, in the order of time. */
  readonly summaries: readonly RecordedCall[];
  private readonly calls = new Map<string, CallBook>();
  private readonly streams = new Map<string, CallBook<StreamPage>>();
  private readonly draws = new Map<string, CallBook<DrawPage>>();

  constructor(
    recording: Recording,
    private readonly clock: Clock,
  ) {
    const { lines } = recording;
    this.pods = lines.filter((line): line is RecordedPods => line.t === 'pods');
    this.endMs = lines.reduce((latest, line) => Math.max(latest, endOf(line)), 0);
    this.usesApi = lines.some((line) => 'seam' in line && line.seam === 'api');
    const listening = lines.findIndex(({ t }) => t === 'listening');
    this.listeningMs = lines[listening]?.at;
    this.heardExits = new Set(exitsIn(lines.slice(listening + 1)));
    const calls = callsByName(lines);
    this.summaries = [...calls.values()]
      .flat()
      .filter(({ seam, method, error }) => seam === 'stats' && method === 'summary' && error === undefined)
      .sort((left, right) => left.at - right.at);
    this.runtime = new RuntimeTimeline([...calls.values()].flat(), recording.header.startedAtMs);
    for (const [name, pages] of calls)
      this.calls.set(name, new CallBook(pages.filter((call) => !this.runtime.isBefore(call))));
    for (const [name, pages] of streamsByName(lines)) this.streams.set(name, new CallBook(pages));
    for (const [name, pages] of drawsByName(lines)) this.draws.set(name, new CallBook(pages));
  }

  /** Without a recorded answer it hangs until the signal, as a call does that was in flight when the recording ended. */
  async call(asked: Asked, { signal, changes, limitMs, derived }: AskOptions): Promise<unknown> {
    const book = this.calls.get(nameOf(asked));
    const page = changes ? this.changeIn(book, asked) : this.answerIn(book, asked, derived);
    await this.sleepUntil(page === undefined ? this.now() : page.at + page.tookMs, signal);
    const answer = page?.error === undefined ? derived?.(this.now(), page?.answer) : undefined;
    if (answer !== undefined) return answer;
    if (page === undefined && asked.seam === 'stats') return this.lastMeasured(asked);
    if (page === undefined) return this.runtime.isDone(asked, this.now()) ? {} : this.hang(asked, signal, limitMs);
    if (page.error !== undefined) throw errorOf(page.error);
    if (changes) this.runtime.give(page);
    return fromPlainJson(page.answer);
  }

  private changeIn(book: CallBook | undefined, { seam }: Asked): RecordedCall | undefined {
    return seam === 'probe' ? book?.takeDue(this.now()) : book?.takeChange(this.now());
  }

  private answerIn(book: CallBook | undefined, asked: Asked, derived: AskOptions['derived']): RecordedCall | undefined {
    // All pods that have an image ask for it, and only a pull or a removal changes the answer.
    if (asked.method === 'imageStatus') {
      const [pulls, removals] = ['pullImage', 'removeImage'].map((method) =>
        this.calls.get(nameOf({ ...asked, method }))?.between(),
      );
      return book?.nearest(this.now(), {
        fromMs: Math.max(pulls?.fromMs ?? -Infinity, removals?.fromMs ?? -Infinity),
        toMs: Math.min(pulls?.toMs ?? Infinity, removals?.toMs ?? Infinity),
      });
    }
    if (derived?.(this.now()) === undefined) return book?.takeAnswer(this.now());
    return book?.nearest(this.now());
  }

  async open(asked: Asked, { signal, changes }: AskOptions): Promise<OpenedStream> {
    const page = this.openingOf(asked, changes) ?? this.openingOf({ ...asked, key: addressOf(asked.key) }, changes);
    if (page === undefined) return this.hang(asked, signal);
    const { stream, error } = page;
    await this.sleepUntil(page.at + page.tookMs, signal);
    if (stream === undefined) throw errorOf(error ?? noAnswer);
    return { answer: fromPlainJson(stream.opening.answer), items: this.itemsOf(stream, signal) };
  }

  private openingOf(asked: Asked, changes: boolean): StreamPage | undefined {
    const book = this.streams.get(nameOf(asked));
    return changes ? book?.takeChange(this.now()) : book?.takeAnswer(this.now());
  }

  /** True: the loop of the recorded kubelet had begun when this was decided. */
  isHeard(entry: JournalEntry): boolean {
    return entry.kind === 'container.exited' && this.heardExits.has(entry.containerId);
  }

  /**
   * The random number that was drawn under this name at this time; undefined: none was. A replay that begins with a snapshot
   * draws some that the recorded kubelet had drawn before, and the numbers after them must stay with their pauses.
   */
  drawn(of: string): number | undefined {
    return this.draws.get(of)?.takeNear(this.now())?.value;
  }

  /** Milliseconds until such a number was drawn next; undefined: never again. */
  untilDrawnMs(of: string): number | undefined {
    const page = this.draws.get(of)?.after(this.now());
    return page === undefined ? undefined : page.at - this.now();
  }

  private async *itemsOf({ items, closing }: RecordedStream, signal?: AbortSignal): AsyncGenerator<unknown> {
    for (const { at, answer } of items) {
      await this.sleepUntil(at, signal);
      yield fromPlainJson(answer);
    }
    await this.sleepUntil(closing?.at ?? Infinity, signal);
    if (closing?.error !== undefined) throw errorOf(closing.error);
  }

  /** Somebody measures whom the recorded kubelet had not asked for: gets what was measured last. */
  private lastMeasured(asked: Asked): unknown {
    const last = asked.method === 'summary' ? this.summaries.findLast((call) => endOf(call) <= this.now()) : undefined;
    if (last !== undefined) return fromPlainJson(last.answer);
    throw errorOf({
      code: 'unavailable',
      message: 'the recording has no usage of the node and its disks by this moment',
    });
  }

  private async hang(asked: Asked, signal?: AbortSignal, limitMs = Infinity): Promise<never> {
    if (this.now() < this.endMs) this.unanswered.push({ ...asked, atMs: this.now() });
    await this.sleepUntil(this.now() + limitMs, signal);
    throw errorOf(noAnswer);
  }

  private now(): number {
    return this.clock.monotonic();
  }

  private async sleepUntil(atMs: number, signal?: AbortSignal): Promise<void> {
    try {
      await this.clock.sleep(atMs - this.now(), signal);
    } catch (error) {
      throw KubeletError.from(error);
    }
  }
}

const noAnswer: RecordedError = { code: 'deadline-exceeded', message: 'context deadline exceeded' };

const errorOf = ({ message, ...options }: RecordedError): KubeletError => new KubeletError(message, options);

const endOf = (line: RecordingLine): number => line.at + ('tookMs' in line ? line.tookMs : 0);

function callsByName(lines: readonly RecordingLine[]): ReadonlyMap<string, readonly RecordedCall[]> {
  const byName = new Map<string, RecordedCall[]>();
  const latest = new Map<string, RecordedCall>();
  for (const line of lines) {
    if (line.t !== 'call') continue;
    const name = nameOf(line);
    const answer = line.same === true ? latest.get(name)?.answer : line.answer;
    const call: RecordedCall = { ...line, answer };
    if (line.error === undefined) latest.set(name, call);
    push(byName, name, call);
  }
  // Lines are written when calls end.
  for (const calls of byName.values()) calls.sort((left, right) => left.at - right.at);
  return byName;
}

const exitsIn = (lines: readonly RecordingLine[]): readonly string[] =>
  lines.flatMap((line) =>
    line.t === 'decision' && line.entry.kind === 'container.exited' ? [line.entry.containerId] : [],
  );

function drawsByName(lines: readonly RecordingLine[]): ReadonlyMap<string, readonly DrawPage[]> {
  const byName = new Map<string, DrawPage[]>();
  for (const line of lines) if (line.t === 'draw') push(byName, line.of, { at: line.at, value: line.value, tookMs: 0 });
  return byName;
}

function streamsByName(lines: readonly RecordingLine[]): ReadonlyMap<string, readonly StreamPage[]> {
  const byNumber = new Map<number, RecordedStream>();
  const byName = new Map<string, StreamPage[]>();
  for (const line of lines) {
    if (line.t === 'open') {
      const stream: RecordedStream = { opening: line, items: [] };
      byNumber.set(line.stream, stream);
      // A request that changes something, such as for a token, may be repeated by a kubelet that begins later.
      const standing = line.snapshot === true && line.method !== 'GET' && line.seam === 'api';
      push(byName, nameOf(line), { at: line.at, tookMs: line.tookMs, stream, standing });
    } else if (line.t === 'item') byNumber.get(line.stream)?.items.push(line);
    else if (line.t === 'close') {
      const stream = byNumber.get(line.stream);
      if (stream !== undefined) stream.closing = line;
    } else if (line.t === 'call' && line.seam === 'api' && line.error !== undefined) {
      const { at, tookMs, error } = line;
      push(byName, nameOf(line), { at, tookMs, error });
    }
  }
  for (const pages of byName.values()) pages.sort((left, right) => left.at - right.at);
  return byName;
}

function push<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}
