import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CLOCK, createToken, defineConfig, defineModule, integerField, LOGGER } from '@podwright/assembly-interface';
import type { AnyModule, AssemblyReport, Lifecycle } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import type { Logger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { assemble, checkAssembly } from './assemble.js';

interface Store extends Lifecycle {
  readonly name: string;
}
interface Reader extends Lifecycle {
  readonly store: Store;
}
const STORE = createToken<Store>('classes.store/v1');
const READER = createToken<Reader>('classes.reader/v1');
const ABSENT = createToken<object>('classes.absent/v1');
const CONFIG = createToken<{ places: number }>('classes.config/v1');
const events: string[] = [];

@injectable()
class Disk {
  readonly id = Symbol('disk');
}

@injectable()
class DiskStore implements Store {
  readonly name = 'disk';
  constructor(
    @inject(Disk) readonly disk: Disk,
    @inject(LOGGER) readonly logger: Logger,
    @inject(CONFIG) readonly config: { places: number },
    @inject(ABSENT, { isOptional: true }) readonly absent: object | undefined,
  ) {}
  start(): Promise<void> {
    this.logger.info('started');
    events.push('start store');
    return Promise.resolve();
  }
  stop(): Promise<void> {
    events.push('stop store');
    return Promise.resolve();
  }
}

const storeModule = defineModule({
  name: '@test/store',
  provides: [STORE],
  requires: [LOGGER, CONFIG],
  optional: [ABSENT],
  config: defineConfig<{ places: number }>(CONFIG, { places: integerField(4) }),
  register: (container) => {
    container.registerSingleton(Disk);
    container.registerSingleton(DiskStore);
    container.register(STORE, { useToken: DiskStore });
  },
});

@injectable()
class PlainReader implements Reader {
  constructor(
    @inject(STORE) readonly store: Store,
    @inject(CLOCK) readonly clock: Clock,
  ) {}
  start(): Promise<void> {
    events.push('start reader');
    return Promise.resolve();
  }
  stop(): Promise<void> {
    events.push('stop reader');
    return Promise.resolve();
  }
}

function readerModule(implementation: new (...args: never[]) => Reader, requires = [STORE, CLOCK]): AnyModule {
  return defineModule({
    name: '@test/reader',
    provides: [READER],
    requires,
    register: (container) => {
      container.registerSingleton(implementation);
      container.register(READER, { useToken: implementation });
    },
  });
}

const surroundings = (): { clock: VirtualClock; logger: ReturnType<typeof createMemoryLogger> } => ({
  clock: new VirtualClock(),
  logger: createMemoryLogger(),
});
const check = (...modules: AnyModule[]): Promise<AssemblyReport> => checkAssembly({ modules, ...surroundings() });

describe('classes decorated with tsyringe', () => {
  it('are built once from their tokens, started and stopped in order, with a logger of their own', async () => {
    events.length = 0;
    const { clock, logger } = surroundings();
    const assembly = await assemble({ modules: [readerModule(PlainReader), storeModule], clock, logger });
    const reader = assembly.get(READER) as PlainReader;
    const store = assembly.get(STORE) as DiskStore;
    expect(reader.store).toBe(store);
    expect(reader.clock).toBe(clock);
    expect(store.config).toEqual({ places: 4 });
    expect(store.absent).toBeUndefined();
    await assembly.start();
    await assembly.stop();
    expect(events).toEqual(['start store', 'start reader', 'stop reader', 'stop store']);
    expect(logger.entries[0]?.fields).toEqual({ logger: 'store' });
  });

  it('two assemblies share nothing', async () => {
    const one = await assemble({ modules: [storeModule], ...surroundings() });
    const two = await assemble({ modules: [storeModule], ...surroundings() });
    expect(one.get(STORE)).not.toBe(two.get(STORE));
  });

  it('are refused before anything is built when they inject what the module does not require', async () => {
    const { faults } = await check(readerModule(PlainReader, [CLOCK] as never), storeModule);
    expect(faults).toMatchObject([
      { kind: 'undeclared-requirement', module: '@test/reader', token: 'classes.store/v1' },
    ]);
    expect(faults[0]?.message).toContain('PlainReader injects classes.store/v1');
    expect(faults[0]?.hint).toContain('requires');
  });

  it('are refused when a parameter has no token, or the alias names no registered class', async () => {
    class Undecorated implements Reader {
      constructor(readonly store: Store) {}
      start = (): Promise<void> => Promise.resolve();
      stop = (): Promise<void> => Promise.resolve();
    }
    const { faults } = await check(readerModule(Undecorated), storeModule);
    expect(faults[0]).toMatchObject({ kind: 'bad-registration', module: '@test/reader' });
    expect(faults[0]?.message).toContain('Undecorated: constructor parameter 0 has no @inject(TOKEN)');

    const dangling = await check({
      name: '@test/dangling',
      provides: [READER],
      requires: [],
      register: (container) => container.register(READER, { useToken: PlainReader }),
    });
    expect(dangling.faults[0]?.message).toContain('alias of class PlainReader, which it does not register');
  });

  it('name the module when a constructor throws, when parts need each other, when a factory is asynchronous', async () => {
    class Failing {
      constructor() {
        throw new Error('no disk');
      }
    }
    const failing = defineModule({
      name: '@test/failing',
      provides: [STORE],
      requires: [],
      register: (container) => {
        container.registerSingleton(Failing);
        container.register(STORE, { useToken: Failing as never });
      },
    });
    expect(await refusal(readerModule(PlainReader), failing)).toBe(
      '@test/failing: constructing Failing failed: no disk',
    );

    const PART = createToken<object>('classes.part/v1');
    const circular = defineModule({
      name: '@test/circular',
      provides: [STORE],
      requires: [],
      register: (container) => {
        container.register(STORE, { useFactory: (resolver) => resolver.resolve(PART) as Store });
        container.register(PART, { useFactory: (resolver) => resolver.resolve(STORE) });
      },
    });
    expect(await refusal(circular)).toContain('classes.store/v1 -> classes.part/v1 -> classes.store/v1');

    const waiting = defineModule({
      name: '@test/waiting',
      provides: [STORE],
      requires: [],
      register: (container) => container.register(STORE, { useFactory: () => Promise.resolve() as never }),
    });
    expect(await refusal(waiting)).toContain('returned a promise');
  });
});

describe('classes decorated with another copy of tsyringe', () => {
  let Foreign: new (...args: never[]) => Reader;
  let sameCopy = true;
  beforeAll(() => {
    jest.isolateModules(() => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- a second copy, as a module outside would bring
      const other = require('tsyringe') as typeof import('tsyringe');
      sameCopy = other.inject === inject;
      class ForeignReader implements Reader {
        constructor(
          readonly store: Store,
          readonly clock: Clock,
        ) {}
        start = (): Promise<void> => Promise.resolve();
        stop = (): Promise<void> => Promise.resolve();
      }
      other.inject(STORE)(ForeignReader, undefined, 0);
      other.inject(CLOCK)(ForeignReader, undefined, 1);
      other.injectable()(ForeignReader);
      Foreign = ForeignReader;
    });
  });

  it('are built like our own', async () => {
    expect(sameCopy).toBe(false);
    const assembly = await assemble({ modules: [readerModule(Foreign), storeModule], ...surroundings() });
    expect(assembly.get(READER)).toBeInstanceOf(Foreign);
    expect(assembly.get(READER).store).toBe(assembly.get(STORE));
  });

  it('are checked like our own', async () => {
    const { faults } = await check(readerModule(Foreign, [STORE]), storeModule);
    expect(faults).toMatchObject([{ kind: 'undeclared-requirement', token: 'kubelet.clock/v1' }]);
  });
});

async function refusal(...modules: AnyModule[]): Promise<string> {
  return assemble({ modules, ...surroundings() }).then(
    () => 'was built',
    (error: unknown) => messageOf(error),
  );
}
