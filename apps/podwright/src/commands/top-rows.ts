import type { Node } from '@podwright/kube-types';
import { parseQuantity, quantityToBytes, quantityToMilli } from '@podwright/kube-types';
import type { ApiObject } from '../client/resources.js';

interface Usage {
  readonly cpu?: { readonly usageNanoCores?: number };
  readonly memory?: { readonly workingSetBytes?: number };
}

/** What is read of the kubelet's `/stats/summary`. */
export interface StatsSummary {
  readonly node: Usage & { readonly nodeName: string };
  readonly pods: readonly (Usage & {
    readonly podRef: { readonly name: string; readonly namespace: string; readonly uid: string };
    readonly containers?: readonly (Usage & { readonly name: string })[];
  })[];
}

export interface TopRow {
  readonly namespace: string;
  readonly pod: string;
  /** The pod's, or the container's. */
  readonly name: string;
  readonly milliCores: number;
  readonly mebibytes: number;
}

const nanoPerMilli = 1_000_000;
const bytesPerMebibyte = 1024 * 1024;

/** Pods without a sample yet are left out, as the metrics server does. `uids` are the pods to show. */
export function podRows(
  { pods }: StatsSummary,
  uids: ReadonlySet<string>,
  perContainer: boolean,
  sortBy: string | undefined,
): readonly TopRow[] {
  const rows = pods
    .filter(({ podRef }) => uids.has(podRef.uid))
    .flatMap(({ podRef: { namespace, name: pod }, containers = [] }) => {
      const sampled = containers.filter(
        ({ cpu, memory }) => cpu?.usageNanoCores !== undefined && memory?.workingSetBytes !== undefined,
      );
      if (sampled.length === 0) return [];
      if (!perContainer) return [{ namespace, pod, name: pod, ...amounts(sampled) }];
      return sampled.map((container) => ({ namespace, pod, name: container.name, ...amounts([container]) }));
    });
  return rows.sort((a, b) => compareRows(a, b, sortBy));
}

function amounts(usages: readonly Usage[]): { readonly milliCores: number; readonly mebibytes: number } {
  const nanoCores = usages.reduce((all, { cpu }) => all + (cpu?.usageNanoCores ?? 0), 0);
  const bytes = usages.reduce((all, { memory }) => all + (memory?.workingSetBytes ?? 0), 0);
  return { milliCores: Math.ceil(nanoCores / nanoPerMilli), mebibytes: Math.floor(bytes / bytesPerMebibyte) };
}

function compareRows(a: TopRow, b: TopRow, sortBy: string | undefined): number {
  if (sortBy === 'cpu') return b.milliCores - a.milliCores;
  if (sortBy === 'memory') return b.mebibytes - a.mebibytes;
  const [first, second] = [a, b].map(({ namespace, pod, name }) => `${namespace}\0${pod}\0${name}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

/** The cells of a node; the shares are `<unknown>` when the server has no Node object. */
export function nodeRow({ node }: StatsSummary, object: ApiObject | undefined): readonly string[] | undefined {
  if (node.cpu?.usageNanoCores === undefined || node.memory?.workingSetBytes === undefined) return undefined;
  const { milliCores, mebibytes } = amounts([node]);
  const allocatable = (object as Node | undefined)?.status?.allocatable;
  const share = (used: number, available: number | undefined): string =>
    available === undefined || available === 0 ? '<unknown>' : `${Math.floor((used / available) * 100)}%`;
  const [cpu, memory] = [allocatable?.cpu, allocatable?.memory];
  return [
    node.nodeName,
    `${milliCores}m`,
    share(milliCores, cpu === undefined ? undefined : quantityToMilli(parseQuantity(cpu))),
    `${mebibytes}Mi`,
    share(node.memory.workingSetBytes, memory === undefined ? undefined : quantityToBytes(parseQuantity(memory))),
  ];
}
