import { KubeletError, messageOf } from '@podwright/errors';
import { isJsonObject, type JsonObject } from '@podwright/kube-types';
import type { IdRange } from './id-range.js';

/** Name of the file in the pod's directory. */
export const mappingFile = 'userns';

interface Mapping {
  readonly hostId: number;
  readonly containerId: number;
  readonly length: number;
}

/** Upstream's file: one mapping, the same for users and groups. */
export function encodeMapping({ firstId, length }: IdRange): string {
  const mapping: Mapping = { hostId: firstId, containerId: 0, length };
  return JSON.stringify({ uidMappings: [mapping], gidMappings: [mapping] });
}

/**
 * Parses a mapping file. Throws `data-loss` for anything that {@link encodeMapping} would not have written. Source:
 * kubernetes v1.36 pkg/kubelet/userns/userns_manager.go parseUserNsFileAndRecord.
 */
export function decodeMapping(content: string): IdRange {
  const { uidMappings, gidMappings } = parse(content);
  const [users] = uidMappings;
  const [groups] = gidMappings;
  if (users === undefined || uidMappings.length !== 1) throw invalid('no more than one mapping allowed.');
  if (groups === undefined || gidMappings.length !== 1) throw invalid('GID and UID mappings should be identical.');
  if (users.hostId !== groups.hostId || users.containerId !== groups.containerId || users.length !== groups.length) {
    throw invalid('GID and UID mapping should be identical');
  }
  // Some runtimes assume that root is mapped.
  if (users.containerId !== 0) throw invalid('UID 0 must be mapped');
  return { firstId: users.hostId, length: users.length };
}

function parse(content: string): { uidMappings: readonly Mapping[]; gidMappings: readonly Mapping[] } {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw malformed(messageOf(error), error);
  }
  const { uidMappings, gidMappings } = asObject(value);
  return { uidMappings: asMappings(uidMappings), gidMappings: asMappings(gidMappings) };
}

function asMappings(value: unknown): readonly Mapping[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw malformed('mappings must be lists');
  return value.map((item: unknown) => {
    const { hostId, containerId, length } = asObject(item);
    return { hostId: asId(hostId), containerId: asId(containerId), length: asId(length) };
  });
}

function asObject(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw malformed('an object was expected');
  return value;
}

/** A missing number counts as 0, as in Go. */
function asId(value: unknown = 0): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= 2 ** 32) {
    throw malformed('ids must be whole numbers below 2^32');
  }
  return value;
}

const invalid = (problem: string): KubeletError =>
  new KubeletError(`invalid user namespace configuration: ${problem}`, { code: 'data-loss' });
const malformed = (problem: string, cause?: unknown): KubeletError =>
  new KubeletError(`invalid user namespace mappings file: ${problem}`, { code: 'data-loss', cause });
