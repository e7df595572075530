// Stryker's runner of mocha, which believes a failed case only if the case passes without the mutant. Mocha runs the same
// loaded cases for all mutants, so a mutant may leave something behind that makes a case fail from then on, and on a busy
// machine a case may take too long. Then the run is rejected: Stryker repeats it in a new process, twice at most.
// It lies beside the installed programs when it runs, and finds them there.
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { createMochaTestRunner } from '@stryker-mutator/mocha-runner';

const passed = 0; // TestStatus.Success

class CheckedMochaRunner {
  isUsed = false;
  isSpoilt = false;

  constructor(inner) {
    this.inner = inner;
  }

  capabilities() {
    return this.inner.capabilities();
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
    // Such a mutant changes what runs while files are loaded, so it always has a process of its own.
    if (options.mutantActivation === 'static') return this.inner.mutantRun(options);
    if (this.isSpoilt) throw new Error('the mutant before has left something behind');
    const isFirst = !this.isUsed;
    this.isUsed = true;
    if (isFirst && !(await this.passesWithout(options.testFilter))) throw new Error('cases fail without the mutant');
    const result = await this.inner.mutantRun(options);
    if (result.status !== 'killed' || (await this.passesWithout(result.killedBy))) return result;
    // In a new process this mutant alone can have broken the case, which is reason enough.
    if (!isFirst) throw new Error('the case fails without the mutant, too');
    this.isSpoilt = true;
    return result;
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
