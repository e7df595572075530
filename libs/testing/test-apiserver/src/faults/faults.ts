import type { AuditEntry } from '../audit/request-log.js';
import { matchesRequest, type Fault, type FaultMatch } from './fault.js';
import type { OpenStreams } from './open-streams.js';

interface Rule {
  readonly match: FaultMatch;
  readonly fault: Fault;
  left: number;
}

/** What goes wrong with the server, on demand. */
export class Faults {
  private rules: Rule[] = [];
  private stopped = false;

  constructor(
    /** Answers that are being sent: to be cut, ended, silenced, or garbled. */
    readonly streams: OpenStreams,
  ) {}

  /** The next `times` (1) matching requests meet the fault. Older rules go first. Returns what takes the rule away. */
  add(fault: Fault, match: FaultMatch = {}, times = 1): () => void {
    const rule: Rule = { match, fault, left: times };
    this.rules.push(rule);
    return () => {
      this.rules = this.rules.filter((other) => other !== rule);
    };
  }

  /** Takes all rules away; a black hole too. */
  clear(): void {
    this.rules = [];
  }

  /** Everything hangs and open watches fall silent, as behind a firewall that drops packets. Ends with {@link clear}. */
  blackHole(): void {
    this.add({ type: 'hang' }, {}, Number.POSITIVE_INFINITY);
    this.streams.silence();
  }

  /** Nobody listens: requests fail, open ones break. The data stay. */
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

  /** The fault that befalls this request; counts it. */
  next(entry: AuditEntry): Fault | undefined {
    const rule = this.rules.find(({ match, left }) => left > 0 && matchesRequest(match, entry));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    if (rule.left === 0) this.rules = this.rules.filter((other) => other !== rule);
    return rule.fault;
  }
}
