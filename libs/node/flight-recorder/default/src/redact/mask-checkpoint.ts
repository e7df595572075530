import { isJsonObject } from '@podwright/kube-types';
import { placeholder } from './placeholder.js';

/** What a kubelet has kept of a pod, without what its hooks have printed. Statuses are as the API server shows them. */
export function maskCheckpoint(part: string, json: unknown): unknown {
  return part === 'container-runtime.containers' ? maskTexts(json) : json;
}

function maskTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && (name === 'failure' || name === 'message')
        ? placeholder(member.length)
        : maskTexts(member),
    ]),
  );
}
