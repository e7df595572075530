import { describe, expect, it } from '@jest/globals';
import { nearNames } from './near-names.js';

const names = ['default/web-7d4b9', 'default/web-5c1aa', 'prod/web', 'kube-system/etcd-node', 'default/database'];

describe('nearNames', () => {
  it.each([
    ['default/web', ['default/web-5c1aa', 'default/web-7d4b9', 'prod/web']],
    ['default/web-7d4b8', ['default/web-7d4b9', 'prod/web']],
    ['default/etcd', ['kube-system/etcd-node']],
    ['default/databse', ['default/database']],
    ['default/queue', []],
  ])('of %s', (wanted, near) => {
    expect([...nearNames(wanted, names)].sort()).toEqual([...near].sort());
  });
});
