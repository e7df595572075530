import { checkAssembly, formatFaults, toMermaid } from '@podwright/assembly';
import type { AssemblyReport } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { checkKubeconfig, readKubeconfig } from '@podwright/kubeconfig';
import type { KubeletFlags } from '@podwright/kubelet-configuration';
import { createSystemClock } from '@podwright/time';
import { createFoundationValues } from './foundation-values.js';
import type { KubeletProgram } from './kubelet-program.js';
import { readKubeletSetup } from './kubelet-setup.js';
import { loadConfiguration } from './load-configuration.js';
import { startFaults } from './start-faults.js';

const usage = (
  program: string,
): string => `usage: ${program} assembly check|print|graph [--assembly FILE] [${program} flags]
  check   says whether the kubelet could be put together and configuration and assembly fit, with all faults; exit code 1 when not
  print   lists the modules in the order of start, with their options
  graph   prints the wiring as a Mermaid flowchart`;

/**
 * Runs a program's `assembly ...`: shows the result of an assembly without starting a node. Resolves with the exit code.
 */
export async function runAssemblyCommand([verb, ...argv]: readonly string[], program: KubeletProgram): Promise<number> {
  if (verb !== 'check' && verb !== 'print' && verb !== 'graph') {
    process.stderr.write(`${usage(program.program)}\n`);
    return verb === undefined || verb === '--help' || verb === '-h' ? 0 : 2;
  }
  const setup = await readKubeletSetup(argv, program, { anyMachine: true });
  if ('answer' in setup) {
    process.stdout.write(setup.answer);
    return 0;
  }
  if (verb === 'check') await warnOfThisMachine(argv, program);
  const report = await checkAssembly({ ...setup.assembly, ...createFoundationValues(setup.foundation) });
  for (const warning of report.warnings ?? []) process.stderr.write(`warning: ${warning}\n`);
  if (!report.ok) {
    process.stderr.write(
      `the assembly has ${report.faults.length} ${report.faults.length === 1 ? 'fault' : 'faults'}:\n${formatFaults(report.faults)}\n`,
    );
    return 1;
  }
  const faults = verb === 'check' ? startFaults(report) : [];
  if (faults.length > 0) {
    const list = faults.map((fault, index) => `${index + 1}. ${fault}\n`).join('');
    process.stderr.write(`the kubelet would not start with this configuration:\n${list}`);
    return 1;
  }
  process.stdout.write(
    verb === 'check'
      ? `ok: ${report.graph.modules.length} modules\n`
      : verb === 'graph'
        ? toMermaid(report.graph)
        : print(report),
  );
  return 0;
}

/** Warns about this machine only: the configuration may be for another one. */
async function warnOfThisMachine(argv: readonly string[], program: KubeletProgram): Promise<void> {
  try {
    const loaded = await loadConfiguration(argv, program);
    if ('answer' in loaded) return;
    await readCredentials(loaded.flags);
  } catch (error) {
    process.stderr.write(`warning: on this machine it would not start: ${messageOf(error)}\n`);
  }
}

/** Rejects when the first file that the kubelet would read for its API server is missing or invalid. */
async function readCredentials({
  kubeconfig,
  bootstrapKubeconfig,
}: Pick<KubeletFlags, 'kubeconfig' | 'bootstrapKubeconfig'>): Promise<void> {
  if (kubeconfig === '') return;
  const bootstraps =
    bootstrapKubeconfig !== '' && !(await checkKubeconfig(kubeconfig, createSystemClock().now())).usable;
  await readKubeconfig(bootstraps ? bootstrapKubeconfig : kubeconfig);
}

function print({ graph, config }: AssemblyReport): string {
  return graph.modules
    .map(({ name, provides, requires, optional, contributes, decorates = [], replaces, loadedFrom }) => {
      const origin = [replaces && `replaces ${replaces}`, loadedFrom && `from ${loadedFrom}`]
        .filter(Boolean)
        .join(', ');
      return [
        `${name}${origin === '' ? '' : ` (${origin})`}`,
        `  provides: ${provides.join(', ') || 'nothing'}`,
        `  requires: ${requires.join(', ') || 'nothing'}`,
        ...(optional.length === 0 ? [] : [`  uses, when there: ${optional.join(', ')}`]),
        ...(contributes.length === 0 ? [] : [`  contributes to: ${contributes.join(', ')}`]),
        ...(decorates.length === 0 ? [] : [`  decorates: ${decorates.join(', ')}`]),
        ...(config[name] === undefined ? [] : [`  options: ${JSON.stringify(config[name])}`]),
        '',
      ].join('\n');
    })
    .join('\n');
}
