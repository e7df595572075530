import type { RecordedCall } from '@podwright/flight-recorder-interface';
import { isChange, isWhole } from '../seams/call-key.js';
import { containers, runtimeKinds, type RuntimeKind } from '../seams/runtime-kinds.js';
import type { Asked } from '../tape/asked.js';
import { fromPlainJson } from '../tape/plain-json.js';
import { ObjectTimeline } from './object-timeline.js';

type Fields = Readonly<Record<string, unknown>>;

const exited = 2;

const endOf = ({ at, tookMs }: RecordedCall): number => at + tookMs;

/** The sandboxes and containers of the recorded runtime at any instant. */
export class RuntimeTimeline {
  private readonly kinds: readonly KindTimeline[];
  private readonly given = new Set<RecordedCall>();
  /** Containers of the snapshot that the recorded kubelet has started only then. */
  private readonly startedLater: ReadonlySet<string>;

  constructor(calls: readonly RecordedCall[], startedAtMs: number) {
    const ofRuntime = calls.filter(({ seam }) => seam === 'runtime');
    this.startedLater = new Set(
      ofRuntime.flatMap(({ method, key, snapshot }) => (method === 'startContainer' && snapshot !== true ? [key] : [])),
    );
    const done = ofRuntime.filter(({ error }) => error === undefined);
    const ordered = [...done].sort((left, right) => endOf(left) - endOf(right));
    const replay = { startedAtMs, given: this.given, isBefore: (call: RecordedCall) => this.isBefore(call) };
    this.kinds = runtimeKinds.map((kind) => new KindTimeline(kind, ordered, replay));
  }

  /**
   * True: a change that had happened before the replay began. A container that was about to be started has not: a kubelet
   * that finds it would make another one, so the replayed one makes it.
   */
  isBefore({ snapshot, method, answer }: RecordedCall): boolean {
    if (snapshot !== true || !isChange(method)) return false;
    const { make, madeId } = containers;
    return method !== make || !this.startedLater.has(String(((answer ?? {}) as Fields)[madeId]));
  }

  /** True: the call asks to stop what has stopped, or to remove what is gone, which succeeds however often it is asked. */
  isDone({ seam, method, key }: Asked, atMs: number): boolean {
    return seam === 'runtime' && this.kinds.some((kind) => kind.isDone(method, key, atMs));
  }

  /** The replayed kubelet has got this answer. */
  give(call: RecordedCall): void {
    this.given.add(call);
  }

  /**
   * The answer to a call that asks for sandboxes or containers; undefined when this one is about something else. A list
   * has the order of the `recorded` one, because the kubelet works in that order.
   */
  answer(method: string, request: unknown, atMs: number, recorded?: unknown): unknown {
    const fields = (request ?? {}) as Fields;
    for (const kind of this.kinds) {
      if (method === kind.kind.list) return kind.list((fields['filter'] ?? {}) as Fields, atMs, recorded);
      if (method === kind.kind.status) return kind.status(String(fields[kind.kind.madeId]), atMs);
    }
    return undefined;
  }
}

interface BegunReplay {
  /** Wall clock, Unix milliseconds. */
  readonly startedAtMs: number;
  /** Answers that the replayed kubelet has got. */
  readonly given: ReadonlySet<RecordedCall>;
  readonly isBefore: (call: RecordedCall) => boolean;
}

class KindTimeline {
  private readonly objects = new Map<string, ObjectTimeline<Fields>>();
  private readonly statuses = new Map<string, RecordedCall[]>();

  constructor(
    readonly kind: RuntimeKind,
    calls: readonly RecordedCall[],
    private readonly replay: BegunReplay,
  ) {
    for (const call of calls) this.learn(call);
  }

  list(filter: Fields, atMs: number, recorded: unknown): Fields {
    const places = new Map(this.itemsOf(recorded).map(({ id }, place) => [id, place]));
    const place = ({ id }: Fields): number => places.get(id) ?? places.size;
    const items = [...this.objects.values()].flatMap((object) => {
      if (object.item === undefined || !object.exists(atMs)) return [];
      const item = { ...(fromPlainJson(object.item) as Fields), state: object.state(atMs) };
      return fits(item, filter) ? [item] : [];
    });
    return { [this.kind.listed]: items.sort((left, right) => place(left) - place(right)) };
  }

