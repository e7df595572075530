import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../../workspace/repository-root.js';
import { executableText, programName, programText } from './program-text.js';

const greeter = programText(`
  const { basename } = require('node:path');
  const place = new Error().stack.split('\\n')[1].replace(/.*[/(]([^/]+):\\d+:\\d+\\)?$/, '$1');
  const say = ({ default: greeting }) => console.log(greeting, basename(__filename), place);
  importNative('file://' + process.argv[2]).then(say);
`);
const name = programName('greeter', greeter);

describe('an executable file', () => {
  let dir = '';
  const inDir = (...names: readonly string[]): string => path.join(dir, ...names);
  const code = (): string => inDir('compiled', `${name}.code`);
  const greet = (): string => execFileSync(inDir('greeter'), [inDir('greeting.mjs')], { encoding: 'utf8' });

  beforeAll(async () => {
    dir = mkdtempSync(path.join(tmpdir(), 'podwright-program-'));
    mkdirSync(inDir('compiled'));
    writeFileSync(inDir('greeting.mjs'), 'export default "hello"');
    writeFileSync(inDir('greeter'), await executableText(name, greeter), { mode: 0o755 });
  });

  afterAll(() => rmSync(dir, { recursive: true }));

  it('runs without any other file', () => {
    expect(greet()).toBe('hello greeter greeter\n');
  });

  it('runs what was compiled before', () => {
    writeFileSync(inDir('compiled', `${name}.js`), greeter);
    const compiler = path.join(repositoryRoot, 'tools/build/program/compile-program.mjs');
    execFileSync(process.execPath, [compiler, inDir('compiled', `${name}.js`), code(), inDir('greeting.mjs')]);
    expect(greet()).toBe(`hello greeter ${name}.js\n`);
  });

  it('runs although the compiled code is torn', () => {
    writeFileSync(code(), readFileSync(code()).subarray(0, 100));
    expect(greet()).toBe(`hello greeter ${name}.js\n`);
  });

  it('runs although the text beside it is torn or away', () => {
    writeFileSync(inDir('compiled', `${name}.js`), greeter.slice(0, 100));
    expect(greet()).toBe('hello greeter greeter\n');
    rmSync(inDir('compiled', `${name}.js`));
    expect(greet()).toBe('hello greeter greeter\n');
  });

  it('holds nothing but ASCII', () => {
    expect(() => programText('say("grüß")')).toThrow('the bundle has a character that is not ASCII: "ü"');
  });
});
