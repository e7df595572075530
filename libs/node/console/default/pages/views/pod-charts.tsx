import type { PodRow } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Chart, type ChartLine } from '../parts/chart.js';
import { Panel } from '../parts/panel.js';
import { history } from '../state/node-state.js';
import { bytes, cores, coresOfNano } from '../text/quantities.js';

/** On a node of many pods only some of the first samples have them. */
const gapMs = 60_000;

interface PodChartsProps {
  readonly uid: string | undefined;
  readonly row: PodRow | undefined;
}

/** What a pod used in the last ten minutes, with what it requests and may use. Nothing when nobody measured it. */
export function PodCharts({ uid, row }: PodChartsProps): JSX.Element | null {
  const samples = useMemo(
    () =>
      history.value.filter(({ pods }) =>
        pods.some((use) => use.uid === uid && use.memoryWorkingSetBytes !== undefined),
      ),
    [history.value, uid],
  );
  const { cpuRequestMillis, cpuLimitMillis, memoryRequestBytes, memoryLimitBytes } = row ?? {};
  const [cpuLines, memoryLines] = useMemo(
    () => [
      linesOf('cpuNanoCores', uid, scaled(cpuRequestMillis), scaled(cpuLimitMillis)),
      linesOf('memoryWorkingSetBytes', uid, memoryRequestBytes, memoryLimitBytes),
    ],
    [uid, cpuRequestMillis, cpuLimitMillis, memoryRequestBytes, memoryLimitBytes],
  );
  if (samples.length === 0) return null;
  const words = (say: (value: number) => string, request?: number, limit?: number): string =>
    `${request === undefined ? 'no request' : `requested ${say(request)}`}, ${limit === undefined ? 'no limit' : `limit ${say(limit)}`}`;
  return (
    <Panel title="Use in the last ten minutes">
      <div class="chart-grid">
        <Chart
          title={`CPU, ${words(cores, cpuRequestMillis, cpuLimitMillis)}`}
          {...{ samples, gapMs }}
          lines={cpuLines}
          format={coresOfNano}
          atLeast={1e7}
        />
        <Chart
          title={`Memory, ${words(bytes, memoryRequestBytes, memoryLimitBytes)}`}
          {...{ samples, gapMs }}
          lines={memoryLines}
          format={bytes}
          binary
          atLeast={1024 ** 2}
        />
      </div>
    </Panel>
  );
}

const scaled = (millis: number | undefined): number | undefined => (millis === undefined ? undefined : millis * 1e6);

function linesOf(
  field: 'cpuNanoCores' | 'memoryWorkingSetBytes',
  uid: string | undefined,
  request: number | undefined,
  limit: number | undefined,
): readonly ChartLine[] {
  return [
    {
      label: 'used',
      colour: '--line-1',
      value: ({ pods }) => pods.find((use) => use.uid === uid)?.[field],
    },
    ...(request === undefined
      ? []
      : [{ label: 'requested', colour: '--line-3', dash: [1.5, 2.5], value: () => request } satisfies ChartLine]),
    ...(limit === undefined
      ? []
      : [{ label: 'limit', colour: '--line-2', dash: [5, 3], value: () => limit } satisfies ChartLine]),
  ];
}
