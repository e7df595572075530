import { computed, signal } from '@preact/signals';
import type {
  ConsoleMessageName,
  ConsoleMessages,
  ConsoleSample,
  ImagesView,
  NodeFacts,
  PodLane,
  PodRow,
} from '@podwright/console-interface';
import type { NodeExplanation } from '@podwright/explain-interface';
import { historyMs } from '../../src/history-window.js';
import { takeEntries } from './journal-state.js';

/** The node as the kubelet last described it; undefined before its first word. */
export const node = signal<NodeFacts | undefined>(undefined);
export const explanation = signal<NodeExplanation | undefined>(undefined);
export const history = signal<readonly ConsoleSample[]>([]);
export const pods = signal<ReadonlyMap<string, PodRow>>(new Map());
export const lanes = signal<ReadonlyMap<string, PodLane>>(new Map());
export const images = signal<ImagesView | undefined>(undefined);
/** The kubelet's clock minus this machine's. */
export const clockOffsetMs = signal(0);

export const latest = computed(() => history.value.at(-1));
/** What each pod uses, by UID. Not every sample has it. */
export const podUse = computed(() => {
  const sample = history.value.findLast(({ pods: uses }) => uses.length > 0);
  return new Map(sample?.pods.map((use) => [use.uid, use] as const));
});

/** Wall clock of the node, Unix milliseconds. */
export function nodeNow(): number {
  return Date.now() + clockOffsetMs.value;
}

type Takers = { readonly [Name in ConsoleMessageName]: (data: ConsoleMessages[Name]) => void };

/** Takes what the stream says. */
export const takers: Takers = {
  hello: (snapshot) => {
    clockOffsetMs.value = snapshot.atMs - Date.now();
    node.value = snapshot.node;
    explanation.value = snapshot.explanation;
    history.value = snapshot.history;
    pods.value = byUid(snapshot.pods);
    lanes.value = byUid(snapshot.lanes);
    images.value = snapshot.images;
    takeEntries(snapshot.journal, { anew: true });
  },
  sample: (sample) => {
    history.value = [...history.value.filter(({ atMs }) => atMs > sample.atMs - historyMs), sample];
  },
  pods: (change) => {
    pods.value = changed(pods.value, change);
  },
  lanes: (change) => {
    lanes.value = changed(lanes.value, change);
  },
  facts: (told) => {
    node.value = told;
  },
  node: (told) => {
    explanation.value = told;
  },
  images: (told) => {
    images.value = told;
  },
  journal: ({ entries, dropped }) => takeEntries(entries, { dropped: dropped ?? 0 }),
};

const byUid = <T extends { readonly uid: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.uid, item]));

function changed<T extends { readonly uid: string }>(
  before: ReadonlyMap<string, T>,
  change: { readonly changed: readonly T[]; readonly removed: readonly string[] },
): ReadonlyMap<string, T> {
  const after = new Map(before);
  for (const uid of change.removed) after.delete(uid);
  for (const item of change.changed) after.set(item.uid, item);
  return after;
}
