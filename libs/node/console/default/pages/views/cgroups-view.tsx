import type { CgroupRow, CgroupTree } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Meter } from '../parts/meter.js';
import { Empty, Fault } from '../parts/panel.js';
import { moveFocus, VirtualRows } from '../parts/virtual-rows.js';
import { shownCgroups, type ShownCgroup } from '../pods/cgroup-rows.js';
import { usePolled } from '../state/ask.js';
import { podHref } from '../state/route.js';
import { bytes, coresOfNano, count, percent } from '../text/quantities.js';
import { PodName, Text } from '../text/foreign-text.js';
import { visible } from '../text/visible.js';

const rowHeight = 34;
/** Depth to which the tree is open at first: down to the pods. */
const openDepth = 3;

/** The cgroup tree with its use now. */
export function CgroupsView(): JSX.Element {
  const { data, error } = usePolled<CgroupTree>('data/cgroups', 2000);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const groups = data?.groups ?? [];
  const rows = useMemo(() => shownCgroups(groups, turned, openDepth), [groups, turned]);
  const most = Math.max(1, ...groups.map(({ cpuNanoCores }) => cpuNanoCores ?? 0));
  const turn = (path: string): void => {
    const next = new Set(turned);
    if (!next.delete(path)) next.add(path);
    setTurned(next);
  };
  return (
    <div class="view">
      <div class="view-title">
        <h1>Cgroups</h1>
        <p class="quiet">{count(groups.length, 'group')}, every two seconds</p>
      </div>
      {error !== undefined && <Fault>{error}</Fault>}
      {data === undefined && error === undefined && <Empty>Asking the kubelet …</Empty>}
      {groups.length > 0 && (
        <table class="cgroups" role="treegrid" aria-label="Cgroups" aria-rowcount={rows.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" class="wide">
                Group
              </th>
              <th scope="col" class="cgroup-share">
                CPU share
              </th>
              {['CPU', 'Throttled', 'Memory', 'Limit', 'Processes'].map((title) => (
                <th key={title} scope="col" class="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <VirtualRows
            items={rows}
            rowHeight={rowHeight}
            columns={7}
            row={(row, index) => <Group key={row.group.path} row={row} index={index} most={most} turn={turn} />}
          />
        </table>
      )}
    </div>
  );
}

interface GroupProps {
  readonly row: ShownCgroup;
  readonly index: number;
  readonly most: number;
  readonly turn: (path: string) => void;
}

function Group({ row: { group, depth, open, name }, index, most, turn }: GroupProps): JSX.Element {
  const { path, cpuNanoCores, memoryWorkingSetBytes, memoryLimitBytes, pids, cpuThrottledRatio } = group;
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.key === 'ArrowRight' && open === false) || (event.key === 'ArrowLeft' && open === true)) turn(path);
    else moveFocus(event, '.cgroup-name');
  };
  return (
    <tr class="cgroup" aria-rowindex={index + 2} aria-level={depth + 1} aria-expanded={open}>
      <th scope="row">
        <button
          type="button"
          class={`cgroup-name${open === undefined ? ' leaf' : ''}`}
          style={{ marginInlineStart: `${depth * 18}px` }}
          title={visible(path)}
          onClick={() => open !== undefined && turn(path)}
          onKeyDown={onKeyDown}
        >
          <span class={`twist${open === true ? ' open' : ''}`} aria-hidden="true">
            {open === undefined ? '' : '›'}
          </span>
          <Text>{name}</Text>
        </button>
        <GroupOwner group={group} />
      </th>
      <td>
        {cpuNanoCores !== undefined && (
          <Meter label="CPU" text={coresOfNano(cpuNanoCores)} parts={[{ share: cpuNanoCores / most, kind: 'use' }]} />
        )}
      </td>
      <td class="number">{cpuNanoCores === undefined ? '–' : coresOfNano(cpuNanoCores)}</td>
      <td class={`number${(cpuThrottledRatio ?? 0) > 0.05 ? ' alarming' : ''}`}>
        {cpuThrottledRatio === undefined ? '–' : percent(cpuThrottledRatio, 1)}
      </td>
      <td class="number">{memoryWorkingSetBytes === undefined ? '–' : bytes(memoryWorkingSetBytes)}</td>
      <td class="number">{memoryLimitBytes === undefined ? '–' : bytes(memoryLimitBytes)}</td>
      <td class="number">{pids ?? '–'}</td>
    </tr>
  );
}

function GroupOwner({ group: { pod, container } }: { readonly group: CgroupRow }): JSX.Element | null {
  const [namespace, name] = pod?.split('/') ?? [];
  if (namespace === undefined || name === undefined) return null;
  if (container !== undefined) return <Text class="quiet">{container}</Text>;
  return (
    <a href={podHref({ namespace, name })}>
      <PodName namespace={namespace} name={name} />
    </a>
  );
}
