import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@podwright/kube-types';
import { applyJsonPatch } from './json-patch.js';
import { applyMergePatch } from './merge-patch.js';
import { applyStrategicMergePatch } from './strategic-merge-patch.js';

describe('applyMergePatch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b', b: 1 }, { a: null }, { b: 1 }],
    [{ a: [1] }, { a: [2, 3] }, { a: [2, 3] }],
    [{ a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
    [{ a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  ])('%j with %j is %j', (target, patch, expected) => {
    expect(applyMergePatch(target, patch)).toEqual(expected);
  });
});

describe('applyJsonPatch', () => {
  it.each([
    [{ a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    [{ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    [{ a: 1, 'b/c': 2 }, [{ op: 'remove', path: '/b~1c' }], { a: 1 }],
    [{ a: 1 }, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    [{ a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
    [{ a: 1 }, [{ op: 'copy', from: '/a', path: '/b' }], { a: 1, b: 1 }],
    [{ a: 1 }, [{ op: 'test', path: '/a', value: 1 }], { a: 1 }],
  ])('%j with %j is %j', (target, patch, expected) => {
    expect(applyJsonPatch(target, patch)).toEqual(expected);
  });

  it.each([
    [{ op: 'remove', path: '/x' }],
    [{ op: 'replace', path: '/x', value: 1 }],
    [{ op: 'add', path: '/x/y', value: 1 }],
    [{ op: 'test', path: '/a', value: 2 }],
    [{ op: 'frob', path: '/a' }],
    [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
    [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }],
    [{ op: 'copy', from: '/__proto__', path: '/b' }],
    [{ op: 'add', path: 5 }],
    [{ path: '/a' }],
    [{ op: 'move', from: null, path: '/a' }],
    [null],
  ])('refuses %j', (operation) => {
    expect(() => applyJsonPatch({ a: 1 }, [operation])).toThrow('the server rejected our request');
  });
});

describe('applyStrategicMergePatch', () => {
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'r' },
    { type: 'Other', status: 'False' },
  ];

  it.each([
    [
      'an element by its key',
      { conditions },
      { conditions: [{ type: 'Ready', status: 'False' }] },
      { conditions: [{ type: 'Ready', status: 'False', reason: 'r' }, conditions[1]] },
    ],
    [
      'a new element',
      { conditions },
      { conditions: [{ type: 'New' }] },
      { conditions: [{ type: 'New' }, ...conditions] },
    ],
    [
      'deletion of an element',
      { conditions },
      { conditions: [{ $patch: 'delete', type: 'Ready' }] },
      { conditions: [conditions[1]] },
    ],
    [
      'replacement of a list',
      { conditions },
      { conditions: [{ $patch: 'replace' }, { type: 'One' }] },
      { conditions: [{ type: 'One' }] },
    ],
    [
      'an order',
      { conditions },
      { '$setElementOrder/conditions': [{ type: 'Other' }, { type: 'Ready' }] },
      { conditions: [conditions[1], conditions[0]] },
    ],
    [
      'an order with new elements',
      { conditions: [] },
      { '$setElementOrder/conditions': [{ type: 'B' }, { type: 'A' }], conditions: [{ type: 'A' }, { type: 'B' }] },
      { conditions: [{ type: 'B' }, { type: 'A' }] },
    ],
    ['replacement of a map', { a: { b: 1 } }, { a: { $patch: 'replace', c: 2 } }, { a: { c: 2 } }],
    ['deletion of a field', { a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
    [
      'kept keys',
      { v: { name: 'a', emptyDir: {} } },
      { v: { $retainKeys: ['name', 'secret'], secret: {} } },
      { v: { name: 'a', secret: {} } },
    ],
    ['a set of values', { finalizers: ['a', 'b'] }, { finalizers: ['b', 'c'] }, { finalizers: ['a', 'b', 'c'] }],
    [
      'removal from a set of values',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'] },
      { finalizers: ['b'] },
    ],
    [
      'a list that is one value',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
  ])('knows %s', (_name, target, patch, expected) => {
    expect(applyStrategicMergePatch('Pod', target as never, patch as never)).toEqual(expected);
  });

  it('needs the merge key', () => {
    expect(() => applyStrategicMergePatch('Pod', {}, { containers: [{ image: 'a' }] })).toThrow(
      'map: {"image":"a"} does not contain declared merge key: name',
    );
  });
});

it('a field that has the name of what every object inherits is a field like any other', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"x":1}}') as JsonObject;
  const patched = [
    applyMergePatch({}, patch),
    applyStrategicMergePatch('Pod', {}, patch),
    applyJsonPatch({ constructor: { x: 1 } }, [{ op: 'add', path: '/__proto__', value: { polluted: 1 } }]),
  ];
  for (const object of patched) {
    expect(JSON.parse(JSON.stringify(object))).toEqual(patch);
    expect((object as JsonObject)['polluted']).toBeUndefined();
  }
  expect(({} as JsonObject)['polluted']).toBeUndefined();
});
