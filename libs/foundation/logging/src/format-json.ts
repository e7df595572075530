import { describeError } from './describe-error.js';
import { shortened, toJson } from './field-value.js';
import type { LogEntry } from './log-entry.js';

/**
 * One line of JSON: `ts` in milliseconds with fractions, `logger`, `msg`, `v` (not on errors), `err`, then the fields.
 * Kubernetes objects are `{"name","namespace"}`. Unlike upstream, which does not mark warnings, they have
 * `"level":"warning"`. Source: kubernetes v1.36 component-base/logs/json/json.go.
 */
export function formatJson(entry: LogEntry): string {
  const { error, err = error, logger, ...fields } = entry.fields;
  const parts = [`"ts":${entry.timeMs}`];
  const add = (key: string, json: string): void => void parts.push(`${JSON.stringify(key)}:${json}`);
  if (typeof logger === 'string') add('logger', JSON.stringify(logger));
  add('msg', JSON.stringify(shortened(entry.message)));
  if (entry.severity === 'warning') add('level', '"warning"');
  if (entry.severity !== 'error') add('v', String(entry.level));
  if (err !== undefined) add('err', JSON.stringify(shortened(describeError(err))));
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined)
      add(
        reserved.has(key) ? `${key}_` : key,
        toJson(value, (name) => name),
      );
  }
  return `{${parts.join(',')}}`;
}

// Fields with these names would be a second timestamp or message in the line.
const reserved: ReadonlySet<string> = new Set(['ts', 'msg', 'v', 'level', 'caller']);
