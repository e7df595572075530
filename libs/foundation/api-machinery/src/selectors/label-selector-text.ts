import { labelValue, qualifiedName } from '@podwright/kube-types';
import { badRequest } from '../status/api-error.js';

export type LabelPredicate = (labels: Readonly<Record<string, string>>) => boolean;

interface Token {
  readonly kind: 'name' | 'operator' | 'end';
  readonly text: string;
}

// A null byte ends a name or an operator, and where a token should begin, the selector.
const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^\0 \t\r\n=!(),<>]+))\0?/y;
const operators = ['in', 'notin', '=', '==', '!=', '>', '<'] as const;
const end: Token = { kind: 'end', text: '' };

/**
 * Parses a `labelSelector` parameter: equality, sets, existence and comparison. Source: kubernetes v1.36
 * apimachinery/pkg/labels/selector.go.
 * @throws ApiError 400 for a malformed selector.
 */
export function parseLabelSelector(text: string): LabelPredicate {
  const requirements = new SelectorParser(tokensOf(text)).requirements();
  return (labels) => requirements.every((matches) => matches(labels));
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (let found = tokenPattern.exec(text); found !== null; found = tokenPattern.exec(text)) {
    const [, operator, name = ''] = found;
    tokens.push(operator === undefined ? { kind: 'name', text: name } : { kind: 'operator', text: operator });
  }
  return tokens;
}

class SelectorParser {
  private position = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  requirements(): readonly LabelPredicate[] {
    const found: LabelPredicate[] = [];
    while (this.next.kind !== 'end') {
      if (!this.isKey) throw badRequest(`found '${this.next.text}', expected: !, identifier, or 'end of string'`);
      found.push(this.requirement());
      const { kind, text } = this.take();
      if (kind === 'end') break;
      if (text !== ',') throw badRequest(`found '${text}', expected: ',' or 'end of string'`);
      if (!this.isKey) throw badRequest(`found '${this.next.text}', expected: identifier after ','`);
    }
    return found;
  }

  private get next(): Token {
    return this.tokens[this.position] ?? end;
  }

  private get isKey(): boolean {
    return this.next.kind === 'name' || this.next.text === '!';
  }

  private take(): Token {
    const token = this.next;
    this.position += 1;
    return token;
  }

  private requirement(): LabelPredicate {
    const isAbsent = this.next.text === '!';
    if (isAbsent) this.take();
    const { kind, text: key } = this.take();
    if (kind !== 'name') throw refusal(`found '${key}', expected: identifier`);
    refuse('<nil>', key, qualifiedName(key));
    if (isAbsent) return (labels) => label(labels, key) === undefined;
    if (this.next.kind === 'end' || this.next.text === ',') return (labels) => label(labels, key) !== undefined;
    const { text } = this.take();
    const operator = operators.find((known) => known === text);
    if (operator === undefined) throw refusal(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
    const values = operator === 'in' || operator === 'notin' ? this.values() : [this.exactValue()];
    [...new Set(values)].sort().forEach((value, index) => refuse(`values[${index}][${key}]`, value, labelValue(value)));
    return predicate(key, operator, values);
  }

  private exactValue(): string {
    if (this.next.kind === 'end' || this.next.text === ',') return '';
    const { kind, text } = this.take();
    if (kind !== 'name') throw refusal(`found '${text}', expected: identifier`);
    return text;
  }

  /** `(a,b)`; what is missing between commas is the empty value. */
  private values(): readonly string[] {
    const open = this.take();
    if (open.text !== '(') throw refusal(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      if (this.next.kind === 'name') values.push(this.take().text);
      else if (this.next.text === ',' || this.next.text === ')') values.push('');
      else throw refusal(`found '${this.next.text}', expected: ',', ')' or identifier`);
      const { text } = this.take();
      if (text === ')') return values;
      if (text !== ',') throw refusal(`found '${text}', expected: ',' or ')'`);
    }
  }
}

function predicate(key: string, operator: (typeof operators)[number], values: readonly string[]): LabelPredicate {
  const isListed = (labels: Parameters<LabelPredicate>[0]): boolean => {
    const found = label(labels, key);
    return found !== undefined && values.includes(found);
  };
  if (operator === '!=' || operator === 'notin') return (labels) => !isListed(labels);
  if (operator !== '<' && operator !== '>') return isListed;
  const bound = int64(values[0]);
  if (bound === undefined) {
    throw refusal(`values[0]: Invalid value: "${values[0]}": for 'Gt', 'Lt' operators, the value must be an integer`);
  }
  return (labels) => {
    const found = int64(label(labels, key));
    return found !== undefined && (operator === '<' ? found < bound : found > bound);
  };
}

// As Go's strconv.ParseInt.
function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[-+]?\d+$/.test(text)) return undefined;
  const number = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, number) === number ? number : undefined;
}

function refuse(field: string, value: string, faults: readonly string[]): void {
  if (faults.length > 0) throw refusal(`${field}: Invalid value: ${JSON.stringify(value)}: ${faults.join('; ')}`);
}

const refusal = (text: string) => badRequest(`unable to parse requirement: ${text}`);

// A key may be the name of something that every object has.
const label = (labels: Parameters<LabelPredicate>[0], key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;
