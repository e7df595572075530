/** The JSON form of a client class: dates are RFC 3339 strings, methods are gone, everything is read-only. */
export type Json<T> = T extends Date
  ? string
  : T extends (...args: never[]) => unknown
    ? never
    : T extends readonly (infer U)[]
      ? readonly Json<U>[]
      : T extends object
        ? { readonly [K in keyof T]: Json<T[K]> }
        : T;
