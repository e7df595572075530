import type { NetworkInterfaceSample } from '@podwright/cgroup-stats-interface';
import type { ContainerMetric } from './container-metric.js';

/** Network counters of sandboxes and of the node. */
export const networkMetrics: readonly ContainerMetric[] = [
  network('receive_bytes_total', 'Cumulative count of bytes received', ({ rxBytes }) => rxBytes),
  network('receive_packets_total', 'Cumulative count of packets received', ({ rxPackets }) => rxPackets),
  network(
    'receive_packets_dropped_total',
    'Cumulative count of packets dropped while receiving',
    ({ rxDropped }) => rxDropped,
  ),
  network('receive_errors_total', 'Cumulative count of errors encountered while receiving', ({ rxErrors }) => rxErrors),
  network('transmit_bytes_total', 'Cumulative count of bytes transmitted', ({ txBytes }) => txBytes),
  network('transmit_packets_total', 'Cumulative count of packets transmitted', ({ txPackets }) => txPackets),
  network(
    'transmit_packets_dropped_total',
    'Cumulative count of packets dropped while transmitting',
    ({ txDropped }) => txDropped,
  ),
  network(
    'transmit_errors_total',
    'Cumulative count of errors encountered while transmitting',
    ({ txErrors }) => txErrors,
  ),
];

function network(name: string, help: string, value: (network: NetworkInterfaceSample) => number): ContainerMetric {
  return {
    name: `container_network_${name}`,
    type: 'counter',
    help,
    extraLabels: ['interface'],
    values: ({ sample }) => (sample.network ?? []).map((network) => [value(network), network.name]),
  };
}
