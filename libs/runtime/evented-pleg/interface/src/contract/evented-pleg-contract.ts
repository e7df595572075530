import { afterEach, describe } from '@podwright/contract';
import { ContractPlegs, type EventedPlegEnvironment, type EventedPlegRoles } from './contract-pleg.js';
import { disturbedEventsCases } from './disturbed-events-cases.js';
import { eventCases } from './event-cases.js';
import { stalledStreamCases } from './stalled-stream-cases.js';
import { streamCases } from './stream-cases.js';
import { vouchingCases } from './vouching-cases.js';

/**
 * Every evented pleg passes this suite, and that of `Pleg`; `create` gives a new instance per case, with its default
 * options, built on `environment`.
 */
export function describeEventedPlegContract(
  name: string,
  create: (environment: EventedPlegEnvironment) => EventedPlegRoles,
): void {
  describe(`${name} as a pleg that lives on events`, () => {
    const plegs = new ContractPlegs(create);
    afterEach(() => plegs.stopAll());

    eventCases(plegs);
    disturbedEventsCases(plegs);
    streamCases(plegs);
    stalledStreamCases(plegs);
    vouchingCases(plegs);
  });
}
