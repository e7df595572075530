import { describe, expect, it } from '@jest/globals';
import { canonicalIp, cidr, ipFamily, parseCidr } from './ip-address.js';
import { matchesLabelSelector } from './label-selector.js';
import type { NameRule } from './name-rules.js';
import {
  configMapKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  envVarName,
  labelValue,
  portName,
  qualifiedName,
} from './name-rules.js';
import { objectKey } from './object-key.js';
import { isExtendedResource, isHugePageResource, isNativeResource } from './resource-names.js';

const rules: Readonly<Record<string, readonly [NameRule, good: readonly string[], bad: readonly string[]]>> = {
  dns1123Label: [
    dns1123Label,
    ['a', 'a-b', '0', 'a'.repeat(63)],
    ['', 'A', '-a', 'a-', 'a.b', 'a_b', 'a'.repeat(64), 'a\n'],
  ],
  dns1123Subdomain: [
    dns1123Subdomain,
    ['a', 'a.b-c', '1.2', 'a'.repeat(253)],
    ['', '.a', 'a.', 'a..b', 'A', 'a'.repeat(254)],
  ],
  dns1035Label: [dns1035Label, ['a', 'a1'], ['1a', 'A']],
  labelValue: [labelValue, ['', 'a', 'A.b_c-d', 'a'.repeat(63)], ['-a', 'a b', 'a'.repeat(64), 'ä']],
  qualifiedName: [qualifiedName, ['a', 'A_b.c', 'a.b/c'], ['', '/a', 'a/', 'A.b/c', 'a/b/c', `a/${'b'.repeat(64)}`]],
  envVarName: [envVarName, ['A', 'a.b-c', ' ', '1'], ['', 'a=b', 'ä', 'a\n']],
  configMapKey: [configMapKey, ['a', 'A_b.c', '.a'], ['', '.', '..', '..a', 'a/b', 'a'.repeat(254)]],
  portName: [portName, ['a', 'http', 'a-1', 'a'.repeat(15)], ['', '80', 'A', 'a--b', '-a', 'a'.repeat(16)]],
};

describe.each(Object.entries(rules))('%s', (_, [rule, good, bad]) => {
  it.each(good)('takes %j', (name) => expect(rule(name)).toEqual([]));
  it.each(bad)('refuses %j', (name) => expect(rule(name).length).toBeGreaterThan(0));
});

describe('addresses', () => {
  it.each([
    ['1.2.3.4', 4],
    ['::1', 6],
    ['::ffff:1.2.3.4', 6],
    ['01.2.3.4', 0],
    ['1.2.3', 0],
    ['fe80::1%eth0', 0],
    ['::ffff:1.2.3.4', 6],
    ['::ffff:01.2.3.4', 0],
    ['1::2::3', 0],
    ['::1\0', 0],
    ['[::1]', 0],
    ['', 0],
  ])('%j has family %d', (text, family) => expect(ipFamily(text)).toBe(family));

  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['010.002.3.4', '10.2.3.4'],
    ['256.2.3.4', undefined],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', undefined],
    ['host', undefined],
  ])('%j is written as %j', (text, expected) => expect(canonicalIp(text)).toBe(expected));

  it.each([
    ['10.0.0.0/8', { address: '10.0.0.0', prefix: 8, family: 4 }],
    ['::/0', { address: '::', prefix: 0, family: 6 }],
    ['10.0.0.0/33', undefined],
    ['10.0.0.0/08', undefined],
    ['10.0.0.0', undefined],
  ])('%j as CIDR', (text, expected) => {
    expect(parseCidr(text)).toEqual(expected);
    expect(cidr(text)).toHaveLength(expected === undefined ? 1 : 0);
  });
});

describe('matchesLabelSelector', () => {
  const labels = { app: 'web', tier: 'front' };
  it.each<[Parameters<typeof matchesLabelSelector>[0], boolean]>([
    [undefined, false],
    [{}, true],
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'db' } }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'db'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
    [{ matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['web'] }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'toString', operator: 'Exists' }] }, false],
    [{ matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'Near' }] }, false],
  ])('%j: %s', (selector, expected) => {
    expect(matchesLabelSelector(selector, labels)).toBe(expected);
  });
});

describe('names of resources', () => {
  it.each([
    ['cpu', 'native'],
    ['', 'native'],
    ['hugepages-2Mi', 'native'],
    ['kubernetes.io/x', 'native'],
    ['sub.kubernetes.io/x', 'native'],
    ['requests.kubernetes.io/x', 'native'],
    ['example.com/gpu', 'extended'],
    ['requests.example.com/gpu', 'neither'],
    ['example.com/', 'neither'],
    ['example.com/a b', 'neither'],
    ['example.com/a/b', 'neither'],
    // 253 bytes are the most for a domain, and a quota puts 9 more before it.
    [`${'a'.repeat(240)}.com/gpu`, 'extended'],
    [`${'a'.repeat(241)}.com/gpu`, 'neither'],
  ])('%s: %s', (name, kind) => {
    expect(isNativeResource(name)).toBe(kind === 'native');
    expect(isExtendedResource(name)).toBe(kind === 'extended');
    expect(isHugePageResource(name)).toBe(name === 'hugepages-2Mi');
  });
});

it('objectKey is namespace and name, or the name alone', () => {
  expect([objectKey('prod', 'web'), objectKey('', 'node-1'), objectKey(undefined, 'node-1')]).toEqual([
    'prod/web',
    'node-1',
    'node-1',
  ]);
});
