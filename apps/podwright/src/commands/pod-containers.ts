import type { Pod } from '@podwright/kube-types';
import { findContainer, visitContainers } from '@podwright/kube-types';
import { resourcePath, pods } from '../client/resources.js';
import { CommandError } from '../command-error.js';
import type { CommandContext } from './command.js';

export function getPod({ client, namespace }: CommandContext, name: string): Promise<Pod> {
  return client.get<Pod>(resourcePath(pods, namespace, name));
}

/**
 * The container that the user means: by name, by the annotation, else the first; then it says which one it took.
 * Source: kubernetes v1.36 kubectl/pkg/cmd/util/podcmd/podcmd.go.
 */
export async function chooseContainer(
  { io }: CommandContext,
  pod: Pod,
  wanted: string | undefined,
  quiet = false,
): Promise<string> {
  const name = wanted ?? pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'] ?? '';
  if (name !== '') {
    if (findContainer(pod, name) !== undefined) return name;
    throw new CommandError(
      `container ${name} is not valid for pod ${pod.metadata.name ?? ''} out of: ${allNames(pod)}`,
    );
  }
  const [first] = pod.spec.containers;
  if (first === undefined) throw new CommandError(`pod ${pod.metadata.name ?? ''} does not have any containers`);
  if (!quiet && [...visitContainers(pod.spec)].length > 1) {
    await io.err(`Defaulted container ${JSON.stringify(first.name)} out of: ${allNames(pod)}\n`);
  }
  return first.name;
}

function allNames({ spec }: Pod): string {
  return [
    ...spec.containers.map(({ name }) => name),
    ...(spec.ephemeralContainers ?? []).map(({ name }) => `${name} (ephem)`),
    ...(spec.initContainers ?? []).map(({ name }) => `${name} (init)`),
  ].join(', ');
}
