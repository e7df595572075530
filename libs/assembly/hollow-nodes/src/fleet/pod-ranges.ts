// A network of 2^bits addresses loses four: its own, the gateway's, the broadcast's and one in reserve.
const lost = 4;
// 10.64.0.0/10: nodes of a hollow fleet are not reached at the addresses of their pods.
const base = 10 * 2 ** 24 + 64 * 2 ** 16;
const size = 2 ** 22;

/** The range of pod addresses of each node, so that no two pods of the fleet have the same address. */
export function podRanges(podsPerNode: number): (index: number) => string {
  // Pods that end still hold theirs while their successors start.
  const bits = Math.ceil(Math.log2(2 * podsPerNode + lost));
  return (index) => {
    const at = base + ((index * 2 ** bits) % size);
    return `${[24, 16, 8, 0].map((shift) => Math.floor(at / 2 ** shift) % 256).join('.')}/${32 - bits}`;
  };
}
