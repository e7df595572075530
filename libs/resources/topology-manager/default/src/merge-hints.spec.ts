import { describe, expect, it } from '@jest/globals';
import { createSeededRandom, type Random } from '@podwright/time';
import type { TopologyHint, TopologyHints } from '@podwright/topology-manager-interface';
import { hintLists, mergeHints, type MaskHint } from './merge-hints.js';
import type { NumaInfo } from './numa-info.js';
import { countOf, maskOf, nodesOf } from './numa-mask.js';
import { decide } from './topology-policies.js';
import type { TopologyPolicy } from './topology-policy.js';

/** Nodes in a row: the farther apart, the farther. */
const numa = (nodes: number): NumaInfo => {
  const ids = Array.from({ length: nodes }, (_, id) => id);
  return {
    allNodes: maskOf(ids),
    averageDistance: (mask) => {
      const within = nodesOf(mask);
      const all = within.flatMap((a) => within.map((b) => 10 + Math.abs(a - b)));
      return all.reduce((x, y) => x + y, 0) / all.length;
    },
  };
};
const yes = (...numaNodes: number[]): TopologyHint => ({ numaNodes, preferred: true });
const no = (...numaNodes: number[]): TopologyHint => ({ numaNodes, preferred: false });
const both = [yes(0), yes(1), no(0, 1)];

