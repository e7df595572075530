import { CommandError } from '../../command-error.js';
import type { PathNode, Template } from './nodes.js';
import { pathFault } from './path-fault.js';
import { closingQuote, filterEnd, unescaped } from './quotes.js';
import { parseSlice } from './slice.js';

/** Parses a JSONPath template of kubectl. Source: kubernetes v1.36 client-go/util/jsonpath/parser.go. */
export function parseJsonPath(text: string): Template {
  const template: (readonly PathNode[])[] = [];
  let rest = text;
  while (rest !== '') {
    const open = rest.indexOf('{');
    if (open !== 0) template.push([{ type: 'text', text: open === -1 ? rest : rest.slice(0, open) }]);
    if (open === -1) break;
    const action = new ActionParser(rest.slice(open + 1));
    template.push(action.parse('}'));
    rest = action.rest();
  }
  return template;
}

/** Accepts `x.y`, `.x.y`, `{x.y}` and `{.x.y}`. Source: kubernetes v1.36 kubectl/pkg/cmd/get/customcolumn.go. */
export function relaxedJsonPath(text: string): string {
  if (text === '') return '';
  const match = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(text);
  if (match === null) {
    throw new CommandError(
      `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
    );
  }
  return `{.${match[1] ?? match[2] ?? ''}}`;
}

const terminator = /[\s.,[\]$@{}]/;

class ActionParser {
  private at = 0;

  constructor(private readonly text: string) {}

  rest(): string {
    return this.text.slice(this.at);
  }

  /** Reads until `end`, which is consumed; `''` is the end of the text. */
  parse(end: '}' | ''): readonly PathNode[] {
    const nodes: PathNode[] = [];
    for (;;) {
      if (end === '' && this.at >= this.text.length) return nodes;
      const char = this.text[this.at];
      if (char === undefined || char === '\n' || char === '\r') throw pathFault('unclosed action');
      if (char === end) {
        this.at += 1;
        return nodes;
      }
      nodes.push(...this.node(char));
    }
  }

  private node(char: string): readonly PathNode[] {
    const { text } = this;
    if (char === ' ' || char === '@' || char === '$') {
      this.at += 1;
      return [];
    }
    if (text.startsWith('[?(', this.at)) return [this.filter()];
    if (text.startsWith('..', this.at)) {
      this.at += 2;
      const next = text[this.at] ?? '';
      return /[\p{L}\d_]/u.test(next) ? [{ type: 'recursive' }, this.field()] : [{ type: 'recursive' }];
    }
    if (char === '[') return this.array();
    if (char === '"' || char === "'") return [{ type: 'text', text: this.quoted(char) }];
    if (char === '.') {
      this.at += 1;
      return [this.field()];
    }
    if (/[-+\d]/.test(char)) return [this.number()];
    if (/[\p{L}_]/u.test(char)) return [this.identifier()];
    throw pathFault(`unrecognized character in action: ${JSON.stringify(char)}`);
  }

  private field(): PathNode {
    let name = '';
    for (; this.at < this.text.length; this.at += 1) {
      const char = this.text[this.at] ?? '';
      if (char === '\\') name += this.text[(this.at += 1)] ?? '';
      else if (terminator.test(char)) break;
      else name += char;
    }
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name };
  }

  private identifier(): PathNode {
    const [word = ''] = /^[^\s.,[\]$@{}]+/.exec(this.rest()) ?? [];
    this.at += word.length;
    if (word === 'true' || word === 'false') return { type: 'value', value: word === 'true' };
    if (word === 'range' || word === 'end') return { type: word };
    throw pathFault(`unrecognized identifier ${word}`);
  }

  private number(): PathNode {
    const [digits = ''] = /^[-+]?[\d.]*/.exec(this.rest()) ?? [];
    this.at += digits.length;
    if (!/\d/.test(digits) || Number.isNaN(Number(digits))) throw pathFault(`cannot parse number ${digits}`);
    return { type: 'value', value: Number(digits) };
  }

  private quoted(quote: string): string {
    const end = closingQuote(this.text, this.at + 1, quote);
    if (end === -1) throw pathFault('unterminated quoted string');
    const inner = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return unescaped(inner);
  }

  private array(): readonly PathNode[] {
    const end = this.text.indexOf(']', this.at);
    if (end === -1) throw pathFault('unterminated array');
    const inner = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    const parts = inner.split(',');
    if (parts.length === 1) return arrayStep(inner);
    return [{ type: 'union', branches: parts.map((part) => arrayStep(part.trim())) }];
  }

  private filter(): PathNode {
    const start = this.at + 3;
    const end = filterEnd(this.text, start);
    if (end === -1) throw pathFault('unterminated filter');
    if (this.text[end + 1] !== ']') throw pathFault('unclosed array expect ]');
    this.at = end + 2;
    const inner = this.text.slice(start, end);
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(inner) ?? [];
    const parsed = (text: string): readonly PathNode[] => new ActionParser(text).parse('');
    if (left === undefined) return { type: 'filter', left: parsed(inner), operator: 'exists', right: [] };
    return { type: 'filter', left: parsed(left), operator: operator ?? '', right: parsed(right ?? '') };
  }
}

function arrayStep(text: string): readonly PathNode[] {
  const [, key] = /^'([^']*)'$/.exec(text) ?? [];
  return key === undefined ? [{ type: 'slice', slice: parseSlice(text) }] : new ActionParser(`.${key}`).parse('');
}
