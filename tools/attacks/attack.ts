import type { AttackTarget } from './attack-target.js';

/** One class of faults that kubelets have had, as something to try on a running one. */
export interface Attack {
  readonly name: string;
  /** What it does, for the table. */
  readonly tries: string;
  readonly mustNot: string;
  /** The faults of the past that it comes from. */
  readonly pastFault: string;
  /** Needs only requests, no pods of its own: a few seconds. */
  readonly quick: boolean;
  /** Resolves with one sentence per harm; none: the kubelet held. Throws {@link NotApplicable} where it cannot be tried. */
  run(target: AttackTarget): Promise<readonly string[]>;
  /** Number of examples of what a weak kubelet lets an attacker see. */
  readonly examples: number;
  /** What `run` says about example `index`. */
  harmsOfExample(index: number): readonly string[];
}

interface AttackParts<Seen> extends Pick<Attack, 'name' | 'tries' | 'mustNot' | 'pastFault'> {
  readonly quick?: boolean;
  readonly attempt: (target: AttackTarget) => Promise<Seen>;
  readonly harms: (seen: Seen) => readonly string[];
  /**
   * What `attempt` would see on kubelets without the defence, each with one fault: a spec requires that `harms` finds
   * every one of them, so that no case can only pass.
   */
  readonly weak: readonly [Seen, ...Seen[]];
}

/** Puts an attack together; the type of what it sees stays inside. */
export function attack<Seen>({ quick = false, attempt, harms, weak, ...rest }: AttackParts<Seen>): Attack {
  return {
    ...rest,
    quick,
    run: async (target) => harms(await attempt(target)),
    examples: weak.length,
    harmsOfExample: (index) => {
      const seen = weak[index];
      if (seen === undefined) throw new Error(`${rest.name} has no example ${index}`);
      return harms(seen);
    },
  };
}

/** Thrown by an attack that this kubelet or this machine gives nothing to try on. */
export class NotApplicable extends Error {}
