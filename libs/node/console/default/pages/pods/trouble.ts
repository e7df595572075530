import type { PodRow } from '@podwright/console-interface';
import type { PodSituation } from '@podwright/explain-interface';

/** How much a person should care: `trouble` needs one, `busy` is on its way, `fine` runs, `over` has ended. */
export const troubleLevels = ['trouble', 'busy', 'fine', 'over'] as const;
export type TroubleLevel = (typeof troubleLevels)[number];

export const troubleWords: Readonly<Record<TroubleLevel, string>> = {
  trouble: 'in trouble',
  busy: 'on its way',
  fine: 'fine',
  over: 'over',
};

const busy: readonly PodSituation[] = [
  'received',
  'queued',
  'waits-for-name',
  'waits-for-restart',
  'volume-waiting',
  'sandbox-starting',
  'image-queued',
  'image-pulling',
  'init-running',
  'sidecar-starting',
  'starting',
  'startup-probing',
  'readiness-waiting',
  'readiness-gate',
  'resize-deferred',
  'ending-grace',
  'ending-cleanup',
  'ending-object',
];
const fine: readonly PodSituation[] = ['ready', 'running'];
const over: readonly PodSituation[] = ['succeeded', 'ended', 'removed'];

/** A situation that this page does not know counts as trouble. */
export function troubleOf(situation: PodSituation): TroubleLevel {
  if (fine.includes(situation)) return 'fine';
  if (busy.includes(situation)) return 'busy';
  return over.includes(situation) ? 'over' : 'trouble';
}

export type PodSort = 'trouble' | 'name' | 'cpu' | 'memory' | 'restarts' | 'age';

export interface PodOrder {
  readonly sort: PodSort;
  readonly use: ReadonlyMap<string, { readonly cpuNanoCores?: number; readonly memoryWorkingSetBytes?: number }>;
}

/** The first to look at first; equal ones by name, so that rows keep their places. */
export function sortedPods(rows: readonly PodRow[], { sort, use }: PodOrder): readonly PodRow[] {
  const key = (row: PodRow): number => {
    switch (sort) {
      case 'trouble':
        return troubleLevels.indexOf(troubleOf(row.situation));
      case 'cpu':
        return -(use.get(row.uid)?.cpuNanoCores ?? -1);
      case 'memory':
        return -(use.get(row.uid)?.memoryWorkingSetBytes ?? -1);
      case 'restarts':
        return -row.restarts;
      case 'age':
        return -(row.startedAtMs ?? 0);
      case 'name':
        return 0;
    }
  };
  const keyed = rows.map((row) => ({ row, key: key(row), name: `${row.namespace}/${row.name}` }));
  keyed.sort((a, b) => a.key - b.key || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return keyed.map(({ row }) => row);
}

/** Every word must be somewhere in the pod's names, labels, phase or headline. */
export function matchingPods(rows: readonly PodRow[], search: string): readonly PodRow[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const labels = Object.entries(row.labels).map(([name, value]) => `${name}=${value}`);
    const text = [`${row.namespace}/${row.name}`, row.phase, row.situation, row.headline, row.qosClass, ...labels];
    const all = text.join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
