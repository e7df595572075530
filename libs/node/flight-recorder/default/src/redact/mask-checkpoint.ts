import { isJsonObject } from '@podwright/kube-types';
import { maskPodJson } from './mask-pod.js';
import { placeholder } from './placeholder.js';

/** Parts of a pod's checkpoint that are kept. Nobody knows what is in those of other managers. */
const masks: Readonly<Record<string, (value: unknown) => unknown>> = {
  'container-runtime.restarts': (value) => value,
  'image.pull-back-off': (value) => value,
  'probe.results': (value) => value,
  'pod-workers.termination': maskPodJson,
  'container-runtime.containers': (value) => maskTexts(value, ['failure', 'message'], () => true),
  'status.pod-status': (value) => maskTexts(value, ['message'], ({ reason }) => /Hook/.test(String(reason))),
};

/** Undefined: nothing of this part is kept. */
export const maskCheckpoint = (part: string, value: unknown): unknown => masks[part]?.(value);

/** The error of a hook quotes the output of its command. */
function maskTexts(
  value: unknown,
  names: readonly string[],
  applies: (owner: Readonly<Record<string, unknown>>) => boolean,
): unknown {
  if (Array.isArray(value)) return value.map((each) => maskTexts(each, names, applies));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      names.includes(key) && typeof member === 'string' && applies(value)
        ? placeholder(member.length)
        : maskTexts(member, names, applies),
    ]),
  );
}
