import { CommandError } from './command-error.js';
import type { ApiClient } from './client/api-client.js';
import type { ApiObject, Resource } from './client/resources.js';
import { resourcePath, resources, storedResources } from './client/resources.js';
import { listObjects, type Selection } from './client/watch.js';

/** What a user names on the command line: whole types, or objects of them by name. */
export interface Target {
  readonly resource: Resource;
  /** Undefined for all objects of the type. */
  readonly name: string | undefined;
}

/**
 * Reads `TYPE`, `TYPE NAME...`, `TYPE1,TYPE2`, `all` and `TYPE/NAME...`. Source: kubernetes v1.36
 * cli-runtime/pkg/resource/builder.go ResourceTypeOrNameArgs.
 */
export function targetsOf(args: readonly string[]): readonly Target[] {
  const slashed = args.filter((arg) => arg.includes('/'));
  if (slashed.length > 0) {
    if (slashed.length < args.length) {
      throw new CommandError(
        "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'podwright get resource/<resource_name>' instead of 'podwright get resource resource/<resource_name>'",
      );
    }
    return args.map(slashedTarget);
  }
  const [types = '', ...names] = args;
  const found = types.split(',').flatMap((type) => (type === 'all' ? storedResources : [resourceNamed(type)]));
  if (names.length === 0) return found.map((resource) => ({ resource, name: undefined }));
  return found.flatMap((resource) => names.map((name) => ({ resource, name })));
}

function slashedTarget(arg: string): Target {
  const [type = '', name = '', ...rest] = arg.split('/');
  if (rest.length > 0) throw new CommandError('arguments in resource/name form may not have more than one slash');
  if (type === '' || name === '') {
    throw new CommandError('arguments in resource/name form must have a single resource and name');
  }
  return { resource: resourceNamed(type), name };
}

export function resourceNamed(type: string): Resource {
  const found = resources.find(({ aliases }) => aliases.includes(type.toLowerCase()));
  if (found === undefined) throw new CommandError(`the server doesn't have a resource type ${JSON.stringify(type)}`);
  return found;
}

/** The name of a pod that is given as `NAME` or `pod/NAME`. */
export function podNamed(argument: string): string {
  if (!argument.includes('/')) return argument;
  const { resource, name } = slashedTarget(argument);
  if (resource.plural !== 'pods') throw new CommandError(`${argument} is not a pod; only pods have containers here`);
  return name ?? '';
}

export interface Filter {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface Found {
  readonly resource: Resource;
  readonly objects: readonly ApiObject[];
  readonly resourceVersion?: string | undefined;
}

/** Gets the targets, one group per type in the order asked for. Errors of single names are collected, not thrown. */
export async function findObjects(
  client: ApiClient,
  targets: readonly Target[],
  filter: Filter,
): Promise<{ readonly groups: readonly Found[]; readonly errors: readonly unknown[] }> {
  const groups: Found[] = [];
  const errors: unknown[] = [];
  for (const resource of new Set(targets.map((target) => target.resource))) {
    const names = targets.filter((target) => target.resource === resource).map(({ name }) => name);
    const objects: ApiObject[] = [];
    let resourceVersion: string | undefined;
    for (const name of names) {
      try {
        if (name === undefined) {
          const list = await listObjects(client, resource, selectionOf(filter));
          // Items of a list need not name their kind.
          objects.push(...list.items.map((item) => ({ ...item, apiVersion: 'v1', kind: resource.kind })));
          resourceVersion = list.metadata?.resourceVersion;
        } else {
          const object = await client.get<ApiObject>(resourcePath(resource, filter.namespace ?? 'default', name));
          objects.push({ ...object, apiVersion: 'v1', kind: resource.kind });
        }
      } catch (error) {
        errors.push(error);
      }
    }
    groups.push({ resource, objects, resourceVersion });
  }
  return { groups, errors };
}

/** Named objects exclude selectors and all namespaces, as kubectl has it. */
export function checkFilter(targets: readonly Target[], filter: Filter): void {
  if (targets.every(({ name }) => name === undefined)) return;
  if (filter.labelSelector !== undefined) {
    throw new CommandError('name cannot be provided when a selector is specified');
  }
  if (filter.namespace === undefined) {
    throw new CommandError('a resource cannot be retrieved by name across all namespaces');
  }
}

/** The filter without what is undefined. */
export function selectionOf(filter: Filter): Selection {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
