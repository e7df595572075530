import { describe, expect, it } from '@jest/globals';
import type { ApiObject } from '../api-object.js';
import { fieldPredicate, parseFieldSelector, selectedName } from './field-selector.js';
import { parseLabelSelector } from './label-selector-text.js';

describe('a label selector', () => {
  const labels = { app: 'web', tier: 'front', weight: '5' };
  it.each([
    ['', true],
    ['app', true],
    ['!app', false],
    ['!gone', true],
    ['app=web,tier!=back', true],
    ['app==web', true],
    ['app=api', false],
    ['gone!=x', true],
    ['tier in (front, back)', true],
    ['tier notin (back)', true],
    ['gone in (x)', false],
    ['gone notin (x)', true],
    ['weight>4,weight<6', true],
    ['gone>1', false],
    ['constructor', false],
    ['constructor!=x', true],
  ])('%s: %p', (text, expected) => {
    expect(parseLabelSelector(text)(labels)).toBe(expected);
  });

  it.each(['==', 'a=b c', 'a in b', '(', 'a,,b', 'a b=c', '-a', 'a=-b', 'a>b', '!a=b'])('%s is none', (text) => {
    expect(() => parseLabelSelector(text)).toThrow(/unable to parse requirement|, expected: /);
  });
});

describe('a field selector', () => {
  const pods = { group: '', plural: 'pods' };
  const pod: ApiObject = { metadata: { name: 'a,b', namespace: 'n' }, spec: { nodeName: 'n1' }, status: {} };
  it.each([
    ['', true],
    ['metadata.namespace=n', true],
    ['metadata.name=a\\,b,spec.nodeName==n1', true],
    ['status.phase!=Running', true],
    ['spec.nodeName!=n1', false],
    ['spec.hostNetwork=false', true],
  ])('%s: %p', (text, expected) => {
    expect(fieldPredicate(pods, parseFieldSelector(text))(pod)).toBe(expected);
  });

  it('may name one object', () => {
    expect(selectedName(parseFieldSelector('metadata.name=web'))).toBe('web');
    expect(selectedName(parseFieldSelector('metadata.name!=web'))).toBeUndefined();
  });

  it.each([
    ['pods', 'constructor=x', 'field label not supported: constructor'],
    ['configmaps', 'data=x', '"data" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ])('of %s cannot be %s', (plural, text, message) => {
    expect(() => fieldPredicate({ group: '', plural }, parseFieldSelector(text))).toThrow(message);
  });
});
