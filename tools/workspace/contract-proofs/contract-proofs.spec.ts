import { describe, expect, it } from '@jest/globals';
import { unprovenSuites } from './contract-proofs.js';

const index = {
  file: 'door/index.ts',
  text: "export { describeDoorContract } from './door-contract.js';\nexport type { DoorHarness } from './door-contract.js';\n",
};
const missing = ['door/index.ts: describeDoorContract: no describeContractProof shows that each of its cases can fail'];
const faultsWith = (text: string): readonly string[] => unprovenSuites([index], [{ file: 'proof.spec.ts', text }]);

describe('a contract suite', () => {
  it('is proven by a describeContractProof that runs it', () => {
    expect(
      faultsWith(
        "describeContractProof('Door', (create) => describeDoorContract('a broken Door', create), harness, {});",
      ),
    ).toEqual([]);
  });

  it.each([
    ['nowhere', ''],
    ['outside of a proof', "describeDoorContract('Door', harness);"],
    [
      'beside a proof of another suite',
      "describeDoorContract('Door', harness);\ndescribeContractProof('Lock', (create) => describeLockContract('x', create), harness, {});",
    ],
    [
      'in the harness of a proof alone',
      "describeContractProof('Lock', (create) => describeLockContract('x', create), () => describeDoorContract('x'), {});",
    ],
  ])('is not proven when it runs %s', (_where, text) => {
    expect(faultsWith(text)).toEqual(missing);
  });
});
