import { KubeletError } from '@podwright/errors';
import { isJsonObject, type JsonObject } from '@podwright/kube-types';

/** What a driver can do. Source: kubernetes v1.36 pkg/volume/flexvolume/driver-call.go DriverCapabilities. */
export interface DriverCapabilities {
  readonly attach: boolean;
  readonly selinuxRelabel: boolean;
  readonly supportsMetrics: boolean;
  readonly fsGroup: boolean;
  readonly requiresFSResize: boolean;
}

export interface DriverAnswer {
  /** Path of the attached device; empty when the driver names none. */
  readonly device: string;
  readonly capabilities: DriverCapabilities;
}

const defaults: DriverCapabilities = {
  attach: true,
  selinuxRelabel: true,
  supportsMetrics: false,
  fsGroup: true,
  requiresFSResize: true,
};

/**
 * Decodes the output of a driver; undefined when it does not support the command. Throws in upstream's words for any
 * other status, and for output that is no answer.
 */
export function decodeAnswer(command: string, output: string): DriverAnswer | undefined {
  const answer = parse(command, output);
  const status = text(command, answer, 'status');
  if (status === 'Not supported') return undefined;
  if (status !== 'Success') {
    const reason = text(command, answer, 'message');
    throw new KubeletError(`${command} command failed, status: ${status}, reason: ${reason}`, { code: 'unavailable' });
  }
  return { device: text(command, answer, 'device'), capabilities: decodeCapabilities(command, answer) };
}

function decodeCapabilities(command: string, answer: JsonObject): DriverCapabilities {
  const given = answer['capabilities'] ?? {};
  if (!isJsonObject(given)) throw malformed(command, 'capabilities is not an object');
  const named = lowerCased(given);
  const pairs = Object.entries(defaults).map(([name, fallback]) => {
    const value = named[name.toLowerCase()] ?? fallback;
    if (typeof value !== 'boolean') throw malformed(command, `capability ${name} is not true or false`);
    return [name, value] as const;
  });
  return { ...defaults, ...Object.fromEntries(pairs) };
}

function parse(command: string, output: string): JsonObject {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch (error) {
    throw malformed(command, `${JSON.stringify(output.slice(0, 200))} is not JSON`, error);
  }
  if (!isJsonObject(answer)) throw malformed(command, 'it is not an object');
  return lowerCased(answer);
}

function text(command: string, answer: JsonObject, name: string): string {
  const value = answer[name] ?? '';
  if (typeof value !== 'string') throw malformed(command, `${name} is not a string`);
  return value;
}

/** Go finds the fields of an answer whatever the case of their names, and drivers rely on it. */
function lowerCased(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
}

function malformed(command: string, problem: string, cause?: unknown): KubeletError {
  return new KubeletError(`the answer to ${command} is malformed: ${problem}`, { code: 'data-loss', cause });
}
