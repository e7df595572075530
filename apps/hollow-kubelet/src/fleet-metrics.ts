import type { HollowNode } from '@podwright/hollow-nodes';
import type { MetricsRegistry } from '@podwright/metrics';

const stateOf = ({ currentFault, ready }: HollowNode): string => currentFault ?? (ready ? 'ready' : 'not_ready');

/** Registers what the process says about its nodes. */
export function registerFleetMetrics(metrics: MetricsRegistry, nodes: () => readonly HollowNode[]): void {
  const label = (name: string, value: string, count: number) => ({ labels: { [name]: value }, value: count });
  metrics.computed({
    name: 'podwright_hollow_nodes',
    help: 'Number of hollow nodes by state; those that fail as planned are unreachable or down',
    type: 'gauge',
    labels: ['state'],
    collect: () =>
      ['ready', 'not_ready', 'unreachable', 'down'].map((state) =>
        label('state', state, nodes().filter((node) => stateOf(node) === state).length),
      ),
  });
  metrics.computed({
    name: 'podwright_hollow_containers',
    help: 'Number of running hollow containers',
    type: 'gauge',
    collect: () => {
      const running = nodes().map(({ runtime }) => runtime.control.containers().filter((each) => each.running).length);
      return [{ value: running.reduce((sum, count) => sum + count, 0) }];
    },
  });
}