  /**
   * The recorded answer that was given in the same state, after the same changes, and next to this instant. Undefined
   * when there is none.
   */
  status(id: string, atMs: number): unknown {
    const object = this.objects.get(id);
    if (object === undefined || !object.exists(atMs)) return undefined;
    const [state, since] = [object.state(atMs), object.lastChange(atMs)];
    const fitting = (this.statuses.get(id) ?? []).filter((call) => statusOf(call)['state'] === state);
    const fresh = fitting.filter((call) => endOf(call) >= since);
    const distance = (call: RecordedCall): number => Math.abs(endOf(call) - atMs);
    const [nearest] = (fresh.length > 0 ? fresh : fitting).sort((left, right) => distance(left) - distance(right));
    return nearest === undefined ? undefined : fromPlainJson(nearest.answer);
  }

  isDone(method: string, id: string, atMs: number): boolean {
    const { remove, stop, reach } = this.kind;
    if (method !== remove && method !== stop) return false;
    const object = this.objects.get(id);
    if (object?.exists(atMs) !== true) return true;
    return method === stop && object.state(atMs) === reach[stop];
  }

  private learn(call: RecordedCall): void {
    const { make, madeId, reach, remove, list, status } = this.kind;
    const { method, key } = call;
    const cause = this.replay.isBefore(call) ? undefined : call;
    const answer = (call.answer ?? {}) as Fields;
    if (method === make) this.born(String(answer[madeId]), endOf(call), cause).reach(0, endOf(call));
    else if (method === list) this.look(call, this.itemsOf(answer));
    else if (method === status) this.inspect(call, idIn(key, madeId));
    else if (method === remove) this.objects.get(key)?.gone(endOf(call), cause);
    else {
      const object = this.objects.get(key);
      object?.changed(endOf(call));
      const state = reach[method];
      if (state !== undefined) object?.reach(state, endOf(call), cause);
    }
  }

  private itemsOf(list: unknown): readonly Fields[] {
    return (((list ?? {}) as Fields)[this.kind.listed] ?? []) as readonly Fields[];
  }

  private born(id: string, atMs: number, making?: RecordedCall): ObjectTimeline<Fields> {
    const known = this.objects.get(id);
    if (known !== undefined) return known;
    const object = new ObjectTimeline<Fields>(atMs, this.replay.given, making);
    this.objects.set(id, object);
    return object;
  }

  private look(call: RecordedCall, items: readonly Fields[]): void {
    const seen = new Set<string>();
    for (const item of items) {
      const id = String(item['id']);
      seen.add(id);
      // One that the recorded kubelet has not made was there before it, or somebody else has made it.
      const object = this.born(id, Math.min(call.at, this.msOf(item['createdAt']) ?? call.at));
      object.item = item;
      object.seen(Number(item['state']), endOf(call));
    }
    // A look at all that lacks one: somebody else has removed it.
    if (!isWhole(call.key)) return;
    for (const [id, object] of this.objects) if (!seen.has(id) && object.bornMs < call.at) object.gone(call.at);
  }

  private inspect(call: RecordedCall, id: string): void {
    const status = statusOf(call);
    const object = this.objects.get(id) ?? this.born(id, call.at);
    const known = this.statuses.get(id);
    if (known === undefined) this.statuses.set(id, [call]);
    else known.push(call);
    const state = Number(status['state']);
    if (state === exited) {
      // The runtime says when it ended, which was before anybody looked.
      const finishedMs = this.msOf(status['finishedAt']) ?? call.at;
      object.reach(state, Math.min(finishedMs, endOf(call)));
    } else object.seen(state, endOf(call));
    object.item ??= { id, ...status };
  }

  /** The recording's time of a time stamp of the runtime. */
  private msOf(nanoseconds: unknown): number | undefined {
    const value = fromPlainJson(nanoseconds);
    return typeof value === 'bigint' && value > 0n
      ? Number(value / 1_000n) / 1_000 - this.replay.startedAtMs
      : undefined;
  }
}

const statusOf = ({ answer }: RecordedCall): Fields => (((answer ?? {}) as Fields)['status'] ?? {}) as Fields;

/** The key of a call that only asks is its request. */
const idIn = (key: string, name: string): string => String((JSON.parse(key) as Fields)[name]);

function fits(item: Fields, filter: Fields): boolean {
  const { id, podSandboxId, state, labelSelector } = filter;
  if (typeof id === 'string' && id !== '' && item['id'] !== id) return false;
  if (typeof podSandboxId === 'string' && podSandboxId !== '' && item['podSandboxId'] !== podSandboxId) return false;
  if (state !== undefined && item['state'] !== (state as Fields)['state']) return false;
  const labels = (item['labels'] ?? {}) as Fields;
  return Object.entries((labelSelector ?? {}) as Fields).every(([name, value]) => labels[name] === value);
}
