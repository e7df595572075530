import { describe, expect, it } from '@jest/globals';
import type { LabelSelector } from '@podwright/kube-types';
import { createSeededRandom } from '@podwright/time';
import { normalizeAnchors } from './normalize-anchors.js';
import { selectorText } from './selector-text.js';

const pem = (text: string, type = 'CERTIFICATE'): string =>
  `-----BEGIN ${type}-----\n${Buffer.from(text).toString('base64')}\n-----END ${type}-----\n`;
const normal = (...texts: string[]): string => normalizeAnchors(texts, createSeededRandom(1));

describe('normalizeAnchors', () => {
  it.each([
    ['nothing', '', ''],
    ['text without a block', 'hello', ''],
    ['comments', `# a\n${pem('a')}# b`, pem('a')],
    ['another type', pem('a', 'TRUSTED CERTIFICATE'), pem('a')],
    ['headers', pem('a').replace('-----\n', '-----\nProc: 1\nDek: x\n\n'), pem('a')],
    ['Windows lines', pem('a').replaceAll('\n', '\r\n'), pem('a')],
    ['no line at the end', pem('a').trimEnd(), pem('a')],
    ['duplicates', pem('a') + pem('a'), pem('a')],
    ['what is no base64', `-----BEGIN X-----\n!!!\n-----END X-----\n${pem('a')}`, pem('a')],
    ['a block without an end', `${pem('a')}-----BEGIN X-----\nYQ==\n`, pem('a')],
  ])('%s', (_what, text, expected) => {
    expect(normal(text)).toBe(expected);
  });

  it('breaks lines after 64 characters', () => {
    const lines = normal(pem('x'.repeat(100))).split('\n');
    expect(lines.map(({ length }) => length)).toEqual([27, 64, 64, 8, 25, 0]);
  });

  it('puts all anchors into an order that depends on chance alone', () => {
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => pem(text));
    expect(normal(...texts)).toBe(normal(...texts.reverse()));
    const orders = [1, 2, 3, 4].map((seed) => normalizeAnchors(texts, createSeededRandom(seed)));
    expect(new Set(orders).size).toBeGreaterThan(1);
    for (const order of orders) expect(order.length).toBe(texts.join('').length);
  });
});

describe('selectorText', () => {
  it.each<[LabelSelector | undefined, string]>([
    [undefined, '<nothing>'],
    [{}, ''],
    [{ matchLabels: { b: '2', a: '1' } }, 'a=1,b=2'],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['y', 'x'] }] }, 'a in (x,y)'],
    [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['x'] }] }, 'a notin (x)'],
    [{ matchExpressions: [{ key: 'b', operator: 'Exists' }], matchLabels: { a: '1' } }, 'a=1,b'],
    [{ matchExpressions: [{ key: 'b', operator: 'DoesNotExist' }] }, '!b'],
  ])('%j', (selector, expected) => {
    expect(selectorText(selector)).toBe(expected);
  });
});
