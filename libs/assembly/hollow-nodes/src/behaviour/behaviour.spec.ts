import { describe, expect, it } from '@jest/globals';
import { createSeededRandom } from '@podwright/time';
import { createChoices } from './choices.js';
import { containerProgram, ruleFor } from './container-program.js';
import { decodeBehaviour, defaultBehaviour } from './decode-behaviour.js';
import { imagePull } from './image-pull.js';
import { matchesPattern } from './pattern.js';
import { draw, parseSpread } from './spread.js';

const header = 'apiVersion: hollow.podwright.dev/v1alpha1\nkind: HollowBehaviour\n';
const decode = (yaml: string) => decodeBehaviour(header + yaml, 'b.yaml');
const container = { node: 'n-1', namespace: 'default', pod: 'web-1', container: 'main', image: 'web:1' };
const names = Array.from({ length: 400 }, (_, index) => `pod-${index}`);

describe('a behaviour file', () => {
  it('has a default for every field', () => {
    expect(decode('')).toEqual(defaultBehaviour);
    expect(
      containerProgram(ruleFor(defaultBehaviour.containers, container), container, 0, createChoices(1)),
    ).toMatchObject({
      startMs: 0,
      onStop: { afterMs: 0, exitCode: 143 },
      output: ['hollow container main of pod default/web-1 runs on node n-1 (start 0)'],
    });
  });

  it.each([
    ['nodes: 3', 'b.yaml: nodes: unknown field'],
    ['containers: [{ start: 3 }]', 'containers[0].start: expected time'],
    ['containers: [{ start: 5 parsecs }]', 'containers[0].start: '],
    ['containers: [{ ready: 5s..1s }]', 'containers[0].ready: the end of "5s..1s" is below its start'],
    ['containers: [{ run: 0s p95 1s }]', 'must have a median above 0'],
    ['containers: [{ crash: { share: 1.5 } }]', 'containers[0].crash.share: must be between 0 and 1, got 1.5'],
    ['containers: [{ crash: { exitCodes: [300] } }]', 'containers[0].crash.exitCodes[0]: must be between 0 and 255'],
    ['nodeFaults: [{ fault: sad }]', 'nodeFaults[0].fault: expected unreachable or down, got "sad"'],
    ['nodeFaults: [{ fault: down }, { share: 1 }]', 'nodeFaults[1].fault: is required: unreachable or down'],
    [
      'nodeFaults: [{ fault: down, lasts: 0s, times: 9 }]',
      'nodeFaults[0].times: must be 1 when after and lasts are 0s',
    ],
    ['containers: [{ crash: { exitCodes: [] } }]', 'containers[0].crash.exitCodes: must name at least one, got []'],
    ['containers: [{ cpu: -5 }]', 'containers[0].cpu: must be a quantity that is not negative, got -5'],
    ['node: { memory: 0 }', 'node.memory: must be a quantity of at least 1 byte, got 0'],
    ['node: { labels: { pool: "a,b=c" } }', 'node.labels[pool]: "a,b=c" is no label\'s value: '],
    ['node: { labels: { a b: c } }', 'node.labels: "a b" is no label\'s name: '],
    ['node: { cpu: 0 }', 'node.cpu: must be between 1 and 1024, got 0'],
  ])('refuses %s', (yaml, message) => {
    expect(() => decode(yaml)).toThrow(message);
    expect(() => decode(yaml)).toThrow(/^b\.yaml: /);
  });

  it('must say what it is', () => {
    expect(() => decodeBehaviour('kind: HollowBehaviour', 'b.yaml')).toThrow(
      'b.yaml: apiVersion: must be hollow.podwright.dev/v1alpha1, got null',
    );
    expect(() => decodeBehaviour('[]', 'b.yaml')).toThrow('must hold one object');
  });
});

describe('a pattern', () => {
  it.each([
    ['*', 'anything', true],
    ['web-*', 'web-1', true],
    ['web-*', 'my-web-1', false],
    ['*/web:*', 'registry.test/web:1', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['web', 'web-1', false],
    ['w.b', 'web', false],
  ])('%s and %s: %s', (pattern, text, matches) => expect(matchesPattern(pattern, text)).toBe(matches));
});

describe('a spread of times', () => {
  const drawn = (text: string): readonly number[] => {
    const random = createSeededRandom(text);
    return Array.from({ length: 2_000 }, () => draw(parseSpread(text), random)).sort((left, right) => left - right);
  };

  it('is a fixed time, an even one between two, or one with a long tail', () => {
    expect(new Set(drawn('1m30s'))).toEqual(new Set([90_000]));
    const even = drawn('1s..3s');
    expect(even[0]).toBeGreaterThanOrEqual(1_000);
    expect(even.at(-1)).toBeLessThanOrEqual(3_000);
    expect(Math.abs((even[1_000] ?? 0) - 2_000)).toBeLessThan(100);
    const tail = drawn('2s p95 8s');
    expect(Math.abs((tail[1_000] ?? 0) - 2_000)).toBeLessThan(150);
    expect(Math.abs((tail[1_900] ?? 0) - 8_000)).toBeLessThan(800);
  });
});

describe('seeded choices', () => {
  const { containers, images } = decode(`
containers:
  - pod: 'pod-*'
    run: 10s..20s
    crash: { share: 0.25, after: 1s..5s, exitCodes: [1, 137], times: 2 }
images: [{ image: 'bad:*', pullFailure: { share: 0.5, times: 2, message: gone }, pull: 1s..2s }]
`);
  const programs = (seed: number, attempt: number) =>
    names.map((pod) => {
      const of = { ...container, pod };
      const { exitAfterMs, exitCode } = containerProgram(ruleFor(containers, of), of, attempt, createChoices(seed));
      return { exitAfterMs, exitCode };
    });

  it('are the same for the same seed, in any order, and others for another', () => {
    expect(programs(1, 0)).toEqual(programs(1, 0));
    expect(programs(1, 0)).not.toEqual(programs(2, 0));
    const choices = createChoices(1);
    const forwards = names.map((name) => choices('run', name).next());
    const backwards = [...names].reverse().map((name) => choices('run', name).next());
    expect(backwards.reverse()).toEqual(forwards);
  });

  it('crash the share of the pods that the rule says, the same ones each time, and let them work in the end', () => {
    const crashed = (attempt: number) =>
      programs(1, attempt).flatMap(({ exitCode }, index) => (exitCode === 0 ? [] : [names[index]]));
    expect(crashed(0).length / names.length).toBeCloseTo(0.25, 1);
    expect(crashed(1)).toEqual(crashed(0));
    expect(crashed(2)).toEqual([]);
    expect(new Set(programs(1, 0).map(({ exitCode }) => exitCode))).toEqual(new Set([0, 1, 137]));
  });

  it('fail the pulls of a share of the nodes', () => {
    const pulls = names.map((node) => imagePull(images, node, 'bad:1', createChoices(1)));
    const failing = pulls.filter(({ pullErrors }) => pullErrors !== undefined);
    expect(failing.length / names.length).toBeCloseTo(0.5, 1);
    expect(failing[0]).toMatchObject({ pullErrors: [{ message: 'gone' }, { message: 'gone' }] });
    expect(pulls.every(({ pullMs = 0 }) => pullMs >= 1_000 && pullMs <= 2_000)).toBe(true);
    expect(imagePull(images, 'n', 'good:1', createChoices(1))).toEqual({ sizeBytes: 5_000_000, pullMs: 0 });
  });
});
