/** Requests may leave out what is zero or empty on the wire; answers are always complete. */
export type DeepPartial<T> = T extends Uint8Array | bigint | string | number | boolean | undefined
  ? T
  : T extends (infer U)[]
    ? readonly DeepPartial<U>[]
    : T extends object
      ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
      : T;
