import type { KubeHttpRequest } from '@podwright/kube-client-interface';
import { isJsonObject } from '@podwright/kube-types';
import { isEvent, isPod, isWatch } from '../seams/api-request.js';
import { maskPodJson } from './mask-pod.js';
import { base64Placeholder, placeholder } from './placeholder.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * A body that may carry secrets, with placeholders in their place. `text`: undefined when the body is no JSON; then
 * nothing of it is kept, and a replay finds an empty answer.
 */
export function maskApiBody(request: KubeHttpRequest, text: string | undefined): string {
  if (text === undefined) return '';
  if (isEvent(request)) return JSON.stringify({ kind: 'Event', apiVersion: 'v1', metadata: {} });
  const texts = isWatch(request) ? text.split('\n').filter((line) => line !== '') : [text];
  const mask = isPod(request) ? maskPodJson : maskValue;
  return texts.map((each) => `${maskText(each, mask)}\n`).join('');
}

function maskText(text: string, mask: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(mask(JSON.parse(text)));
  } catch {
    return ''; // A broken line may still hold a part of a secret.
  }
}

function maskValue(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  if (Array.isArray(value['items'])) return { ...value, items: value['items'].map(maskItem) };
  if (isJsonObject(value['object'])) return { ...value, object: maskValue(value['object']) };
  if (value['kind'] === 'Status') return maskStatus(value);
  const { spec, status } = value;
  if (isJsonObject(status) && typeof status['token'] === 'string')
    return { ...value, status: { ...status, token: placeholder(status['token'].length) } };
  if (isJsonObject(spec) && typeof spec['token'] === 'string')
    return { ...value, spec: { ...spec, token: placeholder(spec['token'].length) } };
  return maskItem(value);
}

/** Errors tell what is missing; those of validation repeat what was sent. */
const maskStatus = (status: Json): unknown =>
  JSON.parse(
    JSON.stringify(status, (name, member: unknown) =>
      name === 'message' && typeof member === 'string' ? member.replace(/(Invalid value: ).*/s, '$1masked') : member,
    ),
  );

/** An item of a list has no kind. */
function maskItem(item: unknown): unknown {
  if (!isJsonObject(item)) return item;
  const { metadata, data, stringData: _stringData, ...rest } = item;
  return {
    ...rest,
    ...(isJsonObject(metadata) && { metadata: maskMetadata(metadata) }),
    ...(isJsonObject(data) && { data: mapValues(data, maskData) }),
  };
}

// Of a bookmark: the client waits for it.
const initialEventsEnd = 'k8s.io/initial-events-end';

// kubectl keeps what was applied, with all data, in an annotation.
const maskMetadata = ({ annotations, managedFields: _managedFields, ...metadata }: Json): Json => ({
  ...metadata,
  ...(isJsonObject(annotations) && {
    annotations: mapValues(annotations, (name, value) =>
      name === initialEventsEnd ? value : placeholder(String(value).length),
    ),
  }),
});

const empty = Buffer.from('{"auths":{}}').toString('base64');
const emptyOld = Buffer.from('{}').toString('base64');

function maskData(name: string, value: unknown): unknown {
  // The kubelet parses these.
  if (name === '.dockerconfigjson') return empty;
  if (name === '.dockercfg') return emptyOld;
  return base64Placeholder(String(value));
}

const mapValues = (object: Json, change: (name: string, value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]));
