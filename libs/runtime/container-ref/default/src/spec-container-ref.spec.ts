import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { describeContainerRefContract } from '@podwright/container-ref-interface/contract';
import { createContainerRef } from './spec-container-ref.js';

describeContainerRefContract('SpecContainerRef', async () => ({ containerRef: createContainerRef() }));

describe('SpecContainerRef', () => {
  it('quotes the name of an unknown container as Go does', () => {
    const pod = { metadata: {}, spec: { containers: [] } };
    expect(() => createContainerRef().ofContainer(pod, { name: 'a"b' })).toThrow(
      'container "a\\"b" not found in pod /',
    );
  });
});
