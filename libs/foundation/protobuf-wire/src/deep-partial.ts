/** A message in which any field may be absent, such as a request. Absent means zero or empty on the wire. */
export type DeepPartial<T> = T extends Uint8Array | bigint | string | number | boolean | undefined
  ? T
  : T extends (infer U)[]
    ? readonly DeepPartial<U>[]
    : T extends object
      ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
      : T;
