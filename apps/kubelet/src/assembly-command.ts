import { checkAssembly, formatFaults, toMermaid } from '@podwright/assembly';
import type { AssemblyReport } from '@podwright/assembly-interface';
import { createFoundationValues } from './foundation-values.js';
import { readKubeletSetup } from './kubelet-setup.js';

const usage = `usage: kubelet assembly check|print|graph [--assembly FILE] [kubelet flags]
  check   says whether the kubelet could be put together, with all faults; exit code 1 when not
  print   lists the modules in the order of start, with their options
  graph   prints the wiring as a Mermaid flowchart`;

/** `kubelet assembly ...`: shows the outcome of an assembly without starting a node. Resolves with the exit code. */
export async function runAssemblyCommand([verb, ...argv]: readonly string[]): Promise<number> {
  if (verb !== 'check' && verb !== 'print' && verb !== 'graph') {
    process.stderr.write(`${usage}\n`);
    return verb === undefined || verb === '--help' || verb === '-h' ? 0 : 2;
  }
  const setup = await readKubeletSetup(argv, { anyMachine: true });
  if ('answer' in setup) {
    process.stdout.write(setup.answer);
    return 0;
  }
  const report = await checkAssembly({ ...setup.assembly, ...createFoundationValues(setup.logging) });
  for (const warning of report.warnings ?? []) process.stderr.write(`warning: ${warning}\n`);
  if (!report.ok) {
    process.stderr.write(
      `the assembly has ${report.faults.length} ${report.faults.length === 1 ? 'fault' : 'faults'}:\n${formatFaults(report.faults)}\n`,
    );
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

function print({ graph, config }: AssemblyReport): string {
  return graph.modules
    .map(({ name, provides, requires, replaces, loadedFrom }) => {
      const origin = [replaces && `replaces ${replaces}`, loadedFrom && `from ${loadedFrom}`]
        .filter(Boolean)
        .join(', ');
      return [
        `${name}${origin === '' ? '' : ` (${origin})`}`,
        `  provides: ${provides.join(', ') || 'nothing'}`,
        `  requires: ${requires.join(', ') || 'nothing'}`,
        ...(config[name] === undefined ? [] : [`  options: ${JSON.stringify(config[name])}`]),
        '',
      ].join('\n');
    })
    .join('\n');
}
