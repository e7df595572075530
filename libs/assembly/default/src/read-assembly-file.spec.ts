import { describe, expect, it } from '@jest/globals';
import { parseAssemblyFile } from './read-assembly-file.js';

const head = 'apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\n';
const messagesOf = (text: string): readonly string[] =>
  parseAssemblyFile(text, '/a.yaml').faults.map(({ message }) => message);

describe('the text of an assembly file', () => {
  it('gives plain options, from YAML and from JSON', () => {
    const config = { on: true, period: 250, big: 2 ** 60, list: [{ a: null }], __proto__x: 'b' };
    const modules = [{ name: 'm', config }];
    const json = JSON.stringify({ apiVersion: 'assembly.podwright.dev/v1alpha1', kind: 'Assembly', modules });
    for (const text of [json, `${head}modules: ${JSON.stringify(modules)}`]) {
      const { changes, faults } = parseAssemblyFile(text, '/a.yaml');
      expect(faults).toEqual([]);
      expect(changes).toStrictEqual([{ kind: 'configure', name: 'm', config, field: 'modules[0]' }]);
    }
  });

  it.each([
    ['nested without end', `${head}modules: ${'['.repeat(100_000)}`, /nested deeper than 100 levels/],
    [
      'a bomb of aliases',
      `a: &a [${'x,'.repeat(99)}]\nb: &b [${'*a,'.repeat(99)}]\nc: [${'*b,'.repeat(99)}]`,
      /aliases add/,
    ],
    ['a key twice', `${head}kind: Assembly\n`, /kind: duplicate key \(line 3\)/],
    ['nothing', '# nothing\n', /is empty/],
    ['two documents', `${head}---\n${head}`, /must hold one document, found 2/],
    ['no YAML', 'a: b: c', /cannot be parsed: invalid YAML at line 1/],
    ['a list', '[]', /must hold one object, found \[\]/],
  ])('that is %s is one fault, which names the file', (_, text, message) => {
    expect(messagesOf(text)).toEqual([expect.stringMatching(message)]);
    expect(messagesOf(text)[0]).toMatch(/^\/a\.yaml/);
  });
});
