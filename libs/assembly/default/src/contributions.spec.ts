import { describe, expect, it } from '@jest/globals';
import {
  contribution,
  createManyToken,
  createToken,
  defineModule,
  needs,
  type AnyModule,
} from '@podwright/assembly-interface';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAssembler } from './assemble.js';

interface Step {
  readonly name: string;
}
const THING = createToken<object>('example.thing/v1');
const STEPS = createManyToken<Step>('example.steps/v1');
const NOBODYS = createManyToken<Step>('example.nobodys/v1');
const taker = defineModule({
  name: '@example/taker',
  provides: [createToken<object>('example.taker/v1')],
  needs: needs({ steps: STEPS }),
  create: (deps) => deps,
});
const thing = (name: string, ...contributes: NonNullable<AnyModule['contributes']>): AnyModule =>
  defineModule({ name, provides: [THING], create: () => ({}), contributes });
const steps = (of: () => unknown) => contribution(STEPS, of as () => readonly Step[]);
const step = steps(() => [{ name: 'a' }]);

const base = { logger: createMemoryLogger(), clock: new VirtualClock() };

describe('contributions', () => {
  it.each<[string, readonly string[], AnyModule]>([
    [
      'that a replacement lacks',
      ['@example/new replaces @example/old but contributes nothing to example.steps/v1, as that one did'],
      thing('@example/new'),
    ],
    ['that a replacement brings', [], thing('@example/new', step)],
    [
      'that no module takes',
      ['@example/new contributes to example.nobodys/v1, which no module takes'],
      thing(
        '@example/new',
        step,
        contribution(NOBODYS, () => []),
      ),
    ],
  ])('%s are warnings, or none', async (_, expected, replacement) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'contributions-'));
    try {
      const assemblyFile = path.join(folder, 'assembly.yaml');
      const change = `{ replace: '@example/old', with: './new.mjs' }`;
      await writeFile(
        assemblyFile,
        `apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\nmodules: [${change}]\n`,
      );
      const assembler = createAssembler({ importModule: () => Promise.resolve({ default: replacement }) });
      const { warnings } = await assembler.check({
        ...base,
        modules: [taker, thing('@example/old', step)],
        assemblyFile,
      });
      expect(warnings).toEqual(expected);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
      'failed: no',
    ],
    ['is nothing', () => undefined, 'is no list'],
    ['has a hole', () => [undefined], 'has an empty element'],
  ])('one that %s names its module', async (_, of, problem) => {
    const assembled = createAssembler().assemble({ ...base, modules: [taker, thing('@example/old', steps(of))] });
    await expect(assembled).rejects.toThrow(`@example/old: its contribution to example.steps/v1 ${problem}`);
  });
});
