import { isServerAway } from '@podwright/offline-objects-interface';
import type { OfflineCopy, OfflineKind, OfflineObjects, OfflineRef } from '@podwright/offline-objects-interface';
import type { Clock } from '@podwright/time';

const awayAfterMs = 10_000;
const keyOf = ({ kind, namespace, name }: OfflineRef): string => `${kind} ${namespace}/${name}`;

interface Kept {
  readonly ref: OfflineRef;
  readonly object: object | (() => object);
  readonly savedAtMs: number;
}

/** {@link OfflineObjects} in memory, for specs of what reads and writes them. Outlives the managers of a "process". */
export class MemoryOfflineObjects implements OfflineObjects {
  private readonly kept = new Map<string, Kept>();
  private readonly used = new Set<string>();

  constructor(private readonly clock: Clock) {}

  /** What is in use in place of the server's answers, such as `Secret default/a`. */
  get inUse(): readonly string[] {
    return [...this.used];
  }

  async start(): Promise<void> {
    // Nothing to read.
  }

  async stop(): Promise<void> {
    // Nothing runs.
  }

  keep(ref: OfflineRef, object: object | (() => object)): void {
    this.used.delete(keyOf(ref));
    this.kept.set(keyOf(ref), { ref, object, savedAtMs: this.clock.now() });
  }

  forget(ref: OfflineRef): void {
    this.used.delete(keyOf(ref));
    this.kept.delete(keyOf(ref));
  }

  async get<T>(ref: OfflineRef): Promise<OfflineCopy<T> | undefined> {
    const kept = this.kept.get(keyOf(ref));
    return kept && copyOf<T>(kept);
  }

  async list<T>(kind: OfflineKind): Promise<readonly OfflineCopy<T>[]> {
    return this.ofKind(kind).map((kept) => copyOf<T>(kept));
  }

  refs(kind: OfflineKind): readonly OfflineRef[] {
    return this.ofKind(kind).map(({ ref }) => ref);
  }

  use(copies: readonly OfflineCopy[]): void {
    for (const { ref } of copies) this.used.add(keyOf(ref));
  }

  async away(synced: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    for (let waitMs = awayAfterMs; !signal.aborted; waitMs = 1_000) {
      const deadline = this.clock.deadline(waitMs, signal);
      const error = await synced(deadline.signal).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      deadline.dispose();
      if (error === undefined) return false;
      if (!signal.aborted && isServerAway(error)) return true;
    }
    return false;
  }

  async flushed(): Promise<void> {
    // Nothing is written.
  }

  private ofKind(kind: OfflineKind): readonly Kept[] {
    const place = ({ ref }: Kept): string => `${ref.namespace}/${ref.name}`;
    return [...this.kept.values()]
      .filter(({ ref }) => ref.kind === kind)
      .sort((left, right) => (place(left) < place(right) ? -1 : 1));
  }
}

// Through JSON, as from a file.
function copyOf<T>({ ref, object, savedAtMs }: Kept): OfflineCopy<T> {
  const content = typeof object === 'function' ? (object as () => object)() : object;
  return { ref, object: JSON.parse(JSON.stringify(content)) as T, savedAtMs };
}
