import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { booleanField, integerField } from './config-fields.js';
import { defineConfig } from './config-schema.js';
import { configure } from './configure.js';
import { factoryOf } from './factory-of.js';
import { CLOCK, LOGGER } from './foundation-tokens.js';
import { contribution, defineModule, neededTokens, providedTokens } from './module.js';
import { needs, optional, pick, type Needs } from './needs.js';
import { createManyToken, createToken } from './token.js';

interface Store {
  read(): string;
  write(text: string): void;
}
interface Reader {
  next(): string;
}
const STORE = createToken<Store>('needs.store/v1');
const READER = createToken<Reader>('needs.reader/v1');
const ROUTES = createManyToken<{ readonly path: string }>('needs.routes/v1');

const readerNeeds = needs({ store: pick(STORE, 'read'), clock: optional(CLOCK), routes: ROUTES });
interface ReaderConfig {
  readonly places: number;
  readonly eager: boolean;
}
class StoreReader implements Reader {
  constructor(
    readonly deps: Needs<typeof readerNeeds>,
    readonly config: ReaderConfig,
  ) {}
  next(): string {
    return this.deps.store.read();
  }
}
const readerModule = defineModule({
  name: '@test/reader',
  provides: [READER],
  needs: readerNeeds,
  config: defineConfig<ReaderConfig>({ places: integerField(4, { min: 1 }), eager: booleanField(false) }),
  create: (deps, config) => new StoreReader(deps, config),
});

// What follows is checked by the compiler: each line that must not compile says so.
describe('needs', () => {
  it('give the class the roles behind its tokens, and the assembly what it requires', () => {
    expect(neededTokens(readerModule)).toEqual({ requires: [STORE, ROUTES], optional: [CLOCK] });
    const store = { read: () => 'text' };
    const reader = factoryOf(readerModule)({ store, routes: [{ path: '/' }] }, { places: 2 });
    expect(reader.next()).toBe('text');
    expect(reader.config).toEqual({ places: 2, eager: false });
  });

  it('are refused by the compiler where a role is missing, another one, or not among those picked', () => {
    const create = factoryOf(readerModule);
    const clock = {} as Clock;
    const store = { read: () => '' };
    // @ts-expect-error -- store is required
    void (() => create({ routes: [] }));
    // @ts-expect-error -- a logger is no clock
    void (() => create({ store, routes: [], clock: {} as Logger }));
    void (() => create({ store, routes: [], clock }));
    // @ts-expect-error -- write is not among the members that were picked
    void ((deps: Needs<typeof readerNeeds>) => deps.store.write(''));
    // @ts-expect-error -- an optional need may be absent
    void ((deps: Needs<typeof readerNeeds>) => deps.clock.now());
    // @ts-expect-error -- a store has no such member
    void pick(STORE, 'delete');
  });

  it('a token of another type is refused by the compiler', () => {
    class NeedsClock {
      constructor(readonly deps: { readonly clock: Clock }) {}
    }
    const wrong = needs({ clock: LOGGER });
    void (() =>
      defineModule({
        name: '@test/wrong',
        provides: [],
        needs: wrong,
        // @ts-expect-error -- the token behind clock is that of the logger
        create: (deps) => new NeedsClock(deps),
      }));
    expect(neededTokens({ name: 'x', provides: [], needs: wrong, create: () => ({}) }).requires).toEqual([LOGGER]);
  });
});

describe('a module', () => {
  it('has to create what it provides: one instance for all roles of a list, one each for a record', () => {
    const both = { read: () => '', write: () => undefined, next: () => '' };
    defineModule({ name: 'list', provides: [STORE, READER], create: () => both });
    const parts = defineModule({
      name: 'record',
      provides: { store: STORE, reader: READER },
      create: () => ({ store: both, reader: both }),
    });
    expect(providedTokens(parts)).toEqual([STORE, READER]);
    // @ts-expect-error -- a reader is no store
    defineModule({ name: 'wrong', provides: [STORE, READER], create: () => ({ next: () => '' }) });
    // @ts-expect-error -- there is no store
    defineModule({ name: 'wrong', provides: { store: STORE, reader: READER }, create: () => ({ reader: both }) });
  });

  it('contributes what the role takes, made of what it creates', () => {
    const routesOf = (reader: StoreReader): { path: string }[] => [{ path: reader.next() }];
    const module = defineModule({ ...readerModule, contributes: [contribution(ROUTES, routesOf)] });
    expect(module.contributes?.[0]?.token).toBe(ROUTES);
    // @ts-expect-error -- a number is no route
    contribution(ROUTES, () => [1]);
    // @ts-expect-error -- the token takes one
    contribution(STORE, () => []);
    // @ts-expect-error -- the module creates no clock
    defineModule({ ...readerModule, contributes: [contribution(ROUTES, (_: Clock) => [])] });
  });

  it('is configured with its own options only', () => {
    expect(configure(readerModule, { places: 7 })).toEqual(['@test/reader', { places: 7 }]);
    // @ts-expect-error -- misspelt
    configure(readerModule, { place: 7 });
    // @ts-expect-error -- a text is no number
    configure(readerModule, { places: '7' });
  });

  it('that needs nothing takes its options second, as any other', () => {
    const config = defineConfig<{ readonly places: number }>({ places: integerField(4) });
    const create = factoryOf(defineModule({ name: 'x', provides: [], config, create: (_deps, { places }) => places }));
    expect([create(), create({}, { places: 2 }), create(undefined, { places: 3 })]).toEqual([4, 2, 3]);
    // @ts-expect-error -- these are its options
    void (() => create({ places: 2 }));
  });

  it('checks the options of its plain factory', () => {
    const create = factoryOf(readerModule);
    expect(() => create({ store: { read: () => '' }, routes: [] }, { places: 0 })).toThrow(
      'reader options: places must be a whole number >= 1',
    );
  });
});
