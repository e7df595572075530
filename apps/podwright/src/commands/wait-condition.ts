import type { ApiObject } from '../client/resources.js';
import { CommandError } from '../command-error.js';
import { findJsonPath } from '../output/json-path/evaluate.js';
import { parseJsonPath, relaxedJsonPath } from '../output/json-path/parse.js';
import type { Template } from '../output/json-path/nodes.js';
import { isJsonObject } from '@podwright/kube-types';

/** What `wait --for` waits for. */
export interface WaitCondition {
  readonly kind: 'create' | 'delete' | 'state';
  /** Undefined for an object that is not there. */
  isMet(object: ApiObject | undefined): boolean;
}

/** `create` comes first. Source: kubernetes v1.36 kubectl/pkg/cmd/wait/wait.go conditionFuncsFor. */
export function conditionsOf(texts: readonly string[]): readonly WaitCondition[] {
  if (texts.length === 0) throw new CommandError('unrecognized condition: []');
  const conditions = texts.map(conditionOf);
  const isCreate = ({ kind }: WaitCondition): boolean => kind === 'create';
  return [...conditions.filter(isCreate), ...conditions.filter((each) => !isCreate(each))];
}

function conditionOf(text: string): WaitCondition {
  if (text.toLowerCase() === 'delete') return { kind: 'delete', isMet: (object) => object === undefined };
  if (text.toLowerCase() === 'create') return { kind: 'create', isMet: (object) => object !== undefined };
  if (text.startsWith('condition=')) return statusCondition(text.slice('condition='.length));
  if (text.startsWith('jsonpath=')) return jsonPathCondition(text.slice('jsonpath='.length));
  throw new CommandError(`unrecognized condition: ${JSON.stringify(text)}`);
}

function statusCondition(text: string): WaitCondition {
  const equals = text.indexOf('=');
  const wanted = {
    type: equals === -1 ? text : text.slice(0, equals),
    status: equals === -1 ? 'true' : text.slice(equals + 1),
  };
  const same = (a: unknown, b: string): boolean => typeof a === 'string' && a.toLowerCase() === b.toLowerCase();
  return {
    kind: 'state',
    isMet: (object) => {
      const status = isJsonObject(object?.status) ? object.status : {};
      const conditions = Array.isArray(status.conditions) ? (status.conditions as readonly Condition[]) : [];
      const found = conditions.find(({ type }) => same(type, wanted.type));
      if (found === undefined || isStale(object, status, found)) return false;
      return same(found.status, wanted.status);
    },
  };
}

interface Condition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly observedGeneration?: unknown;
}

/** A condition of an earlier generation says nothing about the present one. */
function isStale(
  object: ApiObject | undefined,
  status: Readonly<Record<string, unknown>>,
  condition: Condition,
): boolean {
  const observed = condition.observedGeneration ?? status.observedGeneration;
  return typeof observed === 'number' && observed < (object?.metadata.generation ?? 0);
}

function jsonPathCondition(text: string): WaitCondition {
  const [expression = '', value, ...rest] = splitAtEquals(text);
  if (rest.length > 0) {
    throw new CommandError(
      "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
    );
  }
  const wanted = value?.replace(/^['"]+|['"]+$/g, '');
  if (wanted === '') {
    throw new CommandError(
      "jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3",
    );
  }
  if (expression === '') throw new CommandError('jsonpath expression cannot be empty');
  const template = parseJsonPath(relaxedJsonPath(expression));
  return { kind: 'state', isMet: (object) => object !== undefined && matches(template, object, wanted) };
}

/** Splits at single `=`; `==` belongs to the expression. */
function splitAtEquals(text: string): readonly string[] {
  return text
    .replaceAll('==', '\0')
    .split('=')
    .map((part) => part.replaceAll('\0', '=='));
}

function matches(template: Template, object: ApiObject, wanted: string | undefined): boolean {
  const [first = [], ...others] = findJsonPath(template, object);
  if (first.length === 0) return false;
  if (others.length > 0) throw new CommandError('given jsonpath expression matches more than one list');
  if (first.length > 1) throw new CommandError('given jsonpath expression matches more than one value');
  if (wanted === undefined) return true;
  const [found] = first;
  if (typeof found === 'object' && found !== null) {
    throw new CommandError('jsonpath leads to a nested object or list which is not supported');
  }
  return String(found).trim() === wanted.trim();
}
