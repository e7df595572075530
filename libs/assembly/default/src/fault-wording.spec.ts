import { describe, expect, it } from '@jest/globals';
import { defineConfig, defineModule, integerField } from '@podwright/assembly-interface';
import { applyChanges } from './module-list.js';
import { decodeModuleConfig } from './module-config.js';

const part = { provides: [], create: () => ({}) };
const gc = defineModule({
  ...part,
  name: '@example/gc',
  config: defineConfig<{ maxFiles: number }>({ maxFiles: integerField(5, { min: 1 }) }),
});

describe('what is said of options', () => {
  it.each([
    ['an unknown one', gc, { maxSize: 5 }, '@example/gc: unknown option maxSize; known are maxFiles'],
    ['a wrong one', gc, { maxFiles: 0 }, '@example/gc: option maxFiles must be a whole number >= 1, found 0'],
    [
      'a module without any',
      defineModule({ ...part, name: '@example/plain' }),
      { depth: 3 },
      '@example/plain: unknown option depth; the module has no options',
    ],
  ])('%s', (_case, module, options, message) => {
    expect(decodeModuleConfig(module, options).faults).toMatchObject([{ kind: 'bad-config', message }]);
  });
});

const noStranger = "Cannot find package '@example/stranger' imported from /etc/imports-a-stranger.mjs";

describe('the hint for a module that cannot be loaded', () => {
  it.each([
    ['./my-image-gc.mjs', 'the path is taken from the folder of the assembly file'],
    ['./imports-a-stranger.mjs', 'install @example/stranger for the module (npm install in its folder)'],
    ['../my-image-gc.mjs', 'the path is taken from the folder of the assembly file'],
    ['my-image-gc.mjs', 'use a path that starts with ./'],
  ])('%s', async (specifier, hint) => {
    const reason = specifier.includes('stranger') ? noStranger : 'it is not there';
    const missing = (): Promise<never> => Promise.reject(new Error(reason));
    const { faults } = await applyChanges([], [{ kind: 'add', specifier, field: 'modules[0]' }], missing);
    expect(faults).toMatchObject([{ kind: 'module-load', hint: expect.stringContaining(hint) }]);
  });
});
