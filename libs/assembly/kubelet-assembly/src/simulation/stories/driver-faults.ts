import { KubeletError } from '@podwright/errors';
import type { VirtualClock } from '@podwright/time';

/** What becomes of calls to a driver. */
export interface DriverFault<Call extends string> {
  readonly call: Call;
  /**
   * `fails`: it does nothing. `fails-done`: it does the work, and says that it has failed. `lies`: it does nothing, and says
   * that it has. `hangs`: it does the work after `forMs`, whether somebody waits for it or not, unless the
   * machine reboots before.
   */
  readonly become: 'fails' | 'fails-done' | 'lies' | 'hangs';
  readonly times: number;
  readonly forMs: number;
}

/** What a call meets whose driver ends. */
export const gone = (): KubeletError =>
  new KubeletError('rpc error: code = Unavailable desc = error reading from server: EOF', { code: 'unavailable' });

/** The faults that a driver has yet to show. */
export class DriverFaults<Call extends string> {
  private rules: { readonly fault: DriverFault<Call>; left: number }[] = [];
  private process = new AbortController();

  constructor(private readonly clock: VirtualClock) {}

  add(fault: DriverFault<Call>): void {
    this.rules.push({ fault, left: fault.times });
  }

  clear(): void {
    this.rules = [];
  }

  /** Calls that hang fail, and their work is never done. */
  reboot(): void {
    this.process.abort(gone());
    this.process = new AbortController();
  }

  /** Does the work of a call, as the next fault wants it; undefined for a lie. */
  async disturb<T>(call: Call, work: () => Promise<T>): Promise<T | undefined> {
    const rule = this.rules.find(({ fault, left }) => fault.call === call && left > 0);
    if (rule === undefined) return work();
    rule.left--;
    const { become, forMs } = rule.fault;
    if (become === 'lies') return undefined;
    if (become === 'hangs') await this.clock.sleep(forMs, this.process.signal);
    const done = become === 'fails' ? undefined : await work();
    if (become === 'hangs') return done;
    throw new KubeletError('rpc error: code = Internal desc = on demand', { code: 'internal' });
  }
}
