import type { Pod } from '@podwright/kube-types';
import { refusal, type Refusal } from '../refusal.js';
import { dottedSysctl, sysctlNamespace, type SysctlNamespace } from './sysctl-namespace.js';

/** Names and prefixes that pods may set, with their namespace. */
export interface SysctlAllowList {
  readonly names: ReadonlyMap<string, SysctlNamespace>;
  readonly prefixes: ReadonlyMap<string, SysctlNamespace>;
}

const patternFormat = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]';
const patternSyntax = new RegExp(`^${patternFormat}$`);
const maxLength = 253;

/** Why a pattern is invalid; undefined when it is valid. Source: kubernetes v1.36 pkg/kubelet/sysctl/allowlist.go. */
export function sysctlPatternFault(pattern: string): string | undefined {
  const quoted = JSON.stringify(pattern);
  if (pattern.length > maxLength || !patternSyntax.test(pattern)) {
    return `sysctl ${quoted} must have at most ${maxLength} characters and match regex ${patternFormat}`;
  }
  const name = dottedSysctl(pattern).replace(/\*$/, '');
  if (sysctlNamespace(name) !== undefined) return undefined;
  return `the sysctls ${JSON.stringify(name)} are not known to be namespaced`;
}

/** Ignores patterns that {@link sysctlPatternFault} finds invalid. */
export function sysctlAllowList(patterns: readonly string[]): SysctlAllowList {
  const names = new Map<string, SysctlNamespace>();
  const prefixes = new Map<string, SysctlNamespace>();
  for (const pattern of patterns.map(dottedSysctl)) {
    const name = pattern.replace(/\*$/, '');
    const namespace = sysctlNamespace(name);
    if (namespace !== undefined) (pattern.endsWith('*') ? prefixes : names).set(name, namespace);
  }
  return { names, prefixes };
}

/** Rejects a pod with a sysctl that is not allowed, or whose namespace the pod shares with the host. */
export function checkSysctls(pod: Pod, list: SysctlAllowList): Refusal | undefined {
  const { securityContext, hostNetwork, hostIPC } = pod.spec;
  for (const { name } of securityContext?.sysctls ?? []) {
    const dotted = dottedSysctl(name);
    const quoted = JSON.stringify(dotted);
    const namespace = list.names.get(dotted) ?? [...list.prefixes].find(([prefix]) => dotted.startsWith(prefix))?.[1];
    if (namespace === undefined) return refusal('SysctlForbidden', `forbidden sysctl: ${quoted} not allowlisted`);
    if (namespace === 'IPC' ? hostIPC === true : hostNetwork === true) {
      return refusal('SysctlForbidden', `forbidden sysctl: ${quoted} not allowed with host ${namespace} enabled`);
    }
  }
  return undefined;
}
