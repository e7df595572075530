import type { KubeHttpRequest } from '@podwright/kube-client-interface';

// They differ from run to run, and say nothing about what is asked for.
const volatile = new Set(['resourceVersion', 'timeoutSeconds', 'continue']);

/** Path and query by which a request is found again. */
export function apiKey({ path }: Pick<KubeHttpRequest, 'path'>): string {
  const [place = '', query = ''] = path.split('?');
  const kept = query.split('&').filter((part) => part !== '' && !volatile.has(part.split('=')[0] ?? ''));
  return kept.length === 0 ? place : `${place}?${kept.sort().join('&')}`;
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
