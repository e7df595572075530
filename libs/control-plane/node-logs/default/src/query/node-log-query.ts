import { parseRfc3339 } from '@podwright/time';
import { FieldFaults } from './field-faults.js';

/** A query for the logs of the node. */
export interface NodeLogQuery {
  readonly services: readonly string[];
  /** Names that contain a slash or a backslash. */
  readonly files: readonly string[];
  readonly options: NodeLogOptions;
}

export interface NodeLogOptions {
  /** As given, RFC 3339. */
  readonly sinceTime?: string;
  readonly untilTime?: string;
  readonly tailLines?: number;
  /** 0 is this boot, negative numbers are earlier ones. */
  readonly boot?: number;
  readonly pattern?: string;
}

/**
 * Parses the query parameters of `/logs/`; undefined when none of a log query is present. Throws `invalid-argument`
 * (400) with all faults. Source: kubernetes v1.36 pkg/kubelet/kubelet_server_journal.go (newNodeLogQuery).
 */
export function parseNodeLogQuery(query: URLSearchParams): NodeLogQuery | undefined {
  const faults = new FieldFaults();
  const queries = query.getAll('query');
  const files = queries.filter((value) => /[/\\]/.test(value));
  const services = queries.filter((value) => !/[/\\]/.test(value) && value.trim() !== '');
  if (queries.length > 0 && files.length + services.length === 0) {
    faults.invalid('query', JSON.stringify(queries), 'query cannot be empty');
  }
  const given = (name: string): string | undefined => query.get(name) || undefined;
  const time = (name: string): string | undefined => {
    const value = given(name);
    if (value !== undefined && parseRfc3339(value) === undefined) {
      faults.invalid(name, JSON.stringify(value), 'invalid time format');
    }
    return value;
  };
  const integer = (name: string): number | undefined => {
    const value = given(name);
    if (value === undefined) return undefined;
    const problem = integerFault(value);
    if (problem !== undefined) {
      const quoted = JSON.stringify(value);
      faults.invalid(name, quoted, `strconv.Atoi: parsing ${quoted}: ${problem}`);
    }
    return Number(value);
  };
  const [sinceTime, untilTime] = [time('sinceTime'), time('untilTime')];
  const [boot, tailLines] = [integer('boot'), integer('tailLines')];
  const pattern = given('pattern');
  faults.throwIfAny();
  const options = {
    ...(sinceTime !== undefined && { sinceTime }),
    ...(untilTime !== undefined && { untilTime }),
    ...(boot !== undefined && { boot }),
    ...(tailLines !== undefined && { tailLines }),
    ...(pattern !== undefined && { pattern }),
  };
  const isEmpty = queries.length === 0 && Object.keys(options).length === 0;
  return isEmpty ? undefined : { services, files, options };
}

function integerFault(value: string): string | undefined {
  if (!/^[+-]?\d+$/.test(value)) return 'invalid syntax';
  const exact = BigInt(value.replace(/^\+/, '').slice(0, 40));
  return BigInt.asIntN(64, exact) === exact ? undefined : 'value out of range';
}
