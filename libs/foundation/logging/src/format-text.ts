import { isError } from '@podwright/errors';
import { describeError } from './describe-error.js';
import { objectKey, objectName, shortened, toJson } from './field-value.js';
import type { LogEntry, Severity } from './log-entry.js';

const letters: Readonly<Record<Severity, string>> = { info: 'I', warning: 'W', error: 'E' };

export interface TextFormatOptions {
  readonly pid: number;
  /** Name of loggers without a name; klog has file:line in its place. */
  readonly component: string;
}

/**
 * One line in klog's text format: `Lmmdd hh:mm:ss.uuuuuu pid component] "message" key="value"`, local time.
 * Source: kubernetes v1.36 vendor/k8s.io/klog/v2, internal/serialize/keyvalues.go.
 */
export function formatText(entry: LogEntry, options: TextFormatOptions): string {
  const { error, err = error, logger, ...fields } = entry.fields;
  const component = typeof logger === 'string' && logger !== '' ? logger : options.component;
  const pid = String(options.pid).padStart(7);
  let line = `${letters[entry.severity]}${stamp(entry.timeMs)} ${pid} ${component}] ${quote(entry.message)}`;
  if (err !== undefined) line += ` err${textValue(isError(err) ? describeError(err) : err)}`;
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) line += ` ${key}${textValue(value)}`;
  return line;
}

function stamp(timeMs: number): string {
  const date = new Date(timeMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const microseconds = Math.floor((((timeMs % 1000) + 1000) % 1000) * 1000);
  return (
    `${two(date.getMonth() + 1)}${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(microseconds).padStart(6, '0')}`
  );
}

function textValue(value: unknown): string {
  if (isError(value)) return textValue(describeError(value));
  const name = objectName(value);
  if (name !== undefined) return `=${quote(objectKey(name))}`;
  if (typeof value !== 'string') return `=${toJson(value, objectKey)}`;
  const text = shortened(value);
  if (!text.includes('\n')) return `=${quote(text)}`;
  // Like klog, shows text of several lines indented.
  return `=<\n\t${text
    .replace(/\n$/, '')
    .replaceAll('\n', '\n\t')
    .replaceAll(/[^\P{Cc}\n\t]/gu, escaped)}\n >`;
}

/** As Go's strconv.Quote for what occurs in logs: control characters are escaped, other Unicode stays. */
function quote(text: string): string {
  return `"${shortened(text).replaceAll(/["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Cs}/gu, escaped)}"`;
}

const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\u0007': '\\a',
};

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (named[character] !== undefined) return named[character];
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
