import { ApiError, isNotFound } from '../client/api-error.js';
import type { ApiObject, Resource } from '../client/resources.js';
import { resourcePath } from '../client/resources.js';
import { untilObject } from '../client/until-object.js';
import { CommandError, throwCollected } from '../command-error.js';
import { outputOf, type ObjectPrinter } from '../output/object-printer.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { selectedObjects, type NamedObject } from './object-selection.js';
import {
  durationOf,
  fieldSelectorFlag,
  filenameFlag,
  recursiveFlag,
  selectorFlag,
  allNamespacesFlag,
} from './shared-flags.js';
import { conditionsOf, type WaitCondition } from './wait-condition.js';
import { withTimeout, type WaitLimits } from './waiting.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/wait/wait.go. */
export const waitCommand = defineCommand({
  usage: 'wait [TYPE] [NAME..]',
  summary: 'Wait for a condition of one or many objects',
  examples: [
    ['wait --for=condition=Ready pod/web', 'Wait until a pod is ready'],
    ['wait --for=delete pod/web --timeout=60s', 'Wait until a pod is gone'],
    ["wait --for=jsonpath='{.status.phase}'=Succeeded pod/job-pod", 'Wait for the value of a field'],
    ['wait --for=create pod/web', 'Wait until somebody creates a pod'],
    ['wait --for=condition=Ready pods -l app=web', 'Wait for pods by label'],
  ],
  valueLetters: 'flo',
  flags: (yargs) =>
    yargs
      .option('for', {
        type: 'string',
        array: true,
        default: [] as string[],
        describe: 'create, delete, condition=NAME[=VALUE] or jsonpath=EXPRESSION[=VALUE]',
      })
      .option('timeout', {
        type: 'string',
        default: '30s',
        describe: 'Longest wait; 0 = check once, negative = a week',
      })
      .option('filename', filenameFlag)
      .option('recursive', recursiveFlag)
      .option('selector', selectorFlag)
      .option('field-selector', fieldSelectorFlag)
      .option('all', { type: 'boolean', default: false, describe: 'All objects of the type' })
      .option('all-namespaces', allNamespacesFlag)
      .option('output', {
        alias: 'o',
        type: 'string',
        describe: 'Print the object: json, yaml, name or jsonpath=TEMPLATE',
      }),
  async run(args, context) {
    const conditions = conditionsOf(args.for);
    const { printer } = outputOf(args.output, ['json', 'jsonpath', 'name', 'yaml']);
    const timeoutMs = durationOf('timeout', args.timeout);
    await withTimeout(context, timeoutMs <= 0 ? undefined : timeoutMs, async (limits) => {
      const objects = await selectedObjects(extraWords(args), args, context);
      const isForDelete = conditions.some(({ kind }) => kind === 'delete');
      if (objects.length === 0 && !isForDelete) throw new CommandError('no matching resources found');
      const errors: unknown[] = [];
      for (const object of objects) {
        try {
          await waitForAll(context, object, conditions, { once: timeoutMs === 0, limits, printer });
        } catch (error) {
          errors.push(error);
        }
      }
      throwCollected(errors);
    });
  },
});

interface WaitOptions {
  /** Check once, do not wait. */
  readonly once: boolean;
  readonly limits: WaitLimits;
  readonly printer: ObjectPrinter | undefined;
}

async function waitForAll(
  context: CommandContext,
  object: NamedObject,
  conditions: readonly WaitCondition[],
  { once, limits, printer }: WaitOptions,
): Promise<void> {
  for (const condition of conditions) {
    const met = await waitFor(context, object, condition, once, limits);
    // What was not there in the first place says nothing.
    if (met === undefined) continue;
    const name = `${object.resource.kind.toLowerCase()}/${object.name}`;
    await context.io.out(printer === undefined ? `${name} condition met\n` : printer(met));
  }
}

async function waitFor(
  { client, io }: CommandContext,
  reference: NamedObject,
  condition: WaitCondition,
  once: boolean,
  limits: WaitLimits,
): Promise<ApiObject | undefined> {
  const { resource, namespace, name } = reference;
  let last: ApiObject | undefined;
  const isMet = (object: ApiObject | undefined): boolean => {
    if (object === undefined && condition.kind === 'state') throw notFound(resource, name);
    last = object ?? last;
    return condition.isMet(object);
  };
  try {
    if (!once) await untilObject(client, reference, isMet, { clock: io.clock, signal: limits.signal });
    else {
      const present = await client.get<ApiObject>(resourcePath(resource, namespace, name)).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (!isMet(present)) throw new CommandError(`condition not met for ${resource.plural}/${name}`);
    }
  } catch (error) {
    throw limits.failure(error, condition.kind === 'create' ? undefined : `${resource.plural}/${name}`);
  }
  return last === undefined ? undefined : { ...last, apiVersion: 'v1', kind: resource.kind };
}

function notFound({ plural, kind }: Resource, name: string): ApiError {
  const message = `${plural} ${JSON.stringify(name)} not found`;
  return new ApiError({ status: 'Failure', code: 404, reason: 'NotFound', message, details: { kind, name } });
}
