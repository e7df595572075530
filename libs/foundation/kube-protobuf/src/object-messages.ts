import { apiMessages } from './api-messages.js';

/** Whether objects of a kind, or lists of them, can be encoded and decoded. */
export function hasMessage(apiVersion: string, kind: string): boolean {
  return findMessage(apiVersion, kind) !== undefined || itemMessage(apiVersion, kind) !== undefined;
}

/** `v1` and Pod are `core.v1.Pod`; a Status or DeleteOptions, which each group has, is `meta.v1`'s. */
function findMessage(apiVersion: string, kind: string): string | undefined {
  const [group = '', version] = apiVersion.split('/');
  const own = version === undefined ? `core.${group}.${kind}` : `${group.split('.')[0] ?? ''}.${version}.${kind}`;
  return [own, `meta.v1.${kind}`].find((message) => apiMessages[message] !== undefined);
}

/** @throws RangeError for a kind that is not in the table. */
export function objectMessage(apiVersion: string, kind: string): string {
  const message = findMessage(apiVersion, kind);
  if (message === undefined) throw new RangeError(`no message for ${`${apiVersion} ${kind}`.trim()}`);
  return message;
}

/** The message of a list's items; undefined for another kind. */
export function itemMessage(apiVersion: string, kind: string): string | undefined {
  return kind.endsWith('List') ? findMessage(apiVersion, kind.slice(0, -'List'.length)) : undefined;
}
