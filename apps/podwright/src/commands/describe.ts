import type { ConfigMap, CoreEvent, Node, Pod, Secret } from '@podwright/kube-types';
import { isTerminalPhase } from '@podwright/kube-types';
import { isNotFound } from '../client/api-error.js';
import type { ApiObject, Resource } from '../client/resources.js';
import { events, pods } from '../client/resources.js';
import { listObjects } from '../client/watch.js';
import { CommandError, throwCollected } from '../command-error.js';
import { describeConfigMap, describeSecret } from '../describe/describe-data.js';
import { describeNode } from '../describe/describe-node.js';
import { describePod } from '../describe/describe-pod.js';
import { checkFilter, findObjects, targetsOf, type Filter } from '../selection.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { nothingFound } from './get.js';
import { allNamespacesFlag, selectorFlag } from './shared-flags.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/describe/describe.go. */
export const describeCommand = defineCommand({
  usage: 'describe [TYPE] [NAME..]',
  summary: 'Show details of one or many objects',
  examples: [
    ['describe pod web', 'Show a pod with its containers, volumes and events'],
    ['describe pods', 'Show all pods of the namespace default'],
    ['describe pods web-', 'Show the pods whose names start with web-'],
    ['describe configmap/settings', 'Show a config map'],
    ['describe node', 'Show this machine, and what its pods request'],
  ],
  valueLetters: 'l',
  flags: (yargs) =>
    yargs
      .option('selector', selectorFlag)
      .option('all-namespaces', allNamespacesFlag)
      .option('show-events', { type: 'boolean', describe: 'Show events; default: for a single object' }),
  async run(args, context) {
    const words = extraWords(args);
    if (words.length === 0) throw new CommandError('You must specify the type of resource to describe.');
    const targets = targetsOf(words);
    const filter: Filter = {
      namespace: args['all-namespaces'] ? undefined : context.namespace,
      labelSelector: args.selector,
    };
    checkFilter(targets, filter);
    const { groups, errors } = await findObjects(context.client, targets, filter);
    const found = groups.flatMap(({ resource, objects }) => objects.map((object) => ({ resource, object })));
    const [target] = targets;
    if (errors.length === 1 && isNotFound(errors[0]) && targets.length === 1 && target?.name !== undefined) {
      return describePrefixed(context, target.resource, target.name, errors[0], args['show-events'] ?? false);
    }
    const showEvents = args['show-events'] ?? (errors.length === 0 && found.length === 1);
    for (const [index, { resource, object }] of found.entries()) {
      await context.io.out(`${index > 0 ? '\n\n' : ''}${await describe(context, resource, object, showEvents)}`);
    }
    throwCollected(errors);
    if (found.length === 0) await context.io.err(nothingFound(filter.namespace));
  },
});

async function describePrefixed(
  context: CommandContext,
  resource: Resource,
  prefix: string,
  notFound: unknown,
  showEvents: boolean,
): Promise<void> {
  const { items } = await listObjects(context.client, resource, { namespace: context.namespace });
  const matching = items.filter(({ metadata }) => (metadata.name ?? '').startsWith(prefix));
  if (matching.length === 0) throw notFound;
  for (const object of matching) await context.io.out(`${await describe(context, resource, object, showEvents)}\n`);
}

async function describe(
  context: CommandContext,
  resource: Resource,
  object: ApiObject,
  showEvents: boolean,
): Promise<string> {
  const nowMs = context.io.clock.now();
  const shown = showEvents ? await eventsOf(context, resource, object) : undefined;
  switch (resource.kind) {
    case 'Pod':
      return describePod(object as unknown as Pod, shown, nowMs);
    case 'ConfigMap':
      return describeConfigMap(object as unknown as ConfigMap, shown, nowMs);
    case 'Secret':
      return describeSecret(object as unknown as Secret, nowMs);
    case 'Node': {
      const { items } = await listObjects(context.client, pods, {});
      const running = (items as unknown as readonly Pod[]).filter(({ status }) => !isTerminalPhase(status?.phase));
      return describeNode(object as unknown as Node, running, shown, nowMs);
    }
    case 'Event':
      throw new CommandError('no description has been implemented for Event; use get events');
  }
}

/** Undefined when the server keeps no events. */
async function eventsOf(
  { client }: CommandContext,
  { kind }: Resource,
  { metadata }: ApiObject,
): Promise<readonly CoreEvent[] | undefined> {
  const { name = '', namespace, uid } = metadata;
  const fields = [
    `involvedObject.name=${name}`,
    ...(namespace === undefined ? [] : [`involvedObject.namespace=${namespace}`]),
    // Events of a node have its name as UID.
    ...(uid === undefined || kind === 'Node' ? [] : [`involvedObject.uid=${uid}`]),
  ];
  try {
    const { items } = await listObjects(client, events, {
      ...(namespace !== undefined && { namespace }),
      fieldSelector: fields.join(','),
    });
    return items as unknown as readonly CoreEvent[];
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
