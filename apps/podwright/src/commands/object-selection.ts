import type { Resource } from '../client/resources.js';
import { listObjects } from '../client/watch.js';
import { CommandError } from '../command-error.js';
import { readDocuments } from '../manifests/read-documents.js';
import { readManifests } from '../manifests/read-manifests.js';
import { readSources } from '../manifests/read-sources.js';
import { selectionOf, targetsOf } from '../selection.js';
import type { CommandContext } from './command.js';

/** An object by its name. */
export interface NamedObject {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
}

/** The flags of commands that act on many objects. */
export interface SelectionFlags {
  readonly filename: readonly string[] | undefined;
  readonly recursive: boolean;
  readonly selector: string | undefined;
  readonly 'field-selector': string | undefined;
  readonly all: boolean;
  readonly 'all-namespaces': boolean;
}

/** True when the user chose by a rule and not by name. */
export function isByRule(flags: SelectionFlags): boolean {
  return flags.all || flags.selector !== undefined || flags['field-selector'] !== undefined;
}

/** The objects that files, names or rules choose. Objects that are named need not exist. */
export async function selectedObjects(
  words: readonly string[],
  flags: SelectionFlags,
  context: CommandContext,
): Promise<readonly NamedObject[]> {
  const { io, namespace, namespaceIsExplicit } = context;
  if (flags.filename !== undefined) {
    if (words.length > 0) {
      throw new CommandError(
        'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
      );
    }
    const sources = await readSources(flags.filename, flags.recursive, io.stdin);
    return readManifests(sources.flatMap(readDocuments), { namespace, isExplicit: namespaceIsExplicit });
  }
  if (words.length === 0) throw new CommandError(nothingNamed);
  if (flags.all && (flags.selector ?? flags['field-selector']) !== undefined) {
    throw new CommandError("setting 'all' parameter but found a non empty selector. ");
  }
  const selected: NamedObject[] = [];
  for (const { resource, name } of targetsOf(words)) {
    if (name === undefined) selected.push(...(await objectsByRule(resource, flags, context)));
    else if (isByRule(flags)) throw new CommandError('name cannot be provided when a selector is specified');
    else selected.push({ resource, name, ...(resource.namespaced && { namespace }) });
  }
  return selected;
}

const nothingNamed = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

async function objectsByRule(
  resource: Resource,
  flags: SelectionFlags,
  { client, namespace }: CommandContext,
): Promise<readonly NamedObject[]> {
  if (!isByRule(flags)) throw new CommandError('resource(s) were provided, but no name was specified');
  const { items } = await listObjects(
    client,
    resource,
    selectionOf({
      namespace: flags['all-namespaces'] ? undefined : namespace,
      labelSelector: flags.selector,
      fieldSelector: flags['field-selector'],
    }),
  );
  return items.map(({ metadata }) => ({
    resource,
    name: metadata.name ?? '',
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  }));
}
