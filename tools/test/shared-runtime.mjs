// How specs load modules. All but the spec itself and its fixtures stay for the next spec of the process.
import path from 'node:path';
import { compileFunction } from 'node:vm';
import jestRuntime from 'jest-runtime';

const Runtime = jestRuntime.default ?? jestRuntime;
const globalNames = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];

/** Loads what stays; made with the first spec. */
let lasting;
/** The runtime of the spec that runs. */
let current;

class ProcessRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { injectedModuleParameters } = this.executor;
    this.executor.compile = (source, filename) => compileFunction(source, injectedModuleParameters, { filename });
  }

  // It would replace that of the process.
  installGetBuiltinModule() {}
}

class LastingRuntime extends ProcessRuntime {
  // Contract suites stay, and need what the spec has that runs now.
  #globals = Object.defineProperties(
    {},
    Object.fromEntries(globalNames.map((name) => [name, { enumerable: true, get: () => this.#global(name) }])),
  );
  #loading = 0;

  requireModuleOrMock(from, moduleName) {
    if (moduleName === '@jest/globals') return this.#globals;
    this.#loading++;
    try {
      return super.requireModuleOrMock(from, moduleName);
    } finally {
      this.#loading--;
    }
  }

  #global(name) {
    if (this.#loading > 0)
      throw new Error(
        `a module uses ${name} while it is loaded, which happens for the first spec only: put it into a folder "fixtures"`,
      );
    return current.globals[name];
  }
}

export default class SharedRuntime extends ProcessRuntime {
  #globals;

  constructor(...args) {
    super(...args);
    lasting ??= new LastingRuntime(...args);
    current = this;
  }

  get globals() {
    this.#globals ??= super.requireModuleOrMock(this._testPath, '@jest/globals');
    return this.#globals;
  }

  /** Without a name: the part of jest-circus that keeps the cases of one spec. */
  requireInternalModule(from, moduleName) {
    return moduleName === undefined
      ? super.requireInternalModule(from)
      : lasting.requireInternalModule(from, moduleName);
  }

  requireModuleOrMock(from, moduleName) {
    const isFixture = moduleName.startsWith('.') && path.resolve(path.dirname(from), moduleName).includes('/fixtures/');
    return isFixture || moduleName === '@jest/globals'
      ? super.requireModuleOrMock(from, moduleName)
      : lasting.requireModuleOrMock(from, moduleName);
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    const maps = { get: (file) => own.get(file) ?? lasting.getSourceMaps().get(file) };
    return Object.assign(maps, { [Symbol.iterator]: () => own[Symbol.iterator]() });
  }
}
