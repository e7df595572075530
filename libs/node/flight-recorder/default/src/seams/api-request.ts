import type { KubeHttpRequest } from '@podwright/kube-client-interface';

// They differ from run to run, and say nothing about what is asked for.
const volatile = new Set(['resourceVersion', 'timeoutSeconds', 'continue']);

/** Path and query by which a request is found again, and of a POST which object it makes. */
export function apiKey(request: Pick<KubeHttpRequest, 'path'> & Partial<KubeHttpRequest>): string {
  const [place = '', query = ''] = request.path.split('?');
  const kept = query.split('&').filter((part) => part !== '' && !volatile.has(part.split('=')[0] ?? ''));
  const address = kept.length === 0 ? place : `${place}?${kept.sort().join('&')}`;
  return [address, ...(request.method === 'POST' ? identityOf(request) : [])].join(' ');
}

/** The key without the object that a POST makes. */
export const addressOf = (key: string): string => key.split(' ')[0] ?? '';

interface PostedObject {
  readonly metadata?: {
    readonly name?: string;
    readonly generateName?: string;
    readonly ownerReferences?: readonly { readonly uid?: string }[];
  };
  readonly involvedObject?: { readonly uid?: string };
  readonly reason?: string;
  readonly spec?: { readonly boundObjectRef?: { readonly uid?: string }; readonly signerName?: string };
}

/** Names and UIDs only, because a body may hold a token or a certificate request. */
function identityOf({ path, body }: Pick<KubeHttpRequest, 'path' | 'body'>): readonly string[] {
  const { metadata, involvedObject, reason, spec } = parsedJson(body) ?? {};
  // The name of an event is made of the time.
  const named = isEvent({ path })
    ? [involvedObject?.uid, reason]
    : [
        metadata?.name ?? metadata?.generateName,
        metadata?.ownerReferences?.[0]?.uid,
        spec?.boundObjectRef?.uid,
        spec?.signerName,
      ];
  return named
    .filter((each) => typeof each === 'string' && each !== '')
    .map((each) => encodeURIComponent(String(each)));
}

/** Undefined: it is none, or speaks protobuf or CBOR. */
function parsedJson(body: KubeHttpRequest['body']): PostedObject | undefined {
  if (body === undefined) return undefined;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as PostedObject;
  } catch {
    return undefined;
  }
}

export const isWatch = ({ path }: Pick<KubeHttpRequest, 'path'>): boolean => /[?&]watch=(true|1)(&|$)/.test(path);

/** Answers that carry secrets: pods, objects of kind Secret, tokens of service accounts, tokens that callers have sent. */
export const carriesSecrets = ({ path }: Pick<KubeHttpRequest, 'path'>): boolean =>
  isPod({ path }) || /\/(secrets|tokenreviews)(\/|\?|$)|\/serviceaccounts\/[^/]+\/token(\?|$)/.test(path);

/** Answers with pods, whose environments often hold secrets. */
export const isPod = ({ path }: Pick<KubeHttpRequest, 'path'>): boolean =>
  /\/api\/v1\/(namespaces\/[^/]+\/)?pods(\/|\?|$)/.test(path);

/** The answer repeats the event, whose message may quote what a probe or a hook has printed. */
export const isEvent = ({ path }: Pick<KubeHttpRequest, 'path'>): boolean => /\/events(\/|\?|$)/.test(path);

const watchOnly = new Set(['watch', 'allowWatchBookmarks', 'sendInitialEvents', 'resourceVersionMatch', 'limit']);

/** Of the key of a list or watch: which objects it is about. */
export function collectionOf(key: string): string {
  const [place = '', query = ''] = key.split('?');
  const kept = query.split('&').filter((part) => part !== '' && !watchOnly.has(part.split('=')[0] ?? ''));
  return kept.length === 0 ? place : `${place}?${kept.join('&')}`;
}

/** Of the key of a watch: the one that asks for all objects first. */
export function withInitialEvents(key: string): string {
  const separator = key.includes('?') ? '&' : '?';
  return apiKey({ path: `${key}${separator}resourceVersionMatch=NotOlderThan&sendInitialEvents=true` });
}

/** True: the watch tells of all objects first. */
export const hasInitialEvents = (key: string): boolean => key.includes('sendInitialEvents=');

/** The object that a request is about; empty for a list. */
export function objectIn(key: string): string {
  const [, namespace = '', resource = '', name = ''] =
    /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/?]+)(?=\/))?\/([^/?]+)\/([^/?]+)/.exec(key) ?? [];
  return name === '' ? '' : objectSubject(resource, namespace, name);
}

/** Name of an object in the collection of this key. */
export const objectOf = (collection: string, namespace: string | undefined, name: string): string =>
  objectSubject(/([^/?]+)(\?|$)/.exec(collection)?.[1] ?? '', namespace ?? '', name);

const objectSubject = (resource: string, namespace: string, name: string): string => `${resource}/${namespace}/${name}`;
