import { describe, expect, it } from '@jest/globals';
import { defaultKubeletConfiguration, kubeletConfigurationSchema } from '@podwright/kubelet-configuration';
import type { ObjectSchema } from '@podwright/pod-manifest';
import {
  fieldsWithoutCounterpart,
  inertFields,
  partlyEffectiveFields,
  partlyHonouredFields,
  pointlessFields,
  readingFields,
  steeringFields,
} from './effective-fields.js';

const defaults = defaultKubeletConfiguration({});

describe('fields without effect', () => {
  it('are none in a configuration of defaults', () => {
    expect(inertFields(defaults)).toEqual([]);
  });

  it('are named when they are set, by their path', () => {
    const configuration = {
      ...defaults,
      syncFrequency: '2m0s',
      contentType: 'application/json',
    };
    expect(inertFields(configuration)).toEqual(['contentType']);
  });

  it('are not those that switch off what does not exist', () => {
    expect(inertFields({ ...defaults, enableServer: false, failSwapOn: false, registerNode: false })).toEqual([]);
  });

  it('are not those that are honoured in part, which are told with their part', () => {
    const configuration = { ...defaults, showHiddenMetricsForVersion: '1.35' };
    expect(inertFields(configuration)).toEqual([]);
    expect(partlyHonouredFields(configuration)).toEqual({
      showHiddenMetricsForVersion: partlyEffectiveFields['showHiddenMetricsForVersion'],
    });
    expect(partlyHonouredFields(defaults)).toEqual({});
  });

  it('are not those that have no counterpart, which are told with the reason', () => {
    const configuration = { ...defaults, hairpinMode: 'none', iptablesDropBit: 7 };
    expect(inertFields(configuration)).toEqual([]);
    expect(Object.keys(pointlessFields(configuration))).toEqual(['hairpinMode', 'iptablesDropBit']);
    expect(pointlessFields(defaults)).toEqual({});
  });

  it('every listed field exists', () => {
    const exists = (path: string): boolean => {
      let schema: ObjectSchema | undefined = kubeletConfigurationSchema;
      for (const key of path.split('.')) {
        const field: unknown = schema?.fields[key];
        if (field === undefined) return false;
        schema = (field as ObjectSchema).kind === 'object' ? (field as ObjectSchema) : undefined;
      }
      return true;
    };
    const listed = [steeringFields, readingFields, partlyEffectiveFields, fieldsWithoutCounterpart].flatMap((fields) =>
      Object.keys(fields),
    );
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((path) => !exists(path))).toEqual([]);
  });
});
