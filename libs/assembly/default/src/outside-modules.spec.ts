import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';

// What an operator has: one bundled program, and modules in a folder of their own that were built apart from it, each
// with its own copy of the interface package, or with none. Run by plain Node.
const program = `
  import { createToken, defineModule } from '@podwright/assembly-interface';
  import { assemble, checkAssembly, formatFaults } from '@podwright/assembly';
  import { createMemoryLogger } from '@podwright/logging';
  import { createSystemClock } from '@podwright/time';
  const GREETER = createToken('outside.greeter/v1');
  const SUFFIX = createToken('outside.suffix/v1');
  const greeter = defineModule({ name: '@test/greeter', provides: [GREETER],
    create: () => ({ greet: () => 'built in' }) });
  const shipped = { ...greeter, name: '@test/shipped', create: () => ({ greet: () => 'shipped' }) };
  const options = { modules: [greeter], known: [shipped], values: [[SUFFIX, '!']], assemblyFile: process.argv[2],
    logger: createMemoryLogger(), clock: createSystemClock({ keepAlive: true }) };
  const report = await checkAssembly(options);
  if (report.ok) console.log((await assemble(options)).get(GREETER).greet());
  else console.log(formatFaults(report.faults));
`;
const ownCopy = `
  import { createToken, defineModule, needs, type Needs } from '@podwright/assembly-interface';
  const GREETER = createToken<{ greet(): string }>('outside.greeter/v1');
  const greeterNeeds = needs({ suffix: createToken<string>('outside.suffix/v1') });
  class Greeter {
    constructor(private readonly deps: Needs<typeof greeterNeeds>) {}
    greet(): string { return 'own copy' + this.deps.suffix; }
  }
  export default defineModule({ name: 'own-copy', provides: [GREETER], needs: greeterNeeds,
    create: (deps) => new Greeter(deps) });
`;
const plain = `
  const GREETER = Symbol.for('@podwright/token:outside.greeter/v1');
  const SUFFIX = Symbol.for('@podwright/token:outside.suffix/v1');
  exports.module = { name: 'plain', provides: [GREETER], needs: { suffix: SUFFIX },
    create: (deps) => ({ greet: () => 'plain' + deps.suffix }) };
`;
const typed = plain
  .replace('exports.module =', 'export default')
  .replace("'plain' +", "('typed' satisfies string) +")
  .replace('(deps) =>', '(deps: any) =>');
const loadsTypeScript = Boolean((process.features as { readonly typescript?: unknown }).typescript);
const importOnly = plain.replace('exports.module =', 'export const greeterModule =').replaceAll("'plain'", "'package'");

describe('a bundled program', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assembly-'));
    await bundle(program, path.join(folder, 'program.mjs'));
    const modules = path.join(folder, 'etc/modules');
    await mkdir(path.join(folder, 'etc/node_modules/@x/greeter/lib'), { recursive: true });
    await mkdir(modules);
    await bundle(ownCopy, path.join(modules, 'own-copy.mjs'));
    await writeFile(path.join(modules, 'plain.cjs'), plain);
    await writeFile(path.join(modules, 'typed.mts'), typed);
    await writeFile(path.join(modules, 'enum.mts'), `enum Colour { Red }\n${typed}`);
    const commonJs = path.join(folder, 'etc/commonjs');
    await mkdir(commonJs);
    await writeFile(path.join(commonJs, 'package.json'), '{ "type": "commonjs" }');
    await writeFile(path.join(commonJs, 'typed.ts'), `import 'node:path';\n${typed}`);
    await writeFile(path.join(modules, 'throws.mjs'), 'throw new Error("cannot find my config");');
    const manifest = { name: '@x/greeter', type: 'module', exports: { '.': { import: './lib/index.js' } } };
    await writeFile(path.join(folder, 'etc/node_modules/@x/greeter/package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'etc/node_modules/@x/greeter/lib/index.js'), importOnly);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['./modules/own-copy.mjs', 'own copy!'],
    ['./modules/plain.cjs', 'plain!'],
    ['@x/greeter', 'package!'],
    ['@test/shipped', 'shipped'],
  ])('runs with %s in place of a built-in module', async (specifier, greeting) => {
    expect(await run(folder, specifier)).toBe(greeting);
  });

  it.each([
    ['./modules/throws.mjs', 'cannot load module ./modules/throws.mjs: cannot find my config'],
    ['./modules/absent.mjs', 'cannot load module ./modules/absent.mjs'],
    ['@x/absent', 'cannot load module @x/absent'],
  ])('refuses %s before it starts', async (specifier, problem) => {
    expect(await run(folder, specifier)).toContain(problem);
  });

  it.each([
    ['./modules/typed.mts', 'typed!'],
    ['./commonjs/typed.ts', 'outside a module: set "type": "module" in the package.json beside it, or end its name'],
    ['./modules/enum.mts', 'enum is not supported in strip-only mode: use TypeScript of which only the types'],
  ])('takes TypeScript, %s, where Node does, and says elsewhere what to do', async (specifier, outcome) => {
    const elsewhere = `cannot load module ${specifier}: Node ${process.versions.node} cannot load TypeScript: use Node 22.18`;
    const output = await run(folder, specifier);
    expect(output).toContain(loadsTypeScript ? outcome : elsewhere);
    if (output !== 'typed!') expect(output).toMatch(/\(npx esbuild \S+\.m?ts --bundle .*\.cjs\) and name \w+\.cjs in/);
  });
});

async function run(folder: string, specifier: string): Promise<string> {
  const file = path.join(folder, 'etc/assembly.yaml');
  const change = `modules:\n  - replace: '@test/greeter'\n    with: '${specifier}'\n`;
  await writeFile(file, `apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\n${change}`);
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'program.mjs'), file]);
  return stdout.trim();
}

async function bundle(source: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents: source, loader: 'ts', resolveDir: __dirname },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['podwright-source'],
    // CommonJS packages inside an ES module bundle ask for Node's own modules by require().
    banner: { js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);" },
    logLevel: 'error',
  });
}
