import type { PodLane, PodRow, PodUse } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { LaneKey, LaneScale, LaneTrack } from '../parts/lane-track.js';
import { Empty } from '../parts/panel.js';
import { TroubleMark } from '../parts/trouble-mark.js';
import { moveFocus, VirtualRows } from '../parts/virtual-rows.js';
import {
  matchingPods,
  sortedPods,
  troubleLevels,
  troubleOf,
  troubleWords,
  type PodSort,
  type TroubleLevel,
} from '../pods/trouble.js';
import { lanes, pods, podUse } from '../state/node-state.js';
import { podHref, query } from '../state/route.js';
import { now } from '../state/ticks.js';
import { bytes, coresOfNano, count } from '../text/quantities.js';
import { PodName, Text } from '../text/foreign-text.js';

const rowHeight = 52;
const sorts: Readonly<Record<PodSort, string>> = {
  trouble: 'trouble first',
  name: 'name',
  cpu: 'CPU',
  memory: 'memory',
  restarts: 'restarts',
  age: 'youngest first',
};

/** Pods as lanes over the last ten minutes. */
export function PodsView(): JSX.Element {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<PodSort>('trouble');
  const wanted = query.value.get('show');
  const level = troubleLevels.find((each) => each === wanted);
  const use = podUse.value;
  // A sample moves rows only when they are sorted by what it has.
  const order = sort === 'cpu' || sort === 'memory' ? use : undefined;
  const rows = useMemo(() => {
    const all = [...pods.value.values()];
    const shown = level === undefined ? all : all.filter(({ situation }) => troubleOf(situation) === level);
    return sortedPods(matchingPods(shown, search), { sort, use: order ?? new Map() });
  }, [pods.value, search, sort, level, order]);
  return (
    <div class="view">
      <div class="view-title">
        <h1>Pods</h1>
        <p class="quiet">
          {rows.length === pods.value.size ? count(rows.length, 'pod') : `${rows.length} of ${pods.value.size} pods`}
        </p>
        <div class="controls">
          <label>
            <span>Filter</span>
            <input
              type="search"
              value={search}
              placeholder="name, label=value, phase …"
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          </label>
          <Levels chosen={level} />
          <label>
            <span>Sort by</span>
            <select value={sort} onChange={({ currentTarget }) => setSort(currentTarget.value as PodSort)}>
              {Object.entries(sorts).map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      <table class="lanes" aria-rowcount={rows.length + 1}>
        <caption class="unseen">
          Pods with what happened to each in the last ten minutes. Arrow keys move from pod to pod.
        </caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="lane-pod">
              Pod
            </th>
            <th scope="col">
              <span class="unseen">The last ten minutes</span>
              <LaneScale />
            </th>
            <th scope="col" class="number">
              CPU
            </th>
            <th scope="col" class="number">
              Memory
            </th>
            <th scope="col" class="number">
              Restarts
            </th>
          </tr>
        </thead>
        <VirtualRows
          items={rows}
          rowHeight={rowHeight}
          columns={5}
          row={(row, index) => (
            <LaneRow key={row.uid} row={row} index={index} lane={lanes.value.get(row.uid)} use={use.get(row.uid)} />
          )}
        />
      </table>
      {rows.length === 0 && (
        <Empty>{pods.value.size === 0 ? 'No pod is on this node.' : 'No pod fits the filter.'}</Empty>
      )}
      <LaneKey />
    </div>
  );
}

function Levels({ chosen }: { readonly chosen: TroubleLevel | undefined }): JSX.Element {
  return (
    <div class="levels" role="group" aria-label="Show">
      <a href="#/pods" aria-current={chosen === undefined ? 'true' : undefined}>
        all
      </a>
      {troubleLevels.map((level) => (
        <a key={level} href={`#/pods?show=${level}`} aria-current={chosen === level ? 'true' : undefined}>
          <TroubleMark level={level} /> {troubleWords[level]}
        </a>
      ))}
    </div>
  );
}

interface LaneRowProps {
  readonly row: PodRow;
  readonly index: number;
  readonly lane: PodLane | undefined;
  readonly use: PodUse | undefined;
}

function LaneRow({ row, index, lane, use }: LaneRowProps): JSX.Element {
  const level = troubleOf(row.situation);
  return (
    <tr class="lane" aria-rowindex={index + 2}>
      <th scope="row" class="lane-pod">
        <a href={podHref(row)} onKeyDown={(event) => moveFocus(event, '.lane-pod a')}>
          <TroubleMark level={level} />
          <span class="unseen">{troubleWords[level]}: </span>
          <PodName namespace={row.namespace} name={row.name} />
        </a>
        <Text class="headline">{row.headline}</Text>
      </th>
      <td>
        <LaneTrack lane={lane} nowMs={now.value} />
      </td>
      <td class="number">{use?.cpuNanoCores === undefined ? '–' : coresOfNano(use.cpuNanoCores)}</td>
      <td class="number">{use?.memoryWorkingSetBytes === undefined ? '–' : bytes(use.memoryWorkingSetBytes)}</td>
      <td class={`number${row.restarts > 0 ? ' strong' : ''}`}>{row.restarts}</td>
    </tr>
  );
}
