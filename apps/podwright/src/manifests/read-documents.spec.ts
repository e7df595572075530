import { describe, expect, it } from '@jest/globals';
import { readDocuments } from './read-documents.js';

const read = (text: string): readonly (readonly [string, unknown])[] =>
  readDocuments({ name: 'f', text }).map(({ place, object }) => [place, object]);

describe('readDocuments', () => {
  it('splits documents and skips empty ones', () => {
    expect(read('---\nkind: A\n---\n# nothing\n--- # B\nkind: B\ntext: |\n  ---\n')).toEqual([
      ['f, document 1', { kind: 'A' }],
      ['f, document 2', { kind: 'B', text: '---\n' }],
    ]);
  });

  it('reads YAML as kubectl does, and JSON', () => {
    expect(read('a: yes\nb: 0644\nc: "1"\n')).toEqual([['f', { a: true, b: 420, c: '1' }]]);
    expect(read('{"kind": "A",\n---\n"b": 1}'.replace('---\n', ''))).toEqual([['f', { kind: 'A', b: 1 }]]);
  });

  it('takes lists apart; the items of a PodList know what they are', () => {
    expect(read('kind: List\napiVersion: v1\nitems: [{kind: A}, {kind: List, items: [{kind: B}]}]')).toEqual([
      ['f, items[0]', { kind: 'A' }],
      ['f, items[1], items[0]', { kind: 'B' }],
    ]);
    expect(read('kind: PodList\napiVersion: v1\nitems: [{metadata: {name: a}}]')).toEqual([
      ['f, items[0]', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }],
    ]);
  });

  it.each([
    ['- a', 'f: is no object'],
    ['kind: List\nitems: [1]', 'f, items[0]: is no object'],
    ['a: 12345678901234567890', 'error parsing f: the integer 12345678901234567890 is too large'],
    ['a: 1\n---\n{', 'error parsing f, document 2: invalid JSON at line 2'],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
