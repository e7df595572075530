import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll } from '@jest/globals';
import { describeAssemblyContract } from '@podwright/assembly-interface/contract';
import { createAssembler } from './assemble.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'assembly-'));
});
afterAll(() => rm(folder, { recursive: true }));

describeAssemblyContract('the default assembler', async () => {
  const loadable = new Map<string, unknown>();
  return {
    assembler: createAssembler({
      importModule: (url) =>
        loadable.has(url) ? Promise.resolve(loadable.get(url)) : Promise.reject(new Error(`Cannot find module ${url}`)),
    }),
    writeFile: async (text, importable) => {
      const file = path.join(folder, `${randomUUID()}.yaml`);
      await writeFile(file, text);
      for (const [specifier, exported] of Object.entries(importable)) {
        loadable.set(pathToFileURL(path.resolve(folder, specifier)).href, exported);
      }
      return file;
    },
  };
});
