import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AuditEntry } from '@podwright/test-apiserver';
import { repositoryRoot } from '../workspace/repository-root.js';

interface DocumentedCalls {
  readonly verbs: readonly string[];
  /** Plural names with subresource, such as `pods/status`; paths for requests that are not about a resource. */
  readonly resources: readonly string[];
}

/** Requests that docs/api-calls.md does not list, each once, as `VERB RESOURCE`, and requests that were forbidden. */
export function unexpectedCalls(entries: readonly AuditEntry[]): {
  readonly undocumented: readonly string[];
  readonly forbidden: readonly string[];
} {
  const rows = documentedCalls();
  const isDocumented = ({ verb, resource, subresource, path: requested }: AuditEntry): boolean => {
    const asked = resource === '' ? requested : subresource === '' ? resource : `${resource}/${subresource}`;
    return rows.some(({ verbs, resources }) => resources.includes(asked) && (!verb || verbs.includes(verb)));
  };
  const callOf = ({ method, verb, resource, subresource, path: requested }: AuditEntry): string =>
    resource === '' ? `${method} ${requested}` : `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}`;
  const once = (which: readonly AuditEntry[]): readonly string[] => [...new Set(which.map(callOf))].sort();
  return {
    undocumented: once(entries.filter((entry) => !isDocumented(entry))),
    forbidden: once(entries.filter(({ code }) => code === 403)),
  };
}

function documentedCalls(): readonly DocumentedCalls[] {
  const text = readFileSync(path.join(repositoryRoot, 'docs/api-calls.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map(([, , verbs = '', resources = '']) => ({
    verbs: words(verbs.replace('(path)', '')),
    resources: words(resources),
  }));
}

const words = (cell: string): readonly string[] =>
  cell
    .replaceAll('`', '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
