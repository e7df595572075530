import { describe, expect, it } from '@podwright/contract';
import { hasCode, messageOf } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import type { MemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { provideValue, type Assembler, type AssemblyOptions } from '../assembly.js';
import { defineConfig } from '../config-schema.js';
import { integerField } from '../config-fields.js';
import { CLOCK, LOGGER } from '../foundation-tokens.js';
import { contribution, decoration, defineModule } from '../module.js';
import type { AnyModule } from '../module.js';
import { needs, optional } from '../needs.js';
import { createManyToken, createToken } from '../token.js';
import { faultCases } from './fault-cases.js';
import type { FaultCase } from './fault-cases.js';
import { RecordingPart, recordingModule } from './recording-part.js';

/** The assembler under test and the files that it loads. */
export interface AssemblyHarness {
  readonly assembler: Assembler;
  /**
   * Writes an assembly file; the keys of `importable` are specifiers that load their values as exports. Returns its
   * path.
   */
  writeFile(text: string, importable: Readonly<Record<string, unknown>>): Promise<string>;
}

const A = createToken<RecordingPart>('contract.a/v1');
const B = createToken<RecordingPart>('contract.b/v1');
const C = createToken<RecordingPart>('contract.c/v1');
const header = 'apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\n';

/** Tests that an {@link Assembler} reports every kind of fault, and starts and stops modules in order. */
export function describeAssemblyContract(name: string, create: () => Promise<AssemblyHarness>): void {
  describe(`${name} as an Assembler`, () => {
    describe('reports', () => {
      it.each(faultCases.map((faultCase) => [faultCase.title, faultCase] as const))('%s', async (_title, faultCase) => {
        const harness = await create();
        const options = await optionsFor(harness, faultCase);
        const { ok, faults } = await harness.assembler.check(options);
        expect(ok).toBe(false);
        expect(faults.map(({ kind, module }) => ({ kind, module }))).toEqual(
          faultCase.expected.map(({ kind, module }) => ({ kind, module })),
        );
        faultCase.expected.forEach((expected, index) => {
          const fault = faults[index];
          const text = `${fault?.message} ${fault?.hint ?? ''}`;
          if (expected.token !== undefined) expect(fault?.token).toBe(expected.token);
          if (expected.field !== undefined) expect(fault?.field).toBe(expected.field);
          for (const part of expected.says) expect(text).toContain(part);
        });
        const refusal: unknown = await harness.assembler.assemble(options).catch((error: unknown) => error);
        expect(hasCode(refusal, 'failed-precondition')).toBe(true);
        for (const { message } of faults) expect(messageOf(refusal)).toContain(message);
      });

      it('nothing for a good list, and constructs nothing to find out', async () => {
        const log: string[] = [];
        const { assembler } = await create();
        const modules = [recordingModule('b', B, [A], log), recordingModule('a', A, [CLOCK], log)];
        const report = await assembler.check({ modules, ...surroundings() });
        expect(report).toMatchObject({ ok: true, faults: [] });
        expect(report.graph.modules.map(({ name: module, depth }) => [module, depth])).toEqual([
          ['a', 0],
          ['b', 1],
        ]);
        expect(report.graph.edges).toEqual([{ from: 'b', to: 'a', token: 'contract.a/v1', optional: false }]);
        expect(report.graph.values).toContain('kubelet.clock/v1');
        expect(log).toEqual([]);
      });
    });

    describe('builds', () => {
      it('each part once, needs first, with decoded options', async () => {
        const { assembler } = await create();
        const made: unknown[] = [];
        const log: string[] = [];
        const module = defineModule({
          name: 'm',
          provides: [A, B],
          config: defineConfig<{ places: number }>({ places: integerField(4) }),
          create: (_deps, config) => {
            made.push(config);
            return new RecordingPart('a', log);
          },
        });
        const assembly = await assembler.assemble({
          modules: [recordingModule('c', C, [A], log), module],
          config: { m: { places: 7 } },
          ...surroundings(),
        });
        expect(assembly.get(A)).toBe(assembly.get(B));
        expect(made).toEqual([{ places: 7 }]);
        expect(log).toEqual(['construct a', 'construct c']);
        expect(codeOf(() => assembly.get(createToken('contract.nobody/v1')), 'not-found')).toBe(true);
      });

      it('modules from their needs: the same instances, a logger of their own, absent options left out', async () => {
        const { assembler } = await create();
        const seen: Readonly<Record<string, unknown>>[] = [];
        const parts = defineModule({
          name: 'parts',
          provides: { a: A, b: B },
          create: () => ({ a: new RecordingPart('a', []), b: new RecordingPart('b', []) }),
        });
        const user = defineModule({
          name: '@test/user',
          provides: [],
          needs: needs({ a: A, b: optional(B), c: optional(C), clock: CLOCK, logger: LOGGER }),
          config: defineConfig<{ places: number }>({ places: integerField(4) }),
          create: (deps, config) => {
            seen.push({ ...deps, ...config });
            deps.logger.info('made');
            return {};
          },
        });
        const { clock, logger } = surroundings();
        const assembly = await assembler.assemble({ modules: [user, parts], clock, logger });
        expect(seen).toStrictEqual([
          { a: assembly.get(A), b: assembly.get(B), clock, logger: expect.anything(), places: 4 },
        ]);
        expect(seen[0]?.['a']).toBe(assembly.get(A));
        expect(seen[0]?.['clock']).toBe(clock);
        expect(logger.entries.map(({ message, fields }) => [message, fields])).toEqual([['made', { logger: 'user' }]]);
      });

      it('all that modules and the app bring to a role that takes many, in the order of start', async () => {
        const { assembler } = await create();
        const ROUTES = createManyToken<string>('contract.routes/v1');
        const server = defineModule({
          name: 'server',
          provides: [A],
          needs: needs({ routes: ROUTES, none: createManyToken<string>('contract.nothing/v1') }),
          create: ({ routes, none }) => new RecordingPart([...routes, ...none].join(), []),
        });
        const above = defineModule({
          name: 'above',
          provides: [C],
          needs: needs({ b: B }),
          create: ({ b }) => b,
          contributes: [contribution(ROUTES, (part: RecordingPart) => [`/above-${part.name}`])],
        });
        const below = defineModule({
          name: 'below',
          provides: [B],
          create: () => new RecordingPart('below', []),
          contributes: [contribution(ROUTES, (part: RecordingPart) => [`/${part.name}`, '/more'])],
        });
        const options = {
          modules: [server, above, below],
          values: [provideValue(ROUTES, ['/app'])],
          ...surroundings(),
        };
        const { graph, faults } = await assembler.check(options);
        expect(faults).toEqual([]);
        expect(graph.modules.map(({ name: module, contributes }) => [module, contributes])).toEqual([
          ['below', ['contract.routes/v1']],
          ['above', ['contract.routes/v1']],
          ['server', []],
        ]);
        expect(graph.edges).toContainEqual({
          from: 'server',
          to: 'above',
          token: 'contract.routes/v1',
          optional: true,
        });
        const assembly = await assembler.assemble(options);
        expect(assembly.get(A).name).toBe('/app,/below,/more,/above-below');
        expect(assembly.get(ROUTES)).toHaveLength(4);
      });

      it('what a module wraps, to all who need it, while the provider itself is started', async () => {
        const { assembler } = await create();
        const log: string[] = [];
        const around = (name: string, token: typeof B): AnyModule =>
          defineModule({
            name,
            provides: [token],
            create: () => new RecordingPart(name, log),
            decorates: [
              decoration(A, (own, inner) => new RecordingPart(`${own.name}(${inner.name})`, [])),
              decoration(C, () => new RecordingPart('nobody provides it', [])),
            ],
          });
        const user = defineModule({
          name: 'user',
          provides: [createToken<RecordingPart>('contract.user/v1')],
          needs: needs({ a: A }),
          create: ({ a }) => new RecordingPart(`user of ${a.name}`, log),
        });
        const options = {
          modules: [user, recordingModule('a', A, [], log), around('inside', B)],
          ...surroundings(),
        };
        const { graph, faults } = await assembler.check(options);
        expect(faults).toEqual([]);
        expect(graph.modules.map(({ name: module, decorates }) => [module, decorates])).toEqual([
          ['a', undefined],
          ['inside', ['contract.a/v1', 'contract.c/v1']],
          ['user', undefined],
        ]);
        expect(graph.edges).toContainEqual({ from: 'user', to: 'inside', token: 'contract.a/v1', optional: true });
        const assembly = await assembler.assemble(options);
        await assembly.start();
        expect(assembly.get(A).name).toBe('inside(a)');
        expect(log).toContain('construct user of inside(a)');
        expect(log.filter((line) => line.startsWith('start'))).toEqual([
          'start a',
          'start inside',
          'start user of inside(a)',
        ]);
        await assembly.stop();
      });

      it('modules that see nothing but what they have declared', async () => {
        const { assembler } = await create();
        let seen: unknown;
        const sly: AnyModule = { ...recordingModule('b', B, [], []), create: (deps) => (seen = deps) };
        await assembler.assemble({ modules: [recordingModule('a', A, [], []), sly], ...surroundings() });
        expect(seen).toEqual({});
      });

      it('two assemblies of one list that share nothing', async () => {
        const { assembler } = await create();
        const options = { modules: [recordingModule('a', A, [], [])], ...surroundings() };
        const [one, two] = [await assembler.assemble(options), await assembler.assemble(options)];
        expect(one.get(A)).not.toBe(two.get(A));
      });

      const parts = { a: A, b: B };
      const reasons: readonly (readonly [string, Pick<AnyModule, 'provides' | 'create'>, string])[] = [
        ['throws', { provides: [A], create: () => fail('no luck') }, 'no luck'],
        ['returns a promise', { provides: [A], create: async () => ({}) }, 'promise'],
        ['returns nothing', { provides: [A], create: () => undefined }, 'contract.a/v1'],
        ['leaves a part out', { provides: parts, create: () => ({ a: {} }) }, 'contract.b/v1'],
      ];
      it.each(reasons)('nothing when a module %s, and names it', async (_reason, made, says) => {
        const { assembler } = await create();
        const modules = [recordingModule('c', C, [A], []), { name: '@test/faulty', ...made }];
        const error: unknown = await assembler
          .assemble({ modules, ...surroundings() })
          .catch((thrown: unknown) => thrown);
        expect(messageOf(error)).toContain('@test/faulty');
        expect(messageOf(error)).toContain(says);
      });
    });

    describe('applies an assembly file that', () => {
      it('replaces, adds, omits and configures', async () => {
        const harness = await create();
        const log: string[] = [];
        const configured: AnyModule = {
          ...recordingModule('other-b', B, [A], log),
          config: defineConfig<{ keep: number }>({ keep: integerField() }),
        };
        const assemblyFile = await harness.writeFile(
          `${header}modules:\n  - { replace: b, with: ./b.js, config: { keep: 3 } }\n  - omit: c\n  - add: ./d.js\n`,
          {
            './b.js': { default: configured },
            './d.js': { module: [recordingModule('d', createToken('contract.d/v1'), [B], log)] },
          },
        );
        const modules = [
          recordingModule('a', A, [], log),
          recordingModule('b', B, [A], log),
          recordingModule('c', C, [B], log),
        ];
        const options = { modules, assemblyFile, ...surroundings() };
        const report = await harness.assembler.check(options);
        expect(report.faults).toEqual([]);
        expect(report.graph.modules.map((module) => module.name)).toEqual(['a', 'other-b', 'd']);
        expect(report.graph.modules[1]).toMatchObject({ replaces: 'b', loadedFrom: './b.js' });
        expect(report.config).toEqual({ 'other-b': { keep: 3 } });
        const assembly = await harness.assembler.assemble(options);
        expect(assembly.get(B).name).toBe('other-b');
      });
    });

    describe('starts and stops', () => {
      it('in the order of need and in reverse, once each, however often it is asked', async () => {
        const { assembler } = await create();
        const log: string[] = [];
        const modules = [
          recordingModule('c', C, [B, A], log),
          recordingModule('b', B, [A], log),
          recordingModule('a', A, [], log),
        ];
        const assembly = await assembler.assemble({ modules, ...surroundings() });
        log.length = 0;
        await Promise.all([assembly.start(), assembly.start()]);
        await Promise.all([assembly.stop(), assembly.stop()]);
        await assembly.stop();
        expect(log).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
        await expect(assembly.start()).resolves.toBeUndefined();
        expect(log.length).toBe(6);
      });

      it('undoes a failed start and names the module', async () => {
        const { assembler } = await create();
        const log: string[] = [];
        const modules = [
          recordingModule('a', A, [], log),
          recordingModule('b', B, [A], log, (part) => (part.onStart = () => Promise.reject(new Error('no socket')))),
          recordingModule('c', C, [B], log),
        ];
        const assembly = await assembler.assemble({ modules, ...surroundings() });
        const error: unknown = await assembly.start().catch((thrown: unknown) => thrown);
        expect(messageOf(error)).toBe('b failed to start: no socket');
        expect(log).not.toContain('start c');
        expect(log.filter((line) => line.startsWith('stop')).at(-1)).toBe('stop a');
      });

      it('does not wait longer than the limit for a stop that hangs, and says whose it was', async () => {
        const { assembler } = await create();
        const log: string[] = [];
        const { clock, logger } = surroundings();
        const modules = [
          recordingModule('a', A, [], log),
          recordingModule('b', B, [A], log, (part) => (part.onStop = () => new Promise(() => undefined))),
          recordingModule('c', C, [B], log, (part) => (part.onStop = () => Promise.reject(new Error('stuck file')))),
        ];
        const assembly = await assembler.assemble({ modules, clock, logger, stopTimeoutMs: 500 });
        await assembly.start();
        let stopped = false;
        await Promise.all([assembly.stop().then(() => (stopped = true)), clock.runUntil(() => stopped, 600)]);
        expect(log.slice(-3)).toEqual(['stop c', 'stop b', 'stop a']);
        const errors = logger.entries
          .filter(({ severity }) => severity === 'error')
          .map(({ fields }) => fields['module']);
        expect(errors).toEqual(['c', 'b']);
        expect(clock.pendingTimers).toBe(0);
      });

      it('ends a start that is overtaken by a stop', async () => {
        const { assembler } = await create();
        const log: string[] = [];
        let release = (): void => undefined;
        const modules = [
          recordingModule(
            'a',
            A,
            [],
            log,
            (part) => (part.onStart = () => new Promise((resolve) => (release = resolve))),
          ),
          recordingModule('b', B, [A], log),
        ];
        const assembly = await assembler.assemble({ modules, ...surroundings() });
        const starting = assembly.start().catch((thrown: unknown) => thrown);
        const stopping = assembly.stop();
        release();
        expect(hasCode(await starting, 'cancelled')).toBe(true);
        await stopping;
        expect(log).not.toContain('start b');
        expect(log).toContain('stop a');
      });

      it('refuses a start after a stop', async () => {
        const { assembler } = await create();
        const assembly = await assembler.assemble({ modules: [], ...surroundings() });
        await assembly.stop();
        expect(hasCode(await assembly.start().catch((thrown: unknown) => thrown), 'cancelled')).toBe(true);
      });
    });

    it('tells the health of each module that can tell', async () => {
      const { assembler } = await create();
      const reporter = (module: string, healthy: () => unknown): AnyModule =>
        defineModule({
          name: module,
          provides: [createToken(`contract.health-${module}/v1`)],
          create: () => ({ healthy }),
        });
      const modules = [
        reporter('good', () => ({ ok: true })),
        reporter('ill', () => ({ ok: false, reason: 'no relist' })),
        reporter('broken', () => {
          throw new Error('oops');
        }),
        recordingModule('mute', A, [], []),
      ];
      const assembly = await assembler.assemble({ modules, ...surroundings() });
      expect(assembly.health()).toEqual([
        { module: 'good', health: { ok: true } },
        { module: 'ill', health: { ok: false, reason: 'no relist' } },
        { module: 'broken', health: { ok: false, reason: expect.stringContaining('oops') } },
      ]);
    });
  });
}

function surroundings(): { clock: VirtualClock; logger: MemoryLogger } {
  return { clock: new VirtualClock(), logger: createMemoryLogger() };
}

async function optionsFor(harness: AssemblyHarness, faultCase: FaultCase): Promise<AssemblyOptions> {
  const { modules, known = [], values = [], config = {}, file, importable = {} } = faultCase;
  const assemblyFile = file === undefined ? undefined : await harness.writeFile(file, importable);
  return { modules, known, values, config, assemblyFile, ...surroundings() };
}

function fail(message: string): never {
  throw new Error(message);
}

function codeOf(run: () => unknown, code: 'not-found'): boolean {
  try {
    run();
  } catch (error) {
    return hasCode(error, code);
  }
  return false;
}
