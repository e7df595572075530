import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@podwright/contract';
import { callCases } from './call-cases.js';
import { containerCases } from './container-cases.js';
import { ContractPods } from './contract-pods.js';
import type { CriContractSubject, CriHarness } from './cri-harness.js';
import { imageCases } from './image-cases.js';
import { sandboxCases } from './sandbox-cases.js';

/** Time limit of the longest case, with a real runtime on a busy machine. */
const caseTimeoutMs = 120_000;

/** Every runtime passes this suite: what the kubelet needs of RuntimeService, ImageService and RuntimeConnection. */
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

    sandboxCases(current, subject.capabilities, caseTimeoutMs);
    containerCases(current, subject.capabilities, caseTimeoutMs);
    callCases(current, subject.capabilities, caseTimeoutMs);
    // Last: removing an image removes all names of the same content, possibly names that other cases need.
    imageCases(current, subject.capabilities, caseTimeoutMs);
  });
}
