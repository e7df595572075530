import {
  addressOf,
  collectionOf,
  hasInitialEvents,
  isWatch,
  objectIn,
  objectOf,
  withInitialEvents,
} from '../seams/api-request.js';
import { HeldCollection } from './held-collection.js';
import { HeldTexts } from './held-texts.js';
import { toPlainJson } from './plain-json.js';
import type { Asked, Begun } from './asked.js';

export interface Opening extends Begun {
  readonly stream: number;
  readonly tookMs: number;
  readonly answer: unknown;
}

/** A stream that is open, or the whole answer to a request. */
interface HeldStream {
  readonly opening: Opening;
  readonly items: string[];
  bytes: number;
}

/** The objects of a watch. */
interface Watched {
  readonly collection: HeldCollection;
  /** The watch that tells of their changes. */
  readonly opening: Opening;
  /** The list that it continues; absent when the watch has told of all objects. */
  readonly list: Opening | undefined;
  /** When it has ended, until the next one begins. */
  readonly endedMs?: number;
}

const statusOk = 200;
const openingBytes = 300;
// A watch without a successor for so long is that of an object that nobody needs any more. Retries pause for a minute.
const forgottenMs = 120_000;
// A client takes a watch that ends sooner for a failure.
const leastWatchMs = 1_500;

/** What the API server has answered last to each request, and the objects of the watches. */
export class HeldStreams {
  private readonly open = new Map<number, HeldStream>();
  private readonly answers: HeldTexts<HeldStream>;
  private readonly watches: HeldTexts<Watched>;

  constructor(mostBytes: number) {
    this.answers = new HeldTexts(mostBytes / 2);
    this.watches = new HeldTexts(mostBytes / 2);
  }

  get bytes(): number {
    return this.answers.bytes + this.watches.bytes;
  }

  opened(opening: Opening): void {
    this.open.set(opening.stream, { opening, items: [], bytes: openingBytes });
    if (!isWorkingWatch(opening)) return;
    const name = collectionOf(opening.key);
    if (hasInitialEvents(opening.key)) {
      this.keep(name, { collection: new HeldCollection(), opening, list: undefined });
      return;
    }
    const known = this.watches.get(name);
    const list = this.listOf(name);
    if (known !== undefined && (list === undefined || list.opening.at < known.opening.at))
      this.keep(name, { collection: known.collection, opening, list: known.list });
    else if (list !== undefined) {
      const collection = new HeldCollection();
      collection.takeList(list.items.map((json) => String(JSON.parse(json))).join(''));
      this.keep(name, { collection, opening, list: list.opening });
    }
  }

  item(stream: number, answer: unknown): void {
    const held = this.open.get(stream);
    if (held?.opening.seam !== 'api') return;
    if (!isWorkingWatch(held.opening)) {
      const json = toPlainJson(answer);
      held.items.push(json);
      held.bytes += json.length;
      return;
    }
    const name = collectionOf(held.opening.key);
    const watched = this.watches.get(name);
    if (watched?.opening !== held.opening || typeof answer !== 'string') return;
    for (const gone of watched.collection.take(answer))
      this.answers.forgetSubject(objectOf(name, gone.namespace, gone.name));
    this.keep(name, watched);
  }

  closed(stream: number, atMs: number, failed: boolean): void {
    const held = this.open.get(stream);
    this.open.delete(stream);
    if (held?.opening.seam !== 'api') return;
    const { opening, bytes } = held;
    if (!isWorkingWatch(opening)) {
      // Of all objects that were made in a collection, the last one stands for the others.
      const standing = { ...opening, key: addressOf(opening.key) };
      const object = objectIn(standing.key);
      // A watch may tell of the end of an object before the answer to its deletion comes.
      if (opening.method === 'DELETE' && !this.isThere(object)) this.answers.forgetSubject(object);
      else if (!failed) this.answers.set(nameOf(standing), { ...held, opening: standing }, bytes, object);
      return;
    }
    this.forgetEnded(atMs);
    const name = collectionOf(opening.key);
    const watched = this.watches.get(name);
    if (watched?.opening === opening) this.keep(name, { ...watched, endedMs: atMs });
  }

  /** Whoever tries again still needs the objects. */
  refused({ seam, key }: Asked, atMs: number): void {
    if (seam !== 'api' || !isWatch({ path: key })) return;
    const name = collectionOf(key);
    const watched = this.watches.get(name);
    if (watched?.endedMs !== undefined) this.keep(name, { ...watched, endedMs: atMs });
  }

  lines(nowMs: number): readonly string[] {
    this.forgetEnded(nowMs);
    const watches = this.watches.values();
    const lists = new Set(watches.map(({ list }) => list));
    return [
      ...this.answers
        .values()
        .filter(({ opening }) => !lists.has(opening))
        .flatMap(({ opening, items }) => answerLines(opening, items)),
      ...watches.flatMap((watched) => watchLines(watched, nowMs)),
      ...[...this.open.values()]
        .filter(({ opening }) => !isWorkingWatch(opening))
        .flatMap(({ opening, items }) => [openLine(opening), ...items.map((json) => itemLine(opening, json))]),
    ];
  }

  private keep(name: string, watched: Watched): void {
    this.watches.set(name, watched, watched.collection.bytes + openingBytes, name);
  }

  private forgetEnded(nowMs: number): void {
    for (const { opening, endedMs } of this.watches.values())
      if (endedMs !== undefined && nowMs - endedMs > forgottenMs) this.watches.forget(collectionOf(opening.key));
  }

  private isThere(object: string): boolean {
    const [, namespace, name = ''] = object.split('/');
    return this.watches
      .values()
      .some(
        ({ collection, opening }) =>
          objectOf(collectionOf(opening.key), namespace, name) === object && collection.has({ namespace, name }),
      );
  }

  private listOf(name: string): HeldStream | undefined {
    return this.answers
      .values()
      .find(({ opening }) => opening.method === 'GET' && !isWatch({ path: opening.key }) && isList(opening.key, name));
  }
}

const isList = (key: string, name: string): boolean => collectionOf(key) === name;

const isWorkingWatch = ({ seam, key, answer }: Opening): boolean =>
  seam === 'api' && isWatch({ path: key }) && (answer as { readonly status?: number } | undefined)?.status === statusOk;

const nameOf = ({ method, key }: Asked): string => `${method} ${key}`;

const openLine = (opening: Opening): string => toPlainJson({ t: 'open', ...opening, snapshot: true });

const itemLine = ({ stream, at, tookMs }: Opening, json: string): string =>
  `${JSON.stringify({ t: 'item', stream, at: at + tookMs, snapshot: true }).slice(0, -1)},"answer":${json}}`;

const closeLine = (stream: number, at: number): string => JSON.stringify({ t: 'close', stream, at, snapshot: true });

const answerLines = (opening: Opening, items: readonly string[]): readonly string[] => [
  openLine(opening),
  ...items.map((json) => itemLine(opening, json)),
  closeLine(opening.stream, opening.at + opening.tookMs),
];

function watchLines({ collection, opening, list, endedMs }: Watched, nowMs: number): readonly string[] {
  if (list !== undefined)
    return [
      ...answerLines(list, [JSON.stringify(collection.list())]),
      ...(endedMs === undefined ? [openLine(opening)] : []),
    ];
  const { key } = opening;
  return [
    openLine({ ...opening, key: hasInitialEvents(key) ? key : withInitialEvents(key) }),
    itemLine(opening, JSON.stringify(collection.initialEvents())),
    ...(endedMs === undefined ? [] : [closeLine(opening.stream, nowMs + leastWatchMs)]),
  ];
}
