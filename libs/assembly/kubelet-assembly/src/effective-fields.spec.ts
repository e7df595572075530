import { describe, expect, it } from '@jest/globals';
import { defaultKubeletConfiguration, kubeletConfigurationSchema } from '@podwright/kubelet-configuration';
import type { ObjectSchema } from '@podwright/pod-manifest';
import {
  fieldsWithoutCounterpart,
  partlyEffectiveFields,
  partlyHonouredFields,
  pointlessFields,
  readingFields,
  steeringFields,
} from './effective-fields.js';

const listed = [steeringFields, readingFields, partlyEffectiveFields, fieldsWithoutCounterpart].flatMap((fields) =>
  Object.keys(fields),
);
const defaults = defaultKubeletConfiguration({});

describe('fields of the configuration', () => {
  it('that are honoured in part are told with their part', () => {
    const configuration = { ...defaults, showHiddenMetricsForVersion: '1.35' };
    expect(partlyHonouredFields(configuration)).toEqual({
      showHiddenMetricsForVersion: partlyEffectiveFields['showHiddenMetricsForVersion'],
    });
    expect(partlyHonouredFields(defaults)).toEqual({});
  });

  it('that have no counterpart are told with the reason', () => {
    const configuration = { ...defaults, hairpinMode: 'none', iptablesDropBit: 7 };
    expect(Object.keys(pointlessFields(configuration))).toEqual(['hairpinMode', 'iptablesDropBit']);
    expect(pointlessFields(defaults)).toEqual({});
  });

  it('are all listed', () => {
    const unlisted = (path: string, schema: ObjectSchema): readonly string[] =>
      Object.entries(schema.fields).flatMap(([key, field]) => {
        const below = path === '' ? key : `${path}.${key}`;
        if (listed.includes(below)) return [];
        return field.kind === 'object' ? unlisted(below, field) : [below];
      });
    expect(unlisted('', kubeletConfigurationSchema)).toEqual(['apiVersion', 'kind']);
  });

  it('exist, if they are listed', () => {
    const exists = (path: string): boolean => {
      let schema: ObjectSchema | undefined = kubeletConfigurationSchema;
      for (const key of path.split('.')) {
        const field: unknown = schema?.fields[key];
        if (field === undefined) return false;
        schema = (field as ObjectSchema).kind === 'object' ? (field as ObjectSchema) : undefined;
      }
      return true;
    };
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((path) => !exists(path))).toEqual([]);
  });
});
