import * as jest from '@jest/globals';

export { expect } from '@jest/globals';

/** The functions that a contract suite calls to define its cases. */
export type TestFunctions = Pick<
  typeof jest,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'it'
>;

// A registered symbol, so that a suite and a proof share the functions even when they load two copies of this package.
const key = Symbol.for('podwright.contract/test-functions/v1');
const holder = globalThis as { [key]?: TestFunctions };

/** Calls `define`, which registers cases, and replaces jest's functions by `functions` meanwhile. */
export function defineWith(functions: TestFunctions, define: () => void): void {
  const before = holder[key];
  holder[key] = functions;
  try {
    define();
  } finally {
    if (before === undefined) delete holder[key];
    else holder[key] = before;
  }
}

function standIn<Name extends keyof TestFunctions>(name: Name): TestFunctions[Name] {
  const current = (): TestFunctions[Name] => (holder[key] ?? jest)[name];
  // Its target is not jest's: this module may stay while jest goes on to the next file, which has others.
  return new Proxy((() => undefined) as unknown as TestFunctions[Name], {
    apply: (_target, self, args) => Reflect.apply(current() as (...args: unknown[]) => unknown, self, args),
    get: (_target, property) => Reflect.get(current(), property) as unknown,
  });
}

/** jest's own function, except while a proof collects the cases; so are the others below. */
export const describe: TestFunctions['describe'] = standIn('describe');
export const it: TestFunctions['it'] = standIn('it');
export const beforeAll: TestFunctions['beforeAll'] = standIn('beforeAll');
export const beforeEach: TestFunctions['beforeEach'] = standIn('beforeEach');
export const afterEach: TestFunctions['afterEach'] = standIn('afterEach');
export const afterAll: TestFunctions['afterAll'] = standIn('afterAll');
