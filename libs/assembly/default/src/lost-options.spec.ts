import { describe, expect, it } from '@jest/globals';
import { createToken, defineModule, type AnyModule } from '@podwright/assembly-interface';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAssembler } from './assemble.js';

const THING = createToken<{ readonly name: string }>('example.thing/v1');
const anyOptions = {
  decode: (value: unknown) => ({ ok: true as const, value }),
};
const named = (name: string): AnyModule =>
  defineModule({
    name,
    provides: [THING],
    config: anyOptions,
    create: () => ({ name }),
  });

describe('options of a module that was replaced', () => {
  const lost =
    '@example/new replaces @example/old and gets none of the options that go by that name: colour, periodMs; name those it needs below `config` in the assembly file, or an empty one';

  it.each([
    ['another name', '@example/new', '', [lost]],
    ['another name and options of the file', '@example/new', ', config: { colour: red }', []],
    ['another name and an empty config', '@example/new', ', config: {}', []],
    ['the same name', '@example/old', '', []],
  ])('%s', async (_, name, config, expected) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'lost-options-'));
    try {
      const assemblyFile = path.join(folder, 'assembly.yaml');
      const change = `{ replace: '@example/old', with: './new.mjs'${config} }`;
      await writeFile(
        assemblyFile,
        `apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\nmodules: [${change}]\n`,
      );
      const assembler = createAssembler({ importModule: () => Promise.resolve({ default: named(name) }) });
      const logger = createMemoryLogger();
      const options = {
        modules: [named('@example/old')],
        config: { '@example/old': { colour: 'blue', periodMs: 1 } },
        ...{ assemblyFile, logger, clock: new VirtualClock() },
      };
      expect((await assembler.check(options)).warnings).toEqual(expected);
      expect(logger.entries).toEqual([]);
      await assembler.assemble(options);
      expect(logger.entries.map(({ message }) => message)).toEqual(expected);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
