import type { AssemblyFaultKind } from '../assembly-report.js';
import type { TokenValue } from '../assembly.js';
import { defineConfig } from '../config-schema.js';
import { enumField, integerField } from '../config-fields.js';
import { contribution, decoration, defineModule } from '../module.js';
import type { AnyModule } from '../module.js';
import { needs, optional } from '../needs.js';
import { createManyToken, createToken } from '../token.js';
import type { Token } from '../token.js';

export interface ExpectedFault {
  readonly kind: AssemblyFaultKind;
  readonly module?: string;
  readonly token?: string;
  readonly field?: string;
  /** Texts that the message or the hint must contain, so that an operator knows what to do. */
  readonly says: readonly string[];
}

/** A wrong assembly and the faults to expect. */
export interface FaultCase {
  readonly title: string;
  readonly modules: readonly AnyModule[];
  readonly known?: readonly AnyModule[];
  readonly values?: readonly TokenValue[];
  readonly config?: Readonly<Record<string, unknown>>;
  /** Text of an assembly file. */
  readonly file?: string;
  /** The exports that the file's specifiers load, by specifier. */
  readonly importable?: Readonly<Record<string, unknown>>;
  readonly expected: readonly ExpectedFault[];
}

const SOURCE = createToken<object>('test.source/v1');
const WORKER = createToken<object>('test.worker/v1');
const ROUTES = createManyToken<object>('test.routes/v1');
const STATUS = createToken<object>('test.status/v1');

interface WorkerConfig {
  readonly places: number;
  readonly mode: 'fast' | 'safe';
}
const workerConfig = defineConfig<WorkerConfig>({
  places: integerField(4, { min: 1 }),
  mode: enumField(['fast', 'safe'], 'safe'),
});

/** A module whose instance is an empty object. */
function plain(
  name: string,
  provides: readonly Token<object>[],
  requires: readonly Token<object>[] = [],
  more: Pick<AnyModule, 'config'> = {},
): AnyModule {
  return { name, provides, needs: Object.fromEntries(requires.entries()), create: () => ({}), ...more };
}

const source = plain('@test/source', [SOURCE]);
const worker = plain('@test/worker', [WORKER], [SOURCE], { config: workerConfig });
const status = plain('@test/status', [STATUS], [WORKER]);
const header = 'apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\n';

