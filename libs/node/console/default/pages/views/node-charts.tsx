import type { NodeFacts } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { Chart, type ChartLine } from '../parts/chart.js';
import { Panel } from '../parts/panel.js';
import { history } from '../state/node-state.js';
import { bytes, cores, coresOfNano, digits } from '../text/quantities.js';

const cpuLines: readonly ChartLine[] = [
  { label: 'used', colour: '--line-1', value: ({ cpuNanoCores }) => cpuNanoCores },
];
const memoryLines: readonly ChartLine[] = [
  { label: 'working set', colour: '--line-1', value: ({ memoryWorkingSetBytes }) => memoryWorkingSetBytes },
];
const networkLines: readonly ChartLine[] = [
  { label: 'received', colour: '--line-1', value: ({ networkRxBytesPerSecond }) => networkRxBytesPerSecond },
  { label: 'sent', colour: '--line-2', dash: [5, 3], value: ({ networkTxBytesPerSecond }) => networkTxBytesPerSecond },
];
const stallLines: readonly ChartLine[] = [
  { label: 'CPU', colour: '--line-1', value: ({ psiSomeCpu }) => psiSomeCpu },
  { label: 'memory', colour: '--line-2', dash: [5, 3], value: ({ psiSomeMemory }) => psiSomeMemory },
  { label: 'I/O', colour: '--line-3', dash: [1.5, 2.5], value: ({ psiSomeIo }) => psiSomeIo },
];

const rate = (value: number): string => `${bytes(value)}/s`;
const share = (value: number): string => `${digits(value)} %`;

export function NodeCharts({ facts }: { readonly facts: NodeFacts }): JSX.Element {
  const samples = history.value;
  const capacity = (name: string): number => facts.resources.find((each) => each.name === name)?.capacity ?? 0;
  const [cpu, memory] = [capacity('cpu'), capacity('memory')];
  // Older kernels have no pressure files.
  const hasStalls = samples.some(({ psiSomeCpu }) => psiSomeCpu !== undefined);
  return (
    <Panel title="The last ten minutes">
      <div class="chart-grid">
        <Chart
          title={`CPU of ${cores(cpu)} cores`}
          samples={samples}
          lines={cpuLines}
          format={coresOfNano}
          atLeast={cpu * 1e5}
        />
        <Chart
          title={`Memory of ${bytes(memory)}`}
          samples={samples}
          lines={memoryLines}
          format={bytes}
          binary
          atLeast={memory / 10}
        />
        <Chart title="Network" samples={samples} lines={networkLines} format={rate} binary atLeast={10_240} />
        {hasStalls && (
          <Chart title="Time lost to waiting" samples={samples} lines={stallLines} format={share} atLeast={5} />
        )}
      </div>
    </Panel>
  );
}
