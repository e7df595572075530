import { describe, expect, it } from '@jest/globals';
import { renderJsonPath } from './evaluate.js';
import { parseJsonPath, relaxedJsonPath } from './parse.js';

const data = {
  kind: 'List',
  items: [
    { metadata: { name: 'a', labels: { app: 'x', 'k8s.io/x': '1' } }, spec: { n: 1, list: [1, 2, 3] }, ok: true },
    { metadata: { name: 'b' }, spec: { n: 2, list: [] } },
  ],
};
const render = (template: string): string => renderJsonPath(parseJsonPath(template), data);

// The expected texts are those of kubectl.
describe('JSONPath', () => {
  it.each([
    ['{.kind}', 'List'],
    ['kind is {.kind}.', 'kind is List.'],
    ['{$.items[0].metadata.name}', 'a'],
    ['{.items[*].metadata.name}', 'a b'],
    ['{.items[-1:].metadata.name}', 'b'],
    ['{.items[0].spec.list[0:2]}', '1 2'],
    ['{.items[0].spec.list[::2]}', '1 3'],
    ["{.items[0]['metadata','ok']}", '{"labels":{"app":"x","k8s.io/x":"1"},"name":"a"} true'],
    ["{.items[0].metadata.labels['app']}", 'x'],
    ['{.items[0].metadata.labels.k8s\\.io/x}', '1'],
    ['{range .items[*]}{.metadata.name}={.spec.n}{"\\n"}{end}', 'a=1\nb=2\n'],
    ['{range .items[*]}{range .spec.list[*]}<{@}>{end};{end}', '<1><2><3>;;'],
    ['{.items[?(@.spec.n==2)].metadata.name}', 'b'],
    ['{.items[?(@.spec.n>1)].metadata.name}', 'b'],
    ["{.items[?(@.metadata.name!='b')].metadata.name}", 'a'],
    ['{.items[?(@.metadata.labels)].metadata.name}', 'a'],
    ['{.items[?(@.metadata.name=="a)")].metadata.name}', ''],
    ['{..name}', 'a b'],
    ['{.nope.deeper}', ''],
    ['{.items[0].spec}', '{"list":[1,2,3],"n":1}'],
  ])('%s gives %j', (template, text) => {
    expect(render(template)).toBe(text);
  });

  it.each([
    ['{.items[', 'unterminated array'],
    ['{.items', 'unclosed action'],
    ['{.items[x]}', 'invalid array index x'],
    ['{.items[5]}', 'array index out of bounds: index 5, length 2'],
    ['{.kind[0]}', 'string is not array or slice'],
    ['{end}', 'not in range, nothing to end'],
    ['{foo}', 'unrecognized identifier foo'],
    ['{"x}', 'unterminated quoted string'],
    ['{.items[?(@.a==1}', 'unterminated filter'],
  ])('refuses %s', (template, message) => {
    expect(() => render(template)).toThrow(message);
  });

  it('completes what a user left out', () => {
    expect(['a.b', '.a.b', '{a.b}', '{.a.b}'].map(relaxedJsonPath)).toEqual(Array(4).fill('{.a.b}'));
    expect(() => relaxedJsonPath('{.a}{.b}')).toThrow('unexpected path string');
  });
});
