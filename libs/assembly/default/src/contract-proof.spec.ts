import {
  createToken,
  type AnyModule,
  type Assembler,
  type Assembly,
  type AssemblyFault,
  type AssemblyGraph,
  type AssemblyNode,
  type AssemblyOptions,
  type AssemblyReport,
  type Lifecycle,
  type NeedMap,
  type Needs,
} from '@podwright/assembly-interface';
import { describeAssemblyContract, faultCases, type AssemblyHarness } from '@podwright/assembly-interface/contract';
import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import { KubeletError, messageOf } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: AssemblyHarness) => Partial<AssemblyHarness>;
type Create = AnyModule['create'];

const broken = (replaced: (good: Assembler) => Partial<Assembler>): Broken => breaksIn('assembler', replaced);
const reporting = (change: (report: AssemblyReport) => Partial<AssemblyReport>): Broken =>
  broken((good) => ({
    check: async (options) => {
      const report = await good.check(options);
      return { ...report, ...change(report) };
    },
  }));
const reportingEach = (changed: Partial<AssemblyFault>): Broken =>
  reporting(({ faults }) => ({ faults: faults.map((fault) => ({ ...fault, ...changed })) }));
const drawing = (change: (graph: AssemblyGraph) => Partial<AssemblyGraph>): Broken =>
  reporting(({ graph }) => ({ graph: { ...graph, ...change(graph) } }));
const drawingEach = (changed: Partial<AssemblyNode>): Broken =>
  drawing(({ modules }) => ({ modules: modules.map((module) => ({ ...module, ...changed })) }));
/** One that refuses otherwise. */
const refusing = (change: (error: unknown) => unknown): Broken =>
  broken((good) => ({ assemble: (options) => good.assemble(options).catch((error) => Promise.reject(change(error))) }));
/** One that assembles something else than it is given. */
const assembling = (change: (options: AssemblyOptions) => Partial<AssemblyOptions>): Broken =>
  broken((good) => ({ assemble: (options) => good.assemble({ ...options, ...change(options) }) }));
const assemblingEach = (change: (module: AnyModule) => Partial<AnyModule>): Broken =>
  assembling(({ modules }) => ({ modules: modules.map((module) => ({ ...module, ...change(module) })) }));
/** One that gives modules something else than they need. */
const giving = (change: (deps: Needs<NeedMap>, options: AssemblyOptions) => Needs<NeedMap>): Broken =>
  assembling((options) => ({
    modules: options.modules.map((module) => ({
      ...module,
      create: (deps, config) => (module.create as Create)(change(deps, options), config) as unknown,
    })),
  }));
/** One whose assembly differs. */
const making = (replaced: (good: Assembly, options: AssemblyOptions) => Partial<Assembly>): Broken =>
  broken((good) => ({
    assemble: async (options) => {
      const assembly = await good.assemble(options);
      return breaks(assembly, replaced(assembly, options));
    },
  }));

const part = ({ get }: Assembly, name: 'a' | 'c'): Lifecycle => get(createToken<Lifecycle>(`contract.${name}/v1`));
const neglectsNeeds = assemblingEach(() => ({ needs: {} }));
const needingAll = (needs: NeedMap = {}): NeedMap =>
  Object.fromEntries(
    Object.entries(needs).map(([key, need]) => [key, typeof need === 'symbol' ? need : need.optional]),
  );
const ignoresTheFile = { assemblyFile: undefined };
const startsAgainAfter = (count: number): Broken =>
  making((good) => {
    let starts = 0;
    return { start: () => (++starts > count ? part(good, 'a').start() : good.start()) };
  });
const swallowsFailures = making((good) => ({ start: () => good.start().catch(() => undefined) }));

/** The row of a fault whose token or field matters fails when it is another one. */
const rowsOfFaults = faultCases.flatMap(({ title, expected }) => {
  const told = (['token', 'field'] as const).filter((name) => expected.some((fault) => fault[name] !== undefined));
  const ways = told.map((name) => [`it names another ${name}`, reportingEach({ [name]: 'other' })] as const);
  return ways.length === 0 ? [] : [[`reports ${title}`, Object.fromEntries(ways)] as const];
});

