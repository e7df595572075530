import { bytesOfVariable } from '@podwright/container-environment-interface';
import { KubeletError } from '@podwright/errors';

// As bufio.Scanner: a line must fit into its buffer together with the line break.
const longestLineBytes = 64 * 1024 - 1;

/**
 * Value of the first variable with this name in an env file of lines `NAME='value'`, comments and empty lines; '' when
 * there is none. The value is the exact text between the quotes, line breaks included. `NAME= 'value'` is empty, as for
 * a shell. What follows the variable is not read. @throws KubeletError `invalid-argument` for other syntax before it.
 * Source: kubernetes v1.36 pkg/kubelet/util/env ParseEnv.
 */
export function parseEnvFile(text: string, key: string): string {
  const lines = new Lines(text);
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const assignment = line.replace(/^[ \t]+/, '');
    if (assignment === '' || assignment.startsWith('#')) continue;
    const [name, value] = parseAssignment(assignment, lines);
    if (name === key) return value;
  }
  return '';
}

function parseAssignment(assignment: string, lines: Lines): readonly [name: string, value: string] {
  const at = assignment.indexOf('=');
  if (at < 0) throw invalid(lines.number, "missing '='");
  const name = assignment.slice(0, at);
  const value = assignment.slice(at + 1);
  if (/^[ \t]*$/.test(name)) throw invalid(lines.number, 'empty variable name');
  if (/[ \t]$/.test(name)) throw invalid(lines.number, "whitespace before '=' is not allowed");
  if (/^[ \t]/.test(value)) return [name, ''];
  if (!value.startsWith("'")) throw invalid(lines.number, 'value must be enclosed in single quotes');
  return [name, parseQuoted(value.slice(1), lines)];
}

/** The text up to the closing quote, which may be some lines further on. */
function parseQuoted(first: string, lines: Lines): string {
  const begin = lines.number;
  const parts: string[] = [];
  for (let rest: string | undefined = first; rest !== undefined; rest = lines.next()) {
    const end = rest.indexOf("'");
    if (end < 0) {
      parts.push(rest);
      continue;
    }
    if (!/^[ \t]*(?:#|$)/.test(rest.slice(end + 1))) {
      throw invalid(lines.number, 'unexpected content after closing quote');
    }
    return [...parts, rest.slice(0, end)].join('\n');
  }
  throw invalid(begin, 'unclosed single quote');
}

/** The lines of a text without their breaks, as bufio.ScanLines gives them. */
class Lines {
  number = 0;
  private readonly lines: readonly string[];

  constructor(text: string) {
    const lines = text.split('\n');
    this.lines = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  }

  next(): string | undefined {
    const line = this.lines[this.number];
    if (line === undefined) return undefined;
    this.number += 1;
    if (bytesOfVariable(line).length > longestLineBytes) throw invalid(this.number, 'token too long');
    return line.replace(/\r$/, '');
  }
}

// The message does not quote the line: it may hold a secret.
function invalid(line: number, problem: string): KubeletError {
  return new KubeletError(`invalid environment variable format at line ${line}: ${problem}`, {
    code: 'invalid-argument',
  });
}
