import { labelValue, qualifiedName } from '@podwright/kube-types';
import type { Taint } from '../kubelet-configuration.js';
import { kind } from './flag-kinds.js';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/**
 * `key=value:effect,...`; an item that ends with `-` has no effect, but must be valid. The last occurrence counts.
 * Source: kubernetes v1.36 pkg/util/taints/taints.go ParseTaints.
 */
export const taints = kind<readonly Taint[]>(
  '[]v1.Taint',
  (text) => {
    const result: Taint[] = [];
    for (const spec of text === '' ? [] : text.split(',')) {
      const taint = parseTaint(spec.replace(/-$/, ''));
      if (spec.endsWith('-')) continue;
      const { key, value = '', effect } = taint;
      if (effect === '') throw new Error(`invalid taint spec: ${spec}`);
      if (result.some((each) => each.key === key && each.effect === effect))
        throw new Error(`duplicated taints with the same key and effect: {${key} ${value} ${effect} <nil>}`);
      result.push(taint);
    }
    return result;
  },
  { show: (list) => list.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`).join(',') },
);

function parseTaint(spec: string): Taint {
  const [name = '', effect, ...others] = spec.split(':');
  if (others.length > 0) throw new Error(`invalid taint spec: ${spec}`);
  if (effect === undefined) return { key: valid(spec, name, qualifiedName), effect: '' };
  if (!effects.includes(effect)) throw new Error(`invalid taint effect: ${effect}, unsupported taint effect`);
  const [key = '', value = '', ...more] = name.split('=');
  if (more.length > 0) throw new Error(`invalid taint spec: ${spec}`);
  valid(spec, value, labelValue);
  return { key: valid(spec, key, qualifiedName), effect, ...(value !== '' && { value }) };
}

function valid(spec: string, part: string, faultsOf: (text: string) => readonly string[]): string {
  const faults = faultsOf(part);
  if (faults.length > 0) throw new Error(`invalid taint spec: ${spec}, ${faults.join('; ')}`);
  return part;
}
