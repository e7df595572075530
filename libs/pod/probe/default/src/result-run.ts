import type { Probe } from '@podwright/kube-types';

/**
 * Counts consecutive equal results. A result takes effect after `failureThreshold` or `successThreshold` of them. As
 * upstream, the count continues with a new container.
 */
export class ResultRun {
  private last: 'success' | 'failure' | undefined;
  private length = 0;

  constructor(private readonly thresholds: Pick<Probe, 'failureThreshold' | 'successThreshold'>) {}

  /** Equal results so far. */
  get inARow(): number {
    return this.length;
  }

  thresholdOf(result: 'success' | 'failure'): number {
    const { failureThreshold = 3, successThreshold = 1 } = this.thresholds;
    return result === 'failure' ? failureThreshold : successThreshold;
  }

  /** True when the result has come often enough. */
  add(result: 'success' | 'failure'): boolean {
    this.length = this.last === result ? this.length + 1 : 1;
    this.last = result;
    return this.length >= this.thresholdOf(result);
  }

  reset(): void {
    this.length = 0;
  }
}
