interface Rule<Fault, Match> {
  readonly fault: Fault;
  readonly match: Match;
  left: number;
}

/** Faults that wait for their calls. `matches` tells whether a rule is for a call. */
export class PluginFaults<Fault, Match extends object, Call> {
  private rules: readonly Rule<Fault, Match | Record<string, never>>[] = [];

  constructor(private readonly matches: (match: Match | Record<string, never>, call: Call) => boolean) {}

  /**
   * Applies the fault to the next `times` matching calls; without a match, to every call. Older rules take precedence.
   * Returns a function that removes the rule.
   */
  add(fault: Fault, match: Match | Record<string, never> = {}, times = 1): () => void {
    const rule = { fault, match, left: times };
    this.rules = [...this.rules, rule];
    return () => this.remove(rule);
  }

  /** Removes all rules; calls that hang continue to hang. */
  clear(): void {
    this.rules = [];
  }

  /** The fault for this call, if any; counts it as used. */
  take(call: Call): Fault | undefined {
    const rule = this.rules.find(({ match }) => this.matches(match, call));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    if (rule.left <= 0) this.remove(rule);
    return rule.fault;
  }

  private remove(rule: Rule<Fault, Match | Record<string, never>>): void {
    this.rules = this.rules.filter((other) => other !== rule);
  }
}
