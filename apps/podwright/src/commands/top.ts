import { isNotFound } from '../client/api-error.js';
import type { ApiObject } from '../client/resources.js';
import { nodes, pods } from '../client/resources.js';
import { listObjects } from '../client/watch.js';
import { CommandError, usageError } from '../command-error.js';
import { TabWriter, tableColumns } from '../output/tab-writer.js';
import { selectionOf } from '../selection.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { nothingFound } from './get.js';
import { allNamespacesFlag, fieldSelectorFlag, selectorFlag } from './shared-flags.js';
import { nodeRow, podRows, type StatsSummary, type TopRow } from './top-rows.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/top, kubectl/pkg/metricsutil/metrics_printer.go. */
export const topCommand = defineCommand({
  usage: 'top [TYPE] [NAME]',
  summary: 'Show the CPU and memory that pods or the node use',
  examples: [
    ['top pods', 'Show the usage of the pods of the namespace default'],
    ['top pods -A --sort-by=memory', 'Show the largest pods first'],
    ['top pod web --containers', 'Show the usage of each container'],
    ['top node', 'Show the usage of this machine'],
  ],
  valueLetters: 'l',
  flags: (yargs) =>
    yargs
      .option('selector', selectorFlag)
      .option('field-selector', fieldSelectorFlag)
      .option('all-namespaces', allNamespacesFlag)
      .option('containers', { type: 'boolean', default: false, describe: 'Show each container' })
      .option('sort-by', { type: 'string', choices: ['cpu', 'memory'], describe: 'Sort by usage, largest first' })
      .option('sum', { type: 'boolean', default: false, describe: 'Show the sum in the last line' })
      .option('no-headers', { type: 'boolean', default: false, describe: 'Leave the header line out' }),
  async run(args, context) {
    const [type = '', name, ...rest] = extraWords(args);
    if (rest.length > 0) throw usageError('top', 'top takes a type and at most one name');
    const headers = !args['no-headers'];
    if (nodes.aliases.includes(type)) return topNode(context, name, headers);
    if (!pods.aliases.includes(type)) throw usageError('top', 'You must specify what to show: pods or node');
    if (name !== undefined && (args.selector !== undefined || args['field-selector'] !== undefined)) {
      throw new CommandError('only one of NAME or selector can be provided');
    }
    const namespace = args['all-namespaces'] ? undefined : context.namespace;
    const fieldSelector = name === undefined ? args['field-selector'] : `metadata.name=${name}`;
    const selection = selectionOf({ namespace, labelSelector: args.selector, fieldSelector });
    const { items } = await listObjects(context.client, pods, selection);
    if (items.length === 0 && name !== undefined)
      throw new CommandError(`Error from server (NotFound): pods "${name}" not found`, { bare: true });
    if (items.length === 0) return context.io.err(nothingFound(namespace));
    const summary = await context.client.get<StatsSummary>('/stats/summary');
    const rows = podRows(
      summary,
      new Set(items.map(({ metadata }) => metadata.uid ?? '')),
      args.containers,
      args['sort-by'],
    );
    if (rows.length === 0) throw new CommandError('metrics not available yet');
    const prefix = [...(args['all-namespaces'] ? ['NAMESPACE'] : []), ...(args.containers ? ['POD'] : [])];
    await context.io.out(podTable(rows, prefix, headers, args.sum));
  },
});

function podTable(rows: readonly TopRow[], prefix: readonly string[], headers: boolean, sum: boolean): string {
  const writer = new TabWriter(tableColumns);
  const line = (cells: readonly string[]): void => writer.write(`${cells.map((cell) => `${cell}\t`).join('')}\n`);
  if (headers) line([...prefix, 'NAME', 'CPU(cores)', 'MEMORY(bytes)']);
  for (const row of rows) {
    const leading = prefix.map((column) => (column === 'POD' ? row.pod : row.namespace));
    line([...leading, row.name, `${row.milliCores}m`, `${row.mebibytes}Mi`]);
  }
  if (sum) {
    const total = (of: (row: TopRow) => number): number => rows.reduce((all, row) => all + of(row), 0);
    const blanks = prefix.map(() => '');
    line([...blanks, '', '________', '________']);
    line([...blanks, '', `${total((row) => row.milliCores)}m`, `${total((row) => row.mebibytes)}Mi`]);
  }
  return writer.flush();
}

async function topNode({ client, io }: CommandContext, name: string | undefined, headers: boolean): Promise<void> {
  const summary = await client.get<StatsSummary>('/stats/summary');
  const { nodeName } = summary.node;
  if (name !== undefined && name !== nodeName) {
    throw new CommandError(`Error from server (NotFound): nodes "${name}" not found`, { bare: true });
  }
  const found = await listObjects(client, nodes, {}).catch((error: unknown) => {
    if (isNotFound(error)) return { items: [] as readonly ApiObject[] };
    throw error;
  });
  const row = nodeRow(
    summary,
    found.items.find(({ metadata }) => metadata.name === nodeName),
  );
  if (row === undefined) throw new CommandError('metrics not available yet');
  const writer = new TabWriter(tableColumns);
  const lines = [...(headers ? [['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)']] : []), row];
  for (const cells of lines) writer.write(`${cells.map((cell) => `${cell}\t`).join('')}\n`);
  await io.out(writer.flush());
}
