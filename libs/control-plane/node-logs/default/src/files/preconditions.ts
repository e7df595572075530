import type { IncomingHttpHeaders } from 'node:http';

/** The result of a request's conditions: continue (with or without its ranges), 304 or 412. */
export type Precondition = 'whole' | 'ranges' | 'not-modified' | 'failed';

/**
 * Evaluates the conditions for a file without an entity tag. Compares times in whole seconds. Source: Go net/http/fs.go
 * (checkPreconditions).
 */
export function checkPreconditions(headers: IncomingHttpHeaders, modifiedMs: number): Precondition {
  const modified = Math.floor(modifiedMs / 1000);
  const match = headers['if-match'];
  if (match !== undefined && match !== '') {
    if (!isAny(match)) return 'failed';
  } else {
    const since = seconds(headers['if-unmodified-since']);
    if (since !== undefined && modified > since) return 'failed';
  }
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && noneMatch !== '') {
    if (isAny(noneMatch)) return 'not-modified';
  } else if (isNotModifiedSince(headers, modifiedMs)) {
    return 'not-modified';
  }
  const range = headers['if-range'];
  if (typeof range !== 'string' || range === '') return 'ranges';
  return seconds(range) === modified ? 'ranges' : 'whole';
}

/** The only condition that listings support. */
export function isNotModifiedSince(headers: IncomingHttpHeaders, modifiedMs: number): boolean {
  const since = seconds(headers['if-modified-since']);
  return since !== undefined && Math.floor(modifiedMs / 1000) <= since;
}

// Only `*` can match: files have no tags.
const isAny = (tags: string): boolean => /^[\s,]*\*/.test(tags);

function seconds(date: string | undefined): number | undefined {
  if (date === undefined || !/^[A-Z][a-z]{2}/.test(date)) return undefined;
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}
