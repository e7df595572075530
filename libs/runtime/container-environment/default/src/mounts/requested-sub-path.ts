import { KubeletError } from '@podwright/errors';
import { expandVariables, type VolumeMount } from '@podwright/kube-types';

/**
 * The part of the volume that the mount asks for; empty for the whole volume. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_pods.go.
 */
export function requestedSubPath(
  mount: VolumeMount,
  envs: readonly { readonly name: string; readonly value: string }[],
): string {
  const expression = mount.subPathExpr ?? '';
  const subPath = expression === '' ? (mount.subPath ?? '') : expanded(expression, envs);
  if (subPath.startsWith('/')) throw invalid(`error SubPath \`${subPath}\` must not be an absolute path`);
  if (subPath.split('/').includes('..'))
    throw invalid(`unable to provision SubPath \`${subPath}\`: must not contain '..'`);
  return subPath;
}

function expanded(expression: string, envs: readonly { readonly name: string; readonly value: string }[]): string {
  const values = new Map(envs.map(({ name, value }) => [name, value]));
  const missing = new Set<string>();
  const text = expandVariables(expression, (name) => {
    const value = values.get(name) ?? '';
    if (value === '') missing.add(name);
    return value;
  });
  if (missing.size > 0) throw invalid(`missing value for ${[...missing].sort().join(', ')}`);
  return text;
}

function invalid(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}