describeContractProof(
  'Assembler',
  (create) => describeAssemblyContract('a broken Assembler', create),
  createContractHarness,
  {
    'reports %s': {
      'it finds nothing': reporting(() => ({ faults: [] })),
      'it finds each twice': reporting(({ faults }) => ({ faults: [...faults, ...faults] })),
      'all is well nevertheless': reporting(() => ({ ok: true })),
      'it does not say what is wrong': reportingEach({ message: '', hint: '' }),
      'it does not say what kind of fault it is': reportingEach({ kind: 'module-load', module: 'x' }),
      'it names another module': reportingEach({ module: 'x' }),
      'it assembles nevertheless': broken((good) => ({
        assemble: (options) => good.assemble({ ...options, modules: [], config: {}, ...ignoresTheFile }),
      })),
      'it refuses with another error': refusing((error) => new KubeletError(messageOf(error), { code: 'internal' })),
      'the refusal does not say why': refusing(() => new KubeletError('refused', { code: 'failed-precondition' })),
    },
    ...Object.fromEntries(rowsOfFaults),
    'reports nothing for a good list, and constructs nothing to find out': {
      'it finds a fault': reporting(() => ({ faults: [{ kind: 'cycle', message: '' }] })),
      'all is not well': reporting(() => ({ ok: false })),
      'the modules are not in the order of start': drawing(({ modules }) => ({ modules: modules.toReversed() })),
      'the depth is lost': drawingEach({ depth: 0 }),
      'there are no edges': drawing(() => ({ edges: [] })),
      'there are no values': drawing(() => ({ values: [] })),
      'it constructs': broken((good) => ({
        check: (options) => good.assemble(options).then(() => good.check(options)),
      })),
    },
    'builds each part once, needs first, with decoded options': {
      'it builds one for each token': making((good) => ({
        get: (token) => breaks(good.get(token) as object, {}) as never,
      })),
      'it builds all twice': broken((good) => ({
        assemble: (options) => good.assemble(options).then(() => good.assemble(options)),
      })),
      'it does not look at needs': neglectsNeeds,
      'it does not look at options': assembling(() => ({ config: {} })),
      'nobody is found for an unknown token': making((good) => ({
        get: (token) => {
          try {
            return good.get(token);
          } catch {
            return undefined as never;
          }
        },
      })),
    },
    'builds modules from their needs: the same instances, a logger of their own, absent options left out': {
      'the instances are others': giving((deps) => ('a' in deps ? { ...deps, a: breaks(deps.a as object, {}) } : deps)),
      'an optional need is not met': giving((deps) => ({ ...deps, b: undefined })),
      'the clock is another one': giving((deps, { clock }) => ({ ...deps, clock: breaks(clock, {}) })),
      'the logger belongs to all': giving((deps, { logger }) => ({ ...deps, logger })),
      'what is absent is there': giving((deps) => ({ ...deps, c: undefined })),
      'an optional need is required': assemblingEach(({ needs }) => ({ needs: needingAll(needs as NeedMap) })),
    },
    'builds all that modules and the app bring to a role that takes many, in the order of start': {
      'it finds a fault': reporting(() => ({ faults: [{ kind: 'wrong-token', message: '' }] })),
      'the order is the one of the list': drawing(({ modules: [below, above, server] }) => ({
        modules: [server, above, below].filter((node) => node !== undefined),
      })),
      'the graph does not tell who contributes': drawingEach({ contributes: [] }),
      'there are no edges': drawing(() => ({ edges: [] })),
      'what the app brings is lost': assembling(() => ({ values: [] })),
      'what modules bring is lost': assemblingEach(() => ({ contributes: [] })),
      'the order is lost': giving((deps) =>
        'routes' in deps ? { ...deps, routes: (deps.routes as readonly string[]).toReversed() } : deps,
      ),
      'the app cannot have them': making((good) => ({
        get: (token) => {
          const found = good.get(token);
          return (Array.isArray(found) ? [] : found) as typeof found;
        },
      })),
    },
    'builds what a module wraps, to all who need it, while the provider itself is started': {
      'it finds a fault': reporting(() => ({ faults: [{ kind: 'wrong-token', message: '' }] })),
      'the graph does not tell who wraps': drawingEach({ decorates: ['other'] }),
      'there are no edges': drawing(() => ({ edges: [] })),
      'nothing is wrapped': assemblingEach(() => ({ decorates: [] })),
      'nothing is started': making(() => ({ start: async () => undefined })),
    },
    'builds modules that see nothing but what they have declared': {
      'they see more': giving((deps, { clock }) => ({ ...deps, clock })),
    },
    'builds two assemblies of one list that share nothing': {
      'the second is the first': broken((good) => {
        let first: Promise<Assembly> | undefined;
        return { assemble: (options) => (first ??= good.assemble(options)) };
      }),
    },
    'builds nothing when a module %s, and names it': {
      'it builds the others': assembling(({ modules }) => ({
        modules: modules.filter(({ name }) => name !== '@test/faulty').map((module) => ({ ...module, needs: {} })),
      })),
      'it does not name the module': refusing((error) => new Error(messageOf(error).replaceAll('@test/faulty', ''))),
      'it does not say why': refusing(() => new Error('@test/faulty could not be built')),
    },
    'applies an assembly file that replaces, adds, omits and configures': {
      'it finds a fault': reporting(() => ({ faults: [{ kind: 'bad-file', message: '' }] })),
      'the check ignores it': broken((good) => ({ check: (options) => good.check({ ...options, ...ignoresTheFile }) })),
      'what it replaces is not told': drawing(({ modules }) => ({
        modules: modules.map(({ replaces: _replaces, ...module }) => module),
      })),
      'where it comes from is not told': drawing(({ modules }) => ({
        modules: modules.map(({ loadedFrom: _loadedFrom, ...module }) => module),
      })),
      'its options are lost': reporting(() => ({ config: {} })),
      'it is not assembled': assembling(() => ignoresTheFile),
    },
    'starts and stops in the order of need and in reverse, once each, however often it is asked': {
      'it does not look at needs': neglectsNeeds,
      'each start starts': startsAgainAfter(1),
      'it stops in the order of start': making((good) => ({ stop: () => part(good, 'a').stop().then(good.stop) })),
      'each stop stops': making((good) => {
        let stops = 0;
        return { stop: () => (++stops > 1 ? part(good, 'a').stop() : good.stop()) };
      }),
      'it starts again after the stop': startsAgainAfter(2),
    },
    'starts and stops undoes a failed start and names the module': {
      'the failure is swallowed': swallowsFailures,
      'the module is not named': making((good) => ({
        start: () => good.start().catch(() => Promise.reject(new Error('no socket'))),
      })),
      'it goes on': making((good) => ({
        start: () =>
          good.start().catch(async (error) => {
            await part(good, 'c').start();
            throw error;
          }),
      })),
      'what was started stays': assemblingEach(({ name, create }) => ({
        create: (...args) => {
          const made = (create as Create)(...args) as Lifecycle;
          return name === 'a' ? breaks(made, { stop: () => Promise.resolve() }) : made;
        },
      })),
    },
    'starts and stops does not wait longer than the limit for a stop that hangs, and says whose it was': {
      'it does not look at the limit': assembling(() => ({ stopTimeoutMs: 10_000 })),
      'it does not say whose it was': assembling(() => ({ logger: createMemoryLogger() })),
      'a stop that fails fails all': making((good) => ({
        stop: () => good.stop().then(() => Promise.reject(new Error('stuck file'))),
      })),
      'it does not stop the others': making((_good, { clock }) => ({ stop: () => clock.sleep(500) })),
      'it leaves a timer behind': making((good, { clock }) => ({
        start: () => {
          clock.setTimer(60_000, () => undefined);
          return good.start();
        },
      })),
    },
    'starts and stops ends a start that is overtaken by a stop': {
      'the start succeeds': swallowsFailures,
      'the stop waits for the whole start': making((good) => {
        let starting = Promise.resolve();
        return { start: () => (starting = good.start()), stop: () => starting.then(good.stop) };
      }),
      'what was started stays': making(() => ({ stop: () => Promise.resolve() })),
    },
    'starts and stops refuses a start after a stop': {
      'it starts': swallowsFailures,
      'it fails for another reason': making((good) => ({
        start: () => good.start().catch(() => Promise.reject(new KubeletError('stopped', { code: 'internal' }))),
      })),
    },
    'tells the health of each module that can tell': {
      'all are well': making((good) => ({
        health: () => good.health().map(({ module }) => ({ module, health: { ok: true } })),
      })),
      'who is well is left out': making((good) => ({ health: () => good.health().filter(({ health }) => !health.ok) })),
      'a module that cannot tell counts as ill': making((good) => ({
        health: () => [...good.health(), { module: 'mute', health: { ok: false, reason: 'unknown' } }],
      })),
      'the reason is lost': making((good) => ({
        health: () => good.health().map(({ module, health }) => ({ module, health: { ...health, reason: 'ill' } })),
      })),
    },
  },
);