export const faultCases: readonly FaultCase[] = [
  {
    title: 'a requirement that nobody meets, with the known module that would',
    modules: [worker, status],
    known: [source],
    expected: [
      {
        kind: 'unmet-requirement',
        module: '@test/worker',
        token: 'test.source/v1',
        says: ['@test/worker', '@test/source'],
      },
    ],
  },
  {
    title: 'an optional need that the options make required, with what asks for it',
    modules: ['safe', 'fast'].map((mode) => ({
      ...plain(`@test/${mode}-worker`, [createToken<object>(`test.${mode}/v1`)], [], { config: workerConfig }),
      needs: { source: optional(SOURCE) },
      requiredBy: (config: WorkerConfig) => (config.mode === 'fast' ? { source: 'option mode: fast' } : {}),
    })),
    known: [source],
    config: { '@test/fast-worker': { mode: 'fast' } },
    expected: [
      {
        kind: 'unmet-requirement',
        module: '@test/fast-worker',
        token: 'test.source/v1',
        says: ['@test/fast-worker', 'option mode: fast', '@test/source'],
      },
    ],
  },
  {
    title: 'a second provider',
    modules: [source, plain('@test/other-source', [SOURCE])],
    expected: [
      {
        kind: 'second-provider',
        module: '@test/other-source',
        token: 'test.source/v1',
        says: ['@test/source', 'replace'],
      },
    ],
  },
  {
    title: 'a module that provides what is a value of the app',
    modules: [source],
    values: [[SOURCE, {}]],
    expected: [{ kind: 'second-provider', module: '@test/source', token: 'test.source/v1', says: ['the app'] }],
  },
  {
    title: 'one module twice',
    modules: [source, source],
    expected: [{ kind: 'duplicate-module', module: '@test/source', says: ['@test/source'] }],
  },
  {
    title: 'a cycle, as a path with its tokens',
    modules: [
      plain('@test/a', [SOURCE], [STATUS]),
      plain('@test/b', [WORKER], [SOURCE]),
      plain('@test/c', [STATUS], [WORKER]),
    ],
    expected: [
      {
        kind: 'cycle',
        module: '@test/a',
        says: ['@test/a -(test.status/v1)-> @test/c -(test.worker/v1)-> @test/b -(test.source/v1)-> @test/a'],
      },
    ],
  },
  {
    title: 'a cycle through an optional need',
    modules: [
      defineModule({
        name: '@test/a',
        provides: [SOURCE],
        needs: needs({ worker: optional(WORKER) }),
        create: () => ({}),
      }),
      plain('@test/b', [WORKER], [SOURCE]),
    ],
    expected: [{ kind: 'cycle', module: '@test/a', says: ['@test/a', '@test/b'] }],
  },
  {
    title: 'a module that needs what it provides itself',
    modules: [
      defineModule({ name: '@test/a', provides: [SOURCE], needs: needs({ source: SOURCE }), create: () => ({}) }),
    ],
    expected: [{ kind: 'cycle', module: '@test/a', says: ['@test/a -(test.source/v1)-> @test/a'] }],
  },
  {
    title: 'a cycle through a role that takes many',
    modules: [
      defineModule({ name: '@test/a', provides: [SOURCE], needs: needs({ routes: ROUTES }), create: () => ({}) }),
      defineModule({
        name: '@test/b',
        provides: [],
        needs: needs({ source: SOURCE }),
        create: () => ({}),
        contributes: [contribution(ROUTES, () => [])],
      }),
    ],
    expected: [{ kind: 'cycle', module: '@test/a', says: ['-(test.routes/v1)-> @test/b'] }],
  },
  {
    title: 'a module that provides what takes many, and one that contributes to what takes one',
    modules: [
      defineModule({ name: '@test/a', provides: [ROUTES], create: () => [] }),
      defineModule({
        name: '@test/b',
        provides: [],
        create: () => ({}),
        contributes: [contribution(SOURCE as unknown as typeof ROUTES, () => [])],
      }),
    ],
    expected: [
      { kind: 'wrong-token', module: '@test/a', token: 'test.routes/v1', says: ['takes many', 'contributes'] },
      { kind: 'wrong-token', module: '@test/b', token: 'test.source/v1', says: ['takes one', 'provides'] },
    ],
  },
  {
    title: 'a module that wraps what takes many, and one that needs what it wraps',
    modules: [
      source,
      defineModule({
        name: '@test/a',
        provides: [],
        create: () => ({}),
        decorates: [decoration(ROUTES, (_, routes) => routes)],
      }),
      defineModule({
        name: '@test/b',
        provides: [],
        needs: needs({ source: SOURCE }),
        create: () => ({}),
        decorates: [decoration(SOURCE, (_, inner) => inner)],
      }),
    ],
    expected: [
      { kind: 'wrong-token', module: '@test/a', token: 'test.routes/v1', says: ['takes many', 'decorate'] },
      { kind: 'cycle', module: '@test/b', says: ['@test/b -(test.source/v1)-> @test/b'] },
    ],
  },
  {
    title: 'wrong options: each with module, field and value',
    modules: [source, worker],
    config: { '@test/worker': { places: 0, mode: 'wild', speed: 9 } },
    expected: [
      { kind: 'bad-config', module: '@test/worker', field: 'speed', says: ['@test/worker', 'unknown', 'speed'] },
      { kind: 'bad-config', module: '@test/worker', field: 'places', says: ['places', '>= 1', '0'] },
      { kind: 'bad-config', module: '@test/worker', field: 'mode', says: ['fast, safe', '"wild"'] },
    ],
  },
  {
    title: 'options for a module without options, and for an unknown module',
    modules: [source],
    config: { '@test/source': { depth: 3 }, '@test/sorce': {} },
    expected: [
      { kind: 'unknown-module', module: '@test/sorce', says: ['@test/source'] },
      { kind: 'bad-config', module: '@test/source', field: 'depth', says: ['unknown', 'depth', 'no options'] },
    ],
  },
  {
    title: 'several faults at once, none hiding another',
    modules: [
      worker,
      plain('@test/other-worker', [WORKER]),
      plain('@test/a', [STATUS], [STATUS, createToken('test.x/v1')]),
    ],
    config: { '@test/worker': { places: 'many' } },
    expected: [
      { kind: 'second-provider', module: '@test/other-worker', says: [] },
      { kind: 'unmet-requirement', module: '@test/worker', token: 'test.source/v1', says: [] },
      { kind: 'unmet-requirement', module: '@test/a', token: 'test.x/v1', says: [] },
      { kind: 'cycle', module: '@test/a', says: ['@test/a -(test.status/v1)-> @test/a'] },
      { kind: 'bad-config', module: '@test/worker', field: 'places', says: ['"many"'] },
    ],
  },
  {
    title: 'a file that omits what another module requires',
    modules: [source, worker],
    file: `${header}modules:\n  - omit: '@test/source'\n`,
    expected: [
      {
        kind: 'required-omitted',
        module: '@test/source',
        token: 'test.source/v1',
        says: ['@test/worker', 'modules[0]'],
      },
    ],
  },
  {
    title: 'a file that names unknown modules, with the nearest known ones',
    modules: [source, worker],
    file: `${header}modules:\n  - omit: '@test/wroker'\n  - replace: source2\n    with: ./other.js\n`,
    importable: { './other.js': { default: plain('@test/other-source', [SOURCE]) } },
    expected: [
      { kind: 'unknown-module', module: '@test/wroker', says: ['@test/worker'] },
      { kind: 'unknown-module', module: 'source2', says: ['@test/source'] },
    ],
  },
  {
    title: 'a replacement that does not provide what the replaced module provided',
    modules: [source, worker],
    file: `${header}modules:\n  - replace: '@test/source'\n    with: ./other.js\n`,
    importable: { './other.js': { default: plain('@test/other-source', [STATUS]) } },
    expected: [
      { kind: 'replacement-lacks', module: '@test/other-source', token: 'test.source/v1', says: ['@test/source'] },
      { kind: 'unmet-requirement', module: '@test/worker', token: 'test.source/v1', says: [] },
    ],
  },
  {
    title: 'modules that cannot be loaded, or are none',
    modules: [source],
    file: `${header}modules:\n  - add: ./missing.js\n  - add: ./number.js\n`,
    importable: { './number.js': { default: 42 } },
    expected: [
      { kind: 'module-load', module: './missing.js', field: 'modules[0]', says: ['./missing.js'] },
      { kind: 'module-load', module: './number.js', field: 'modules[1]', says: ['default'] },
    ],
  },
  {
    title: 'a file with wrong fields: each with its place and value',
    modules: [source],
    file: 'apiVersion: v1\nkind: Assembly\nextra: 1\nmodules:\n  - replace: a\n  - omit: b\n    with: c\n  - 7\n  - {}\n',
    expected: [
      { kind: 'bad-file', field: 'extra', says: ['extra', '1'] },
      { kind: 'bad-file', field: 'apiVersion', says: ['assembly.podwright.dev/v1alpha1', '"v1"'] },
      { kind: 'bad-file', field: 'modules[0].with', says: ['nothing'] },
      { kind: 'bad-file', field: 'modules[1].with', says: ['omit', '"c"'] },
      { kind: 'bad-file', field: 'modules[2]', says: ['7'] },
      { kind: 'bad-file', field: 'modules[3]', says: ['replace, add, omit, name'] },
    ],
  },
  {
    title: 'a file that is no YAML',
    modules: [source],
    file: `${header}modules: [\n`,
    expected: [{ kind: 'bad-file', says: ['parsed'] }],
  },
  {
    title: 'options in a file that the module refuses',
    modules: [source, worker],
    file: `${header}modules:\n  - name: '@test/worker'\n    config: { places: -1 }\n`,
    expected: [{ kind: 'bad-config', module: '@test/worker', field: 'places', says: ['-1'] }],
  },
];
