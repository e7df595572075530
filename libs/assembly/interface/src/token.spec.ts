import { describe, expect, it } from '@jest/globals';
import { createToken, tokenId } from './token.js';

describe('tokens', () => {
  it('are the same for the same id, also from another copy of this package', () => {
    expect(createToken('kubelet.x/v1')).toBe(createToken('kubelet.x/v1'));
    expect(createToken('kubelet.x/v1')).not.toBe(createToken('kubelet.x/v2'));
    expect(createToken('kubelet.x/v1')).toBe(Symbol.for('@podwright/token:kubelet.x/v1'));
  });

  it('have an id for messages, whatever symbol they are', () => {
    expect(tokenId(createToken('kubelet.x/v1'))).toBe('kubelet.x/v1');
    expect([tokenId(Symbol('own')), tokenId(Symbol())]).toEqual(['own', 'unnamed']);
  });
});
