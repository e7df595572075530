// Stryker's runner of mocha, which believes a failed case only if the case passes without the mutant. Mocha runs the same
// loaded cases for all mutants, so a mutant may leave something behind that makes a case fail from then on, and on a busy
// machine a case may take too long. Then the run is rejected: Stryker repeats it in a new process, twice at most.
// It also loads the bundle anew for a mutant that matters while files are loaded, where Stryker's would need a process.
// It lies beside the installed programs when it runs, and finds them there.
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { createMochaTestRunner } from '@stryker-mutator/mocha-runner';

const passed = 0; // TestStatus.Success
// What was loaded stays in memory, some megabytes each time.
const mostLoads = 60;

class CheckedMochaRunner {
  isUsed = false;
  isSpoilt = false;
  loads = 0;

  constructor(inner) {
    this.inner = inner;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }
  init() {
    return this.inner.init();
  }
  dispose() {
    return this.inner.dispose();
  }
  dryRun(options) {
    return this.inner.dryRun(options);
  }

  async mutantRun(options) {
    if (this.isSpoilt) throw new Error('the mutant before has left something behind');
    if (this.loads > mostLoads) throw new Error('enough has been loaded in this process');
    const isFirst = !this.isUsed;
    this.isUsed = true;
    const isStatic = options.mutantActivation === 'static';
    if (options.reloadEnvironment && !isStatic) await this.load();
    if (isFirst && !isStatic && !(await this.passesWithout(options.testFilter)))
      throw new Error('cases fail without the mutant');
    const result = isStatic ? await this.loadedRun(options) : await this.inner.mutantRun(options);
    if (result.status !== 'killed') return result;
    if (isStatic) await this.load();
    if (result.killedBy.length === 0 || (await this.passesWithout(result.killedBy))) return result;
    // In a new process this mutant alone can have broken the case, which is reason enough.
    if (!isFirst) throw new Error('the case fails without the mutant, too');
    this.isSpoilt = true;
    return result;
  }

  /** Runs a mutant that is there while the bundle is loaded. One that keeps it from loading is noticed. */
  async loadedRun(options) {
    try {
      await this.load(options.activeMutant.id, options.hitLimit);
    } catch (error) {
      return { status: 'killed', killedBy: [], nrOfTests: 0, failureMessage: String(error) };
    }
    return this.inner.mutantRun(options);
  }

  async load(activeMutant, hitLimit) {
    const { inner } = this;
    await inner.dispose();
    await inner.init();
    Object.assign(inner.instrumenterContext, { activeMutant, hitLimit, hitCount: hitLimit ? 0 : undefined });
    this.loads += 1;
    await inner.mocha.loadFilesAsync({ esmDecorator: (file) => `${file}?${this.loads}` });
    inner.loadedEnv = true;
  }

  async passesWithout(testFilter) {
    const { inner } = this;
    inner.instrumenterContext.hitLimit = undefined;
    inner.instrumenterContext.hitCount = undefined;
    const titles = testFilter?.map((title) => `(^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$)`);
    inner.mocha.grep(new RegExp(titles?.join('|') ?? ''));
    const { status, tests = [] } = await inner.run(false, undefined, 'runtime');
    return status === 'complete' && tests.every((test) => test.status === passed);
  }
}

function createCheckedMochaRunner(injector) {
  return new CheckedMochaRunner(injector.injectFunction(createMochaTestRunner));
}
createCheckedMochaRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'checked-mocha', createCheckedMochaRunner)];