describe('what the hints of providers come to', () => {
  // Source: kubernetes v1.36 pkg/kubelet/cm/topologymanager/policy_test.go.
  it.each<[string, TopologyPolicy, number, readonly TopologyHints[], TopologyHint, boolean]>([
    ['nothing asked', 'best-effort', 2, [{}, {}], yes(0, 1), true],
    ['no preference', 'best-effort', 2, [{ r: undefined }], yes(0, 1), true],
    ['not servable', 'best-effort', 2, [{ r: [] }], no(0, 1), true],
    ['not servable', 'restricted', 2, [{ r: [] }], no(0, 1), false],
    ['one resource', 'best-effort', 2, [{ a: [yes(0), yes(1)] }], yes(0), true],
    ['two that agree', 'best-effort', 2, [{ a: both }, { b: both }], yes(0), true],
    ['two that agree on the second', 'best-effort', 2, [{ a: [yes(1), no(0, 1)] }, { b: both }], yes(1), true],
    ['two that cannot agree', 'best-effort', 2, [{ a: [yes(0)] }, { b: [yes(1)] }], no(0, 1), true],
    ['two that cannot agree', 'restricted', 2, [{ a: [yes(0)] }, { b: [yes(1)] }], no(0, 1), false],
    ['wide and narrow', 'best-effort', 2, [{ a: [yes(0, 1)] }, { b: [yes(0)] }], no(0), true],
    [
      'as wide as the neediest',
      'best-effort',
      4,
      [{ a: [no(0, 1, 2, 3), no(0, 1)] }, { b: [no(1, 2)] }],
      no(1, 2),
      true,
    ],
    [
      'fewer than the neediest, when that is all there is',
      'best-effort',
      8,
      [{ a: [no(0, 1, 2, 3), no(0, 1, 2), no(4, 5)] }, { b: [no(0, 1, 2, 3), no(6, 7)] }],
      no(0, 1, 2),
      true,
    ],
    [
      'rather fewer than more',
      'best-effort',
      8,
      [{ a: [no(4, 5), no(0, 1, 2)] }, { b: [no(4, 6), no(0, 1, 2)] }],
      no(4),
      true,
    ],
    ['nothing asked by one', 'restricted', 2, [{}, { b: [yes(1)] }], yes(1), true],
    ['not servable beside what is', 'best-effort', 2, [{ a: [] }, { b: [yes(1)] }], no(1), true],
    ['one of no preference', 'restricted', 2, [{ a: [yes(1), no(0, 1)] }, { b: undefined }], yes(1), true],
    ['one node', 'single-numa-node', 2, [{ a: both }, { b: [yes(1), no(0, 1)] }], yes(1), true],
    ['only two nodes', 'single-numa-node', 2, [{ a: [yes(0, 1)] }], { preferred: false }, false],
    ['no preference', 'single-numa-node', 2, [{ a: undefined }], { preferred: true }, true],
    ['not servable', 'single-numa-node', 2, [{ a: [] }], { preferred: false }, false],
    ['one node is all', 'single-numa-node', 1, [{ a: [yes(0)] }], { preferred: true }, true],
  ])('%s, %s on %i nodes', (_, policy, nodes, providers, hint, admit) => {
    expect(decide(policy, providers, numa(nodes), false)).toEqual({ hint, admit });
  });

  it.each([-1, 64, 65])('knows no node %i', (node) => {
    expect(() => maskOf([0, node])).toThrow(
      expect.objectContaining({
        code: 'out-of-range',
        message: `NUMA node ${node} is not in the range of 0 to 63`,
      }),
    );
    expect(nodesOf(maskOf([63, 0]))).toEqual([0, 63]);
  });

  it('takes the closer of equally many nodes when told to', () => {
    const hints = { a: [yes(0, 3), yes(1, 2)] };
    expect(decide('restricted', [hints], numa(4), false).hint).toEqual(yes(1, 2));
    expect(decide('restricted', [{ a: [yes(0, 2), yes(2, 3)] }], numa(4), false).hint).toEqual(yes(0, 2));
    expect(decide('restricted', [{ a: [yes(0, 2), yes(2, 3)] }], numa(4), true).hint).toEqual(yes(2, 3));
  });

  /** The rules as they are told: every choice of one hint per list, one after the other. */
  function naive(lists: readonly (readonly MaskHint[])[], info: NumaInfo, closest: boolean): MaskHint {
    const wanted = Math.max(
      0,
      ...lists
        .map((list) =>
          Math.min(...list.flatMap(({ mask }) => (mask === undefined ? [] : [countOf(mask)])), Number.MAX_SAFE_INTEGER),
        )
        .filter((count) => count !== Number.MAX_SAFE_INTEGER),
    );
    const choices = lists.reduce<MaskHint[][]>(
      (all, list) => all.flatMap((choice) => list.map((hint) => [...choice, hint])),
      [[]],
    );
    const merged = choices
      .map((choice) => {
        const masks = choice.flatMap(({ mask }) => (mask === undefined ? [] : [mask]));
        const same = masks.every((mask) => mask === masks[0]);
        return {
          mask: masks.reduce((a, b) => a & b, info.allNodes),
          preferred: same && choice.every(({ preferred }) => preferred),
        };
      })
      .filter(({ mask }) => mask !== 0n);
    // Best first: preferred; then as many nodes as wanted, else the most below, else the fewest above.
    const rank = ({ mask, preferred }: (typeof merged)[number]): number[] => {
      const count = countOf(mask);
      const fit = preferred ? count : count <= wanted ? wanted - count : 1_000 + count;
      return [preferred ? 0 : 1, fit, closest ? info.averageDistance(mask) : 0, Number(mask)];
    };
    const distinct = [...new Map(merged.map((hint) => [`${hint.mask}${hint.preferred}`, hint])).values()];
    distinct.sort((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      const index = left.findIndex((value, position) => value !== right[position]);
      return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
    });
    return distinct[0] ?? { mask: info.allNodes, preferred: false };
  }

  const anyHints = (random: Random, nodes: number): TopologyHints => {
    const hint = (): TopologyHint => {
      const numaNodes = Array.from({ length: nodes }, (_, id) => id).filter(() => random.next() < 0.5);
      return { preferred: random.next() < 0.5, ...(numaNodes.length > 0 && { numaNodes }) };
    };
    const list = (): TopologyHint[] | undefined =>
      random.next() < 0.1 ? undefined : Array.from({ length: Math.floor(random.next() * 6) }, hint);
    return Object.fromEntries(Array.from({ length: 1 + Math.floor(random.next() * 2) }, (_, i) => [`r${i}`, list()]));
  };

  it.each([false, true])('is what all choices one by one come to, closest nodes %s', (closest) => {
    const random = createSeededRandom('merge');
    for (let round = 0; round < 200; round += 1) {
      const nodes = 1 + Math.floor(random.next() * 5);
      const info = numa(nodes);
      const lists = hintLists(Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => anyHints(random, nodes)));
      expect({ lists, best: mergeHints(lists, info, closest) }).toEqual({ lists, best: naive(lists, info, closest) });
    }
  });

  it('does not take long on a machine with as many nodes as it is made for', () => {
    const hints: TopologyHint[] = [];
    for (let mask = 1; mask < 256; mask += 1)
      hints.push({ numaNodes: nodesOf(BigInt(mask)), preferred: (mask & (mask - 1)) === 0 });
    const providers = [{ a: hints }, { b: hints }, { c: hints }];
    expect(decide('best-effort', providers, numa(8), false).hint).toEqual(yes(0));
  });
});
