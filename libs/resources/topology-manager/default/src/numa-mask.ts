import { KubeletError } from '@podwright/errors';

/** A set of NUMA nodes, one bit each; upstream's masks have 64 bits. */
export type NumaMask = bigint;

const maskBits = 64;

/** The mask of the nodes. Throws `out-of-range` for a node number above upstream's 64 bits. */
export function maskOf(nodes: readonly number[]): NumaMask {
  let mask = 0n;
  for (const node of nodes) {
    if (node < 0 || node >= maskBits)
      throw new KubeletError(`NUMA node ${node} is not in the range of 0 to ${maskBits - 1}`, { code: 'out-of-range' });
    mask |= 1n << BigInt(node);
  }
  return mask;
}

/** The nodes of the mask, ascending. */
export function nodesOf(mask: NumaMask): readonly number[] {
  const nodes: number[] = [];
  for (let node = 0; node < maskBits; node += 1) if (((mask >> BigInt(node)) & 1n) === 1n) nodes.push(node);
  return nodes;
}

export function countOf(mask: NumaMask): number {
  let count = 0;
  for (let rest = mask; rest !== 0n; rest &= rest - 1n) count += 1;
  return count;
}

/** Whether the mask has fewer nodes, or equally many with lower numbers. */
export function isNarrower(mask: NumaMask, other: NumaMask): boolean {
  const [count, otherCount] = [countOf(mask), countOf(other)];
  return count === otherCount ? mask < other : count < otherCount;
}
