import type { ObjectMeta } from '@podwright/kube-types';

/** A field's value as it stands in JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [field: string]: JsonValue | undefined;
}

/** Any object of the API as the server keeps it: plain JSON, never changed once it is stored. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** An object of a kind with a known shape, as the server keeps it. */
export type Stored<T> = T & ApiObject;

/** RFC 3339 with whole seconds, as metav1.Time writes it. */
export function timestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with microseconds, as metav1.MicroTime writes it. */
export function microTimestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 23)}000Z`;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
