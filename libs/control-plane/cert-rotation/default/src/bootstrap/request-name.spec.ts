import { describe, expect, it } from '@jest/globals';
import { authorityKey } from '../fixtures/authority-key.js';
import { requestName } from './request-name.js';

describe('requestName', () => {
  it("is upstream's", () => {
    const usages = ['digital signature', 'client auth'];
    expect(requestName(authorityKey, 'system:node:n1', ['system:nodes'], usages)).toBe(
      'node-csr-iu7hKcrttRX1zHxpel5bmmBLMr9E1vqI2SCyMO0rlt8',
    );
  });

  it('tells names, groups and usages apart, and is the same for the same', () => {
    const name = (commonName: string, groups: readonly string[], usages: readonly string[]): string =>
      requestName(authorityKey, commonName, groups, usages);
    const usual = name('system:node:n1', ['system:nodes'], ['client auth']);
    expect(usual).toMatch(/^node-csr-[A-Za-z0-9_-]{43}$/);
    expect(name('system:node:n1', ['system:nodes'], ['client auth'])).toBe(usual);
    expect(name('system:node:n1s', ['ystem:nodes'], ['client auth'])).not.toBe(usual);
    expect(name('system:node:n1', ['system:nodes'], ['client authclient auth'])).not.toBe(usual);
    expect(name('system:node:n2', ['system:nodes'], ['client auth'])).not.toBe(usual);
  });
});
