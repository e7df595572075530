import { isNotFound } from '../client/api-error.js';
import type { ApiObject } from '../client/resources.js';
import { resourcePath } from '../client/resources.js';
import { CommandError, throwCollected } from '../command-error.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { isByRule, selectedObjects, type NamedObject } from './object-selection.js';
import {
  allNamespacesFlag,
  dryRunFlag,
  dryRunSuffix,
  durationOf,
  fieldSelectorFlag,
  filenameFlag,
  integerOf,
  recursiveFlag,
  selectorFlag,
} from './shared-flags.js';
import { waitForDeletion, withTimeout } from './waiting.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/delete/delete.go. */
export const deleteCommand = defineCommand({
  usage: 'delete [TYPE] [NAME..]',
  summary: 'Delete objects by file, by name or by label',
  examples: [
    ['delete pod web', 'End a pod gracefully, wait until it is gone'],
    ['delete -f web.yaml', 'Delete what a file names'],
    ['delete pods --all', 'Delete all pods of the namespace default'],
    ['delete pods,configmaps -l app=web', 'Delete by label'],
    ['delete pod web --now', 'Give the pod one second'],
    ['delete pod web --wait=false', 'Do not wait until the pod is gone'],
  ],
  valueLetters: 'flo',
  flags: (yargs) =>
    yargs
      .option('filename', filenameFlag)
      .option('recursive', recursiveFlag)
      .option('selector', selectorFlag)
      .option('field-selector', fieldSelectorFlag)
      .option('all', { type: 'boolean', default: false, describe: 'All objects of the type in the namespace' })
      .option('all-namespaces', allNamespacesFlag)
      .option('grace-period', {
        type: 'string',
        default: '-1',
        describe: "Seconds to end gracefully; -1 = the pod's own",
      })
      .option('force', {
        type: 'boolean',
        default: false,
        describe: 'Remove the object at once, without a graceful end',
      })
      .option('now', { type: 'boolean', default: false, describe: 'The same as --grace-period=1' })
      .option('wait', { type: 'boolean', default: true, describe: 'Wait until the objects are gone' })
      .option('timeout', { type: 'string', default: '0s', describe: 'Longest wait; 0s = a week' })
      .option('ignore-not-found', {
        type: 'boolean',
        describe: 'A missing object is no error; default with --all and -l',
      })
      .option('output', { alias: 'o', type: 'string', choices: ['name'], describe: 'Print only TYPE/NAME' })
      .option('dry-run', dryRunFlag),
  async run(args, context) {
    const gracePeriod = gracePeriodOf(args);
    if (gracePeriod === 0) {
      await context.io.err(
        'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on this machine indefinitely.\n',
      );
    }
    const dryRun = args['dry-run'];
    const doomed = await selectedObjects(extraWords(args), args, context);
    const ignoreNotFound = args['ignore-not-found'] ?? isByRule(args);
    const errors: unknown[] = [];
    const deleteAll = async (group: readonly NamedObject[]): Promise<ReadonlyMap<NamedObject, string | undefined>> => {
      const uids = new Map<NamedObject, string | undefined>();
      for (const each of group) {
        try {
          if (dryRun !== 'client') uids.set(each, await deleteOne(context, each, gracePeriod, dryRun));
          const kind = each.resource.kind.toLowerCase();
          const from = each.namespace === undefined ? '' : ` from ${each.namespace} namespace`;
          const verb = gracePeriod === 0 ? 'force deleted' : 'deleted';
          await context.io.out(
            args.output === 'name'
              ? `${kind}/${each.name}\n`
              : `${kind} "${each.name}" ${verb}${from}${dryRunSuffix(dryRun)}\n`,
          );
        } catch (error) {
          if (!(ignoreNotFound && isNotFound(error))) errors.push(error);
        }
      }
      return uids;
    };
    const wait = args.wait && dryRun === 'none';
    await withTimeout(context, (wait && durationOf('timeout', args.timeout)) || undefined, async (limits) => {
      for (const group of podsFirst(doomed)) {
        const uids = await deleteAll(group);
        if (wait) for (const [each, uid] of uids) await waitForDeletion(context, each, uid, limits);
      }
    });
    throwCollected(errors);
    if (doomed.length === 0) await context.io.out('No resources found\n');
  },
});

/** Pods may use their config maps and secrets until they have ended. */
function podsFirst(doomed: readonly NamedObject[]): readonly (readonly NamedObject[])[] {
  const isPod = ({ resource }: NamedObject): boolean => resource.kind === 'Pod';
  return [doomed.filter(isPod), doomed.filter((each) => !isPod(each))];
}

/** Undefined for the pod's own. Without `--force` the shortest is one second, as kubectl has it. */
function gracePeriodOf(args: {
  readonly 'grace-period': string;
  readonly force: boolean;
  readonly now: boolean;
}): number | undefined {
  const given = integerOf('grace-period', args['grace-period']);
  if (args.now && given !== -1) throw new CommandError('--now and --grace-period cannot be specified together');
  if (args.force && (given > 0 || args.now)) {
    throw new CommandError('--force and --grace-period greater than 0 cannot be specified together');
  }
  if (args.force) return 0;
  if (args.now || given === 0) return 1;
  return given < 0 ? undefined : given;
}

async function deleteOne(
  { client }: CommandContext,
  { resource, namespace, name }: NamedObject,
  gracePeriodSeconds: number | undefined,
  dryRun: string,
): Promise<string | undefined> {
  const query = { gracePeriodSeconds, ...(dryRun === 'server' && { dryRun: 'All' }) };
  const { object } = await client.call<ApiObject & { readonly details?: { readonly uid?: string } }>(
    'DELETE',
    resourcePath(resource, namespace, name),
    { query },
  );
  return object.kind === 'Status' ? object.details?.uid : object.metadata.uid;
}
