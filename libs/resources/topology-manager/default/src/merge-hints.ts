import type { TopologyHints } from '@podwright/topology-manager-interface';
import type { NumaInfo } from './numa-info.js';
import { countOf, isNarrower, maskOf, type NumaMask } from './numa-mask.js';

/** A hint with its nodes as a mask. Without a mask every node fits. */
export interface MaskHint {
  readonly mask?: NumaMask | undefined;
  readonly preferred: boolean;
}

/** The result of choosing one hint per resource. `common` is the mask that all chosen hints share so far. */
interface Choice {
  readonly merged: NumaMask;
  readonly preferred: boolean;
  readonly common: NumaMask | undefined;
}

type Best = Required<MaskHint> & { readonly mask: NumaMask };

/**
 * Returns one list per resource of each provider. A provider without resources has no preference, nor has one that gives
 * no list; an empty list means the request cannot be served.
 */
export function hintLists(providers: readonly TopologyHints[]): readonly (readonly MaskHint[])[] {
  return providers.flatMap((hints) => {
    return Object.values(hints).map((list) => {
      if (list === undefined) return [{ preferred: true }];
      if (list.length === 0) return [{ preferred: false }];
      return list.map(({ numaNodes, preferred }) => ({
        ...(numaNodes !== undefined && { mask: maskOf(numaNodes) }),
        preferred,
      }));
    });
  });
}

/**
 * Finds the best combination of one hint per list. Evaluates equal combinations once: eight nodes and three resources
 * make sixteen million of them. Source: kubernetes v1.36 pkg/kubelet/cm/topologymanager/policy.go HintMerger.
 */
export function mergeHints(lists: readonly (readonly MaskHint[])[], numa: NumaInfo, preferClosest: boolean): Best {
  const wanted = Math.max(0, ...lists.map(narrowestCount));
  let best: Best | undefined;
  for (const { merged, preferred } of choicesOf(lists, numa.allNodes))
    best = better(best, { mask: merged, preferred }, wanted, (mask, other) =>
      isFitter(mask, other, numa, preferClosest),
    );
  return best ?? { mask: numa.allNodes, preferred: false };
}

function choicesOf(lists: readonly (readonly MaskHint[])[], allNodes: NumaMask): Iterable<Choice> {
  let choices: Iterable<Choice> = [{ merged: allNodes, preferred: true, common: undefined }];
  for (const list of lists) {
    const next = new Map<string, Choice>();
    for (const choice of choices)
      for (const hint of list) {
        const extended = extend(choice, hint);
        // The common mask matters only while the combination can be preferred.
        next.set(`${extended.merged}/${extended.preferred ? String(extended.common) : 'no'}`, extended);
      }
    choices = [...next.values()];
  }
  return choices;
}

function extend(choice: Choice, { mask, preferred }: MaskHint): Choice {
  if (mask === undefined) return { ...choice, preferred: choice.preferred && preferred };
  const common = choice.common ?? mask;
  return { merged: choice.merged & mask, preferred: choice.preferred && preferred && mask === common, common };
}

function narrowestCount(hints: readonly MaskHint[]): number {
  const counts = hints.flatMap(({ mask }) => (mask === undefined ? [] : [countOf(mask)]));
  return counts.length === 0 ? 0 : Math.min(...counts);
}

function isFitter(mask: NumaMask, other: NumaMask, numa: NumaInfo, preferClosest: boolean): boolean {
  if (!preferClosest || countOf(mask) !== countOf(other)) return isNarrower(mask, other);
  const [distance, otherDistance] = [numa.averageDistance(mask), numa.averageDistance(other)];
  return distance === otherDistance ? mask < other : distance < otherDistance;
}

/**
 * Among non-preferred hints, picks the one with as many nodes as the most demanding resource needs, or the next fewer.
 */
function better(
  current: Best | undefined,
  candidate: Best,
  wanted: number,
  fitter: (mask: NumaMask, other: NumaMask) => boolean,
): Best | undefined {
  if (candidate.mask === 0n) return current;
  if (current === undefined) return candidate;
  if (current.preferred !== candidate.preferred) return candidate.preferred ? candidate : current;
  const fittest = (): Best => (fitter(candidate.mask, current.mask) ? candidate : current);
  if (current.preferred) return fittest();
  const [has, would] = [countOf(current.mask), countOf(candidate.mask)];
  if (has > wanted) return fittest();
  if (has === wanted) return would === wanted ? fittest() : current;
  if (would > wanted) return current;
  return would === has ? fittest() : would > has ? candidate : current;
}
