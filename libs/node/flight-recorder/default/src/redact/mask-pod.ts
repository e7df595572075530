import { isJsonObject, type Pod } from '@podwright/kube-types';
import { placeholder } from './placeholder.js';

type Json = Readonly<Record<string, unknown>>;

/** kubectl keeps what was applied in it, with all values. A runtime repeats it, as an annotation of the sandbox. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * A pod without the values that somebody wrote into `env` and into the headers of probes and hooks, because they often are
 * passwords, and without what hooks have printed into its status. Commands and arguments stay.
 */
export const maskPod = (pod: Pod): Pod => maskMember('', pod) as Pod;

export const maskPodJson = (pod: unknown): unknown => maskMember('', pod);

/** What a probe does, as it is in a masked pod. */
export const maskProbeAction = (action: unknown): unknown => maskMember('', action);

const listsWithValues = new Set(['env', 'httpHeaders']);

function maskMember(name: string, value: unknown): unknown {
  if (name === lastApplied) return placeholder(String(value).length);
  if (Array.isArray(value))
    return value.map(listsWithValues.has(name) ? maskNamedValue : (item) => maskMember('', item));
  if (!isJsonObject(value)) return value;
  const saysWhatAHookPrinted = typeof value['message'] === 'string' && /Hook/.test(String(value['reason']));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      saysWhatAHookPrinted && key === 'message' ? placeholder(String(member).length) : maskMember(key, member),
    ]),
  );
}

function maskNamedValue(item: unknown): unknown {
  if (!isJsonObject(item) || typeof item['value'] !== 'string') return item;
  return { ...item, value: placeholder(item['value'].length) } satisfies Json;
}
