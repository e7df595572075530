import type { NodeExplanation } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import type { ConsoleSample } from './console-sample.js';
import type { ImagesView } from './images-view.js';
import type { NodeFacts } from './node-facts.js';
import type { PodLane } from './pod-lane.js';
import type { PodRow } from './pod-row.js';

/** All that the pages without a subject of their own show. */
export interface ConsoleSnapshot {
  readonly atMs: number;
  readonly node: NodeFacts;
  readonly explanation: NodeExplanation;
  /**
   * Of the last ten minutes, oldest first, as far as somebody looked; at most 300. On a node of many pods `pods` is empty
   * in most of them, evenly, so that the snapshot stays small.
   */
  readonly history: readonly ConsoleSample[];
  readonly pods: readonly PodRow[];
  readonly lanes: readonly PodLane[];
  readonly images: ImagesView;
  /** The latest 200, oldest first. */
  readonly journal: readonly JournalEntry[];
}

/** What changed in a list whose members have a UID. */
export interface ListChange<T> {
  /** New ones and changed ones, whole. */
  readonly changed: readonly T[];
  /** UIDs. */
  readonly removed: readonly string[];
}

/**
 * What a watcher is told, by name. A watcher that is slower than what comes gets the newest state of each: samples in
 * between are missing, changes of a pod are joined.
 */
export interface ConsoleMessages {
  /** The first one, and only that. */
  readonly hello: ConsoleSnapshot;
  /** Every two seconds. */
  readonly sample: ConsoleSample;
  readonly pods: ListChange<PodRow>;
  readonly lanes: ListChange<PodLane>;
  /** When it changed, at most every five seconds. */
  readonly node: NodeExplanation;
  /** When they changed: requests of pods, resources, addresses. */
  readonly facts: NodeFacts;
  /** When it changed. */
  readonly images: ImagesView;
  /** Oldest first, at most four messages a second. `dropped`: so many more came before these; the journal has them. */
  readonly journal: { readonly entries: readonly JournalEntry[]; readonly dropped?: number };
}

export type ConsoleMessageName = keyof ConsoleMessages;

export type ConsoleMessage = {
  readonly [Name in ConsoleMessageName]: { readonly name: Name; readonly data: ConsoleMessages[Name] };
}[ConsoleMessageName];
