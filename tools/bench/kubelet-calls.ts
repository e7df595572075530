import type { KubeletProcess } from '../start/kubelet-process.js';

/** Calls of a kubelet, as its metrics count them: operations of the runtime and HTTP methods of API requests. */
export type KubeletCalls = ReadonlyMap<string, number>;

// Requests of one kind are one number, whatever host they went to and what they returned.
const patterns = [
  /^kubelet_runtime_operations_total\{operation_type="(\w+)"\} ([\d.e+]+)$/,
  /^rest_client_requests_total\{.*method="(\w+)".*\} ([\d.e+]+)$/,
];

/** The counts so far. Upstream's kubelet serves the same metrics. */
export async function callsOf(kubelet: KubeletProcess): Promise<KubeletCalls> {
  const counts = new Map<string, number>();
  for (const line of (await kubelet.ask('/metrics')).split('\n')) {
    for (const pattern of patterns) {
      const [, name, value] = pattern.exec(line) ?? [];
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + Number(value));
    }
  }
  return counts;
}

/** How many calls there were per pod between two counts, by kind; kinds without a call are left out. */
export function callsPerPod(before: KubeletCalls, after: KubeletCalls, pods: number): Readonly<Record<string, number>> {
  const rows = [...after].map(([name, count]) => [name, (count - (before.get(name) ?? 0)) / pods] as const);
  return Object.fromEntries(rows.filter(([, count]) => count > 0).sort(([left], [right]) => left.localeCompare(right)));
}
