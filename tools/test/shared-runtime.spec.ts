import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunResult } from '../workspace/run-node.js';
import { runJestIn } from './fixtures/run-jest-in.js';

const counter = 'exports.count = 0;';
// Adds what it finds to a file, and leaves a mess behind.
const spec = `
  const { afterAll, expect, test } = require('@jest/globals');
  const { cases } = require('./suite');
  cases();
  const found = [
    ++require('./counter').count,
    ++require('./fixtures/counter').count,
    process.env.LEFT,
    process.exitCode,
    jest.isMockFunction(Math.max),
  ];
  afterAll(() => require('node:fs').appendFileSync('found', JSON.stringify(found) + '\\n'));
  test('leaves a mess', () => {
    process.env.LEFT = 'here';
    process.exitCode = 3;
    jest.spyOn(Math, 'max');
    expect(Math.max(1, 2)).toBe(2);
  });`;
const suite = `
  const globals = require('@jest/globals');
  exports.cases = () => globals.test('of a suite that stays', () => globals.expect(1).toBe(1));`;

describe('the modules of specs', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'shared-runtime-'));
    await mkdir(path.join(dir, 'fixtures'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function run(files: Readonly<Record<string, string>>): Promise<RunResult> {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
    return await runJestIn(dir, { cwd: dir });
  }

  it('stay for the next spec, but for fixtures and what a spec leaves in the process', async () => {
    const modules = { 'counter.js': counter, 'fixtures/counter.js': counter, 'suite.js': suite };
    const { code, output } = await run({ ...modules, 'a.spec.js': spec, 'b.spec.js': spec });
    expect([code, output]).toEqual([0, expect.stringContaining('4 passed, 4 total')]);
    expect((await readFile(path.join(dir, 'found'), 'utf8')).trim().split('\n')).toEqual([
      '[1,1,null,null,false]',
      '[2,1,null,null,false]',
    ]);
  });

  it('may use no hook while they are loaded, because the next spec does not load them again', async () => {
    const hook = "require('@jest/globals').afterAll(() => undefined);";
    const spec = "require('./hook'); test('passes', () => undefined);";
    const { code, output } = await run({ 'hook.js': hook, 'a.spec.js': spec });
    expect([code, output]).toEqual([1, expect.stringContaining('uses afterAll while it is loaded')]);
    const own = { 'hook.js': '', 'fixtures/hook.js': hook };
    expect((await run({ ...own, 'a.spec.js': spec.replace('./hook', './fixtures/hook') })).code).toBe(0);
  });
});
