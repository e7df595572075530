/** The JSON form of a client class: dates are RFC 3339 strings, there are no methods, everything is read-only. */
export type Json<T> = T extends Date
  ? string
  : T extends (...args: never[]) => unknown
    ? never
    : T extends readonly (infer U)[]
      ? readonly Json<U>[]
      : T extends object
        ? { readonly [K in keyof T]: Json<T[K]> }
        : T;

/** A JSON object whose fields are not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object or YAML map: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a text is in JSON; undefined when it is something else or no JSON. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // The answer says it; the caller knows what the text was to be.
  }
}
