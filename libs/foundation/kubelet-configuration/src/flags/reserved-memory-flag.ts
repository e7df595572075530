import { tryParseQuantity } from '@podwright/kube-types';
import { kind, pairTexts } from './flag-kinds.js';

type ReservedMemory = readonly { readonly numaNode: number; readonly limits: Readonly<Record<string, string>> }[];

/**
 * `0:memory=1Gi,hugepages-1M=2Gi`: one NUMA node per occurrence, or several separated by `;`.
 * Source: kubernetes v1.36 pkg/util/flag/flags.go ReservedMemoryVar.
 */
export const reservedMemory = kind<ReservedMemory>(
  'reserved-memory',
  (text, previous) => (text === '' ? previous : [...(previous ?? []), ...text.split(';').map(parseNode)]),
  {
    show: (nodes) =>
      nodes
        .map(({ numaNode, limits }) => `${numaNode}:${pairTexts(limits, '=')}`)
        .sort()
        .join(','),
  },
);

function parseNode(text: string): ReservedMemory[number] {
  const [node = '', list, ...others] = text.split(':');
  if (list === undefined || others.length > 0) {
    throw new Error(
      `the reserved memory has incorrect format, expected numaNodeID:type=quantity[,type=quantity...], got ${text}`,
    );
  }
  if (!/^[-+]?\d+$/.test(node)) throw new Error(`failed to convert the NUMA node ID, expected integer, got ${node}`);
  return { numaNode: Number(node), limits: Object.fromEntries(list.split(',').map(parseLimit)) };
}

function parseLimit(text: string): readonly [string, string] {
  const [name = '', amount, ...others] = text.split('=');
  if (amount === undefined || others.length > 0)
    throw new Error(`the reserved limit has incorrect value, expected type=quantity, got ${text}`);
  if (name !== 'memory' && !name.startsWith('hugepages-'))
    throw new Error(`memory type conversion error, unknown type: ${JSON.stringify(name)}`);
  if (tryParseQuantity(amount) === undefined) throw new Error(`failed to parse the quantity: ${amount}`);
  return [name, amount];
}
