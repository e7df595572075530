import type { AuditEntry } from '../audit/request-log.js';
import { matchesRequest, type Fault, type FaultMatch } from './fault.js';
import type { OpenStreams } from './open-streams.js';

interface Rule {
  readonly match: FaultMatch;
  readonly fault: Fault;
  left: number;
}

/** Injects faults into the server. */
export class Faults {
  private rules: Rule[] = [];
  private stopped = false;

  constructor(
    /** The open answers, which can be cut, ended, silenced or garbled. */
    readonly streams: OpenStreams,
  ) {}

  /**
   * Applies the fault to the next `times` matching requests. Older rules take precedence. Returns a function that
   * removes the rule.
   */
  add(fault: Fault, match: FaultMatch = {}, times = 1): () => void {
    const rule: Rule = { match, fault, left: times };
    this.rules.push(rule);
    return () => {
      this.rules = this.rules.filter((other) => other !== rule);
    };
  }

  /** Removes all rules, including that of {@link blackHole}. */
  clear(): void {
    this.rules = [];
  }

  /**
   * Makes all requests hang and all open watches silent, like a firewall that drops packets. After {@link clear}, new
   * requests work again, but the silent watches stay silent.
   */
  blackHole(): void {
    this.add({ type: 'hang' }, {}, Number.POSITIVE_INFINITY);
    this.streams.silence();
  }

  /** Stops the server: new requests fail, open ones break. It keeps its data. */
  stop(): void {
    this.stopped = true;
    this.streams.cut();
  }

  start(): void {
    this.stopped = false;
  }

  get down(): boolean {
    return this.stopped;
  }

  /** The fault for this request, if any; counts it as used. */
  next(entry: AuditEntry): Fault | undefined {
    const rule = this.rules.find(({ match, left }) => left > 0 && matchesRequest(match, entry));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    if (rule.left === 0) this.rules = this.rules.filter((other) => other !== rule);
    return rule.fault;
  }
}
