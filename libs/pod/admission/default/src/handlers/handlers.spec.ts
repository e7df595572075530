import { describe, expect, it } from '@jest/globals';
import { describeAdmissionHandlersContract } from '@podwright/admission-interface/contract';
import { createPluginResources } from './resource-adjustments.js';
import { createAdmissionHandlers } from './stage-handlers.js';

describeAdmissionHandlersContract('StageHandlers', createAdmissionHandlers);

describe('ResourceAdjustments', () => {
  it('keeps the adjustments in their order until they are removed', () => {
    const resources = createPluginResources();
    const [first, second] = [async () => ({}), async () => ({})];
    const remove = resources.add(first);
    resources.add(second);
    expect(resources.adjustments()).toEqual([first, second]);
    remove();
    expect(resources.adjustments()).toEqual([second]);
  });
});
