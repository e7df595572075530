import type { Probe } from '@podwright/kube-types';

/**
 * How often in a row a probe has had the same result. A result counts once it has come `failureThreshold` or
 * `successThreshold` times. The run goes on over a new container: upstream has it so.
 */
export class ResultRun {
  private last: 'success' | 'failure' | undefined;
  private length = 0;

  constructor(private readonly thresholds: Pick<Probe, 'failureThreshold' | 'successThreshold'>) {}

  /** True when the result has come often enough. */
  add(result: 'success' | 'failure'): boolean {
    this.length = this.last === result ? this.length + 1 : 1;
    this.last = result;
    const { failureThreshold = 3, successThreshold = 1 } = this.thresholds;
    return this.length >= (result === 'failure' ? failureThreshold : successThreshold);
  }

  reset(): void {
    this.length = 0;
  }
}
