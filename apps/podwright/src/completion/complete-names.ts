import type { Pod } from '@podwright/kube-types';
import { visitContainers } from '@podwright/kube-types';
import type { ApiClient } from '../client/api-client.js';
import { pods, resourcePath, resources, type Resource } from '../client/resources.js';
import { listObjects } from '../client/watch.js';
import { wordOf } from '../command-list.js';
import { commandIn, optionsOf } from '../command-parser.js';

const podFirst = ['logs', 'exec', 'attach', 'port-forward'];
const typeFirst = ['get', 'describe', 'delete', 'wait', 'top', 'explain'];

/**
 * Names that a user may mean with the last word: types, objects of the server, containers. Without a server there are
 * none: a shell has no place for errors.
 */
export async function completeNames(words: readonly string[], client: ApiClient): Promise<readonly string[]> {
  const before = words.slice(0, -1);
  const command = commandIn(before);
  if (command === undefined) return [];
  const word = wordOf(command);
  const takesValue = (option: string): boolean => optionsOf(command).string.includes(option.replace(/^--?/, ''));
  const given = before
    .slice(before.indexOf(word) + 1)
    .filter(
      (each, index, all) =>
        !each.startsWith('-') && !(all[index - 1]?.startsWith('-') === true && takesValue(all[index - 1] ?? '')),
    );
  const namespace = valueAfter(before, ['-n', '--namespace']) ?? 'default';
  try {
    if (['-c', '--container'].includes(before.at(-1) ?? '')) return await containers(client, namespace, given[0]);
    if (podFirst.includes(word)) return given.length === 0 ? await names(client, pods, namespace) : [];
    if (!typeFirst.includes(word)) return [];
    const [type] = given;
    if (type === undefined) {
      if (word === 'explain') return ['pod', 'node'];
      return word === 'top' ? ['pods', 'node'] : [...resources.map(({ plural }) => plural), 'all'];
    }
    const resource = resources.find(({ aliases }) => aliases.includes(type));
    return resource === undefined ? [] : await names(client, resource, namespace);
  } catch {
    return [];
  }
}

async function names(client: ApiClient, resource: Resource, namespace: string): Promise<readonly string[]> {
  const { items } = await listObjects(client, resource, { namespace });
  return items.map(({ metadata }) => metadata.name ?? '');
}

async function containers(client: ApiClient, namespace: string, pod: string | undefined): Promise<readonly string[]> {
  if (pod === undefined) return [];
  const { spec } = await client.get<Pod>(resourcePath(pods, namespace, pod));
  return [...visitContainers(spec)].map(({ container }) => container.name);
}

function valueAfter(words: readonly string[], options: readonly string[]): string | undefined {
  const at = words.findIndex((word) => options.includes(word));
  return at === -1 ? undefined : words[at + 1];
}
