import type { CsiFault, CsiFaultMatch } from './csi-fault.js';

interface Rule {
  readonly fault: CsiFault;
  readonly match: CsiFaultMatch;
  left: number;
}

/** Makes a driver misbehave. */
export class CsiFaults {
  private rules: readonly Rule[] = [];

  /**
   * Applies the fault to the next `times` matching calls. Older rules take precedence. Returns a function that removes
   * the rule.
   */
  add(fault: CsiFault, match: CsiFaultMatch = {}, times = 1): () => void {
    const rule: Rule = { fault, match, left: times };
    this.rules = [...this.rules, rule];
    return () => this.remove(rule);
  }

  /** Removes all rules; calls that hang continue to hang. */
  clear(): void {
    this.rules = [];
  }

  /** The fault for this call, if any; counts it as used. */
  take(rpc: string, volumeId: string): CsiFault | undefined {
    const rule = this.rules.find(
      ({ match }) => (match.rpc ?? rpc) === rpc && (match.volumeId ?? volumeId) === volumeId,
    );
    if (rule === undefined) return undefined;
    rule.left -= 1;
    if (rule.left <= 0) this.remove(rule);
    return rule.fault;
  }

  private remove(rule: Rule): void {
    this.rules = this.rules.filter((other) => other !== rule);
  }
}
