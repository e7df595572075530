import { isNotFound } from '../client/api-error.js';
import type { ApiObject } from '../client/resources.js';
import { watchObjects } from '../client/watch.js';
import { CommandError, throwCollected, usageError } from '../command-error.js';
import { columnsOf } from '../output/columns/object-columns.js';
import { outputOf, type ObjectPrinter } from '../output/object-printer.js';
import { Table, type TableOptions } from '../output/table.js';
import { checkFilter, findObjects, selectionOf, targetsOf, type Filter, type Found } from '../selection.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { allNamespacesFlag, fieldSelectorFlag, selectorFlag } from './shared-flags.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/get/get.go. */
export const getCommand = defineCommand({
  usage: 'get [TYPE] [NAME..]',
  summary: 'Display one or many objects',
  examples: [
    ['get pods', 'List all pods of the namespace default'],
    ['get pods -A -o wide', 'List the pods of all namespaces with their addresses'],
    ['get pod web -o yaml', 'Print one pod as YAML'],
    ['get configmaps,secrets', 'List config maps and secrets'],
    ['get all', 'List pods, config maps and secrets'],
    ['get pods -l app=web --watch', 'List pods by label, then print each change'],
    ["get pod web -o jsonpath='{.status.podIP}'", 'Print one field'],
  ],
  valueLetters: 'olL',
  flags: (yargs) =>
    yargs
      .option('output', { alias: 'o', type: 'string', describe: 'json, yaml, name, wide or jsonpath=TEMPLATE' })
      .option('selector', selectorFlag)
      .option('field-selector', fieldSelectorFlag)
      .option('all-namespaces', allNamespacesFlag)
      .option('watch', { alias: 'w', type: 'boolean', default: false, describe: 'List, then print each change' })
      .option('watch-only', { type: 'boolean', default: false, describe: 'Print each change, without a list first' })
      .option('show-labels', { type: 'boolean', default: false, describe: 'Show all labels in the last column' })
      .option('label-columns', { alias: 'L', type: 'string', array: true, describe: 'Labels to show as columns' })
      .option('no-headers', { type: 'boolean', default: false, describe: 'Leave the header line out' })
      .option('ignore-not-found', { type: 'boolean', default: false, describe: 'A missing object is no error' }),
  async run(args, context) {
    const words = extraWords(args);
    if (words.length === 0) throw usageError('get', 'Required resource not specified.');
    const targets = targetsOf(words);
    const filter: Filter = {
      namespace: args['all-namespaces'] ? undefined : context.namespace,
      labelSelector: args.selector,
      fieldSelector: args['field-selector'],
    };
    checkFilter(targets, filter);
    const { printer, wide } = outputOf(args.output, ['json', 'jsonpath', 'name', 'wide', 'yaml']);
    if (printer !== undefined && args['show-labels']) {
      throw new CommandError(`--show-labels option cannot be used with ${args.output ?? ''} printer`);
    }
    const { groups, errors } = await findObjects(context.client, targets, filter);
    const faults = errors.filter((error) => !(args['ignore-not-found'] && isNotFound(error)));
    const tables: TableOptions = {
      headers: !args['no-headers'],
      wide,
      withNamespace: args['all-namespaces'],
      showLabels: args['show-labels'],
      labelColumns: (args['label-columns'] ?? []).flatMap((labels) => labels.split(',')),
    };
    const isSingle = targets.length === 1 && targets[0]?.name !== undefined;
    if (args.watch || args['watch-only']) {
      throwCollected(faults);
      await watch(context, groups, { filter, printer, tables, name: targets[0]?.name, list: !args['watch-only'] });
    } else if (printer !== undefined) {
      if (isSingle) throwCollected(faults);
      const objects = groups.flatMap((group) => group.objects);
      if (objects.length > 0 || !(isSingle && args['ignore-not-found'])) {
        await context.io.out(printer(isSingle && objects[0] !== undefined ? objects[0] : listOf(objects)));
      }
      throwCollected(faults);
    } else {
      const isQuiet = faults.length > 0 || args['ignore-not-found'];
      await printTables(context, groups, tables, isQuiet ? undefined : nothingFound(filter.namespace));
      throwCollected(faults);
    }
  },
});

export function nothingFound(namespace: string | undefined): string {
  return namespace === undefined ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`;
}

function listOf(items: readonly ApiObject[]): ApiObject {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } } as unknown as ApiObject;
}

async function printTables(
  { io }: CommandContext,
  groups: readonly Found[],
  options: TableOptions,
  nothing: string | undefined,
): Promise<void> {
  const shown = groups.filter(({ objects }) => objects.length > 0);
  if (shown.length === 0 && nothing !== undefined) return io.err(nothing);
  let withNamespace = false;
  for (const [index, { resource, objects }] of shown.entries()) {
    const kindPrefix = shown.length > 1 ? resource.kind.toLowerCase() : undefined;
    // Upstream keeps the column for all later groups.
    withNamespace ||= options.withNamespace && resource.namespaced;
    const table = new Table(columnsOf(resource), {
      ...options,
      withNamespace,
      ...(kindPrefix !== undefined && { kindPrefix }),
    });
    if (index > 0 && options.headers) await io.out('\n');
    await io.out(table.rows(objects, io.clock.now()));
  }
}

interface WatchOptions {
  readonly filter: Filter;
  readonly printer: ObjectPrinter | undefined;
  readonly tables: TableOptions;
  readonly name: string | undefined;
  readonly list: boolean;
}

async function watch({ io, client }: CommandContext, groups: readonly Found[], options: WatchOptions): Promise<void> {
  const [group] = groups;
  if (group === undefined || groups.length > 1) {
    throw new CommandError('you may only specify a single resource type');
  }
  const { resource, objects } = group;
  const { filter, printer, tables, name, list } = options;
  const table = new Table(columnsOf(resource), {
    ...tables,
    withNamespace: tables.withNamespace && resource.namespaced,
  });
  const print = async (object: ApiObject): Promise<void> =>
    io.out(printer === undefined ? table.rows([object], io.clock.now()) : printer(object));
  if (list && printer === undefined) await io.out(table.rows(objects, io.clock.now()));
  else if (list) for (const object of objects) await print(object);
  const fieldSelector = name === undefined ? filter.fieldSelector : `metadata.name=${name}`;
  const selection = selectionOf({ ...filter, fieldSelector });
  const from = group.resourceVersion ?? objects[0]?.metadata.resourceVersion;
  for await (const { object } of watchObjects(client, resource, selection, from, io.signal)) {
    if (name !== undefined && object.metadata.name !== name) continue;
    await print({ ...object, apiVersion: 'v1', kind: resource.kind });
  }
}
