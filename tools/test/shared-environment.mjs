// The globals of specs: those of the process itself. A context of node:vm for each file, as jest makes, would cost more
// than most specs: each use of a global goes through a proxy there, and all modules are loaded again.
import { ModuleMocker } from 'jest-mock';

const circusSymbols = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

export class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  // No spec uses fake timers; there is the VirtualClock.
  fakeTimers = null;
  fakeTimersModern = null;
  #exportConditions;
  #console = globalThis.console;
  #exit = process.exit;
  #exitCode = process.exitCode;
  #title = process.title;
  #env = { ...process.env };

  constructor({ projectConfig }) {
    this.#exportConditions = projectConfig.testEnvironmentOptions.customExportConditions;
    // What the file before has left here.
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (circusSymbols.has(symbol.description)) delete globalThis[symbol];
  }

  async setup() {}

  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    process.exitCode = this.#exitCode;
    process.title = this.#title;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }

  exportConditions() {
    return this.#exportConditions;
  }

  /** Nothing but a sign that the environment is there; the runtime compiles for the process's own context. */
  getVmContext() {
    return globalThis;
  }
}
