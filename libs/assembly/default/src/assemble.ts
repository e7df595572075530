import type {
  Assembler,
  Assembly,
  AssemblyFault,
  AssemblyOptions,
  AssemblyReport,
} from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { planAssembly } from './assembly-plan.js';
import { formatFaults } from './format-faults.js';
import type { ImportModule } from './native-import.js';
import { LifecycleOrder } from './lifecycle-order.js';
import { constructModules } from './module-instances.js';

const defaultStopTimeoutMs = 10_000;

export interface AssemblerOptions {
  /** Loads a module of the assembly file by its `file:` URL. Default: `import()`. */
  readonly importModule?: ImportModule;
}

/** The error of an assembly with faults: `failed-precondition`, with all faults in `faults` and in the message. */
export class AssemblyError extends KubeletError {
  constructor(readonly faults: readonly AssemblyFault[]) {
    super(`the assembly has ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}:\n${formatFaults(faults)}`, {
      code: 'failed-precondition',
    });
  }
}

/** Makes an {@link Assembler}; most callers use {@link assemble} and {@link checkAssembly}. */
export function createAssembler({ importModule }: AssemblerOptions = {}): Assembler {
  return {
    check: async (options) => {
      const { report, graph } = await planAssembly(options, importModule);
      return { ...report, graph: graph() };
    },
    assemble: async (options): Promise<Assembly> => {
      const plan = await planAssembly(options, importModule);
      if (!plan.report.ok) throw new AssemblyError(plan.report.faults);
      const { modules, get } = constructModules(plan);
      const { logger, clock, stopTimeoutMs = defaultStopTimeoutMs } = options;
      for (const warning of plan.report.warnings ?? []) logger.warn(warning);
      return assemblyOf(new LifecycleOrder(modules, { logger, clock, stopTimeoutMs }), get, plan.graph);
    },
  };
}

// A function of its own, so that the assembly does not keep the plan.
function assemblyOf(order: LifecycleOrder, get: Assembly['get'], graph: Assembly['graph']): Assembly {
  return { get, graph, start: () => order.start(), stop: () => order.stop(), health: () => order.health() };
}

/** Applies the assembly file, checks the modules, and constructs everything. See {@link Assembler.assemble}. */
export function assemble(options: AssemblyOptions): Promise<Assembly> {
  return createAssembler().assemble(options);
}

/** Finds all faults without constructing anything. See {@link Assembler.check}. */
export function checkAssembly(options: AssemblyOptions): Promise<AssemblyReport> {
  return createAssembler().check(options);
}
