import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals';
import { callCases } from './call-cases.js';
import { containerCases } from './container-cases.js';
import { ContractPods } from './contract-pods.js';
import type { CriContractSubject, CriHarness } from './cri-harness.js';
import { imageCases } from './image-cases.js';
import { sandboxCases } from './sandbox-cases.js';

/** Longest case, with a real runtime on a busy machine, in milliseconds. */
const caseTimeoutMs = 120_000;

/** What the kubelet relies on in a RuntimeService, an ImageService and the connection behind them. */
export function describeCriContract(name: string, subject: CriContractSubject): void {
  describe(`${name} as a CRI runtime`, () => {
    let harness: CriHarness | undefined;
    let pods: ContractPods | undefined;
    const current = (): ContractPods => {
      if (pods === undefined) throw new Error('the harness was not made');
      return pods;
    };

    beforeAll(async () => {
      harness = await subject.create();
    }, caseTimeoutMs);
    beforeEach(() => {
      if (harness !== undefined) pods = new ContractPods(harness);
    });
    afterEach(async () => pods?.removeAll(), caseTimeoutMs);
    afterAll(async () => harness?.close(), caseTimeoutMs);

    sandboxCases(current, caseTimeoutMs);
    containerCases(current, subject.capabilities, caseTimeoutMs);
    callCases(current, subject.capabilities, caseTimeoutMs);
    // Last: removing an image takes away all names of the same content, maybe those of the other cases too.
    imageCases(current, subject.capabilities, caseTimeoutMs);
  });
}
