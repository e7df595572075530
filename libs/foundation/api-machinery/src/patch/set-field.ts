/** Sets a field that a client has named: assigning `__proto__` would change what the object inherits, and lose the value. */
export function setField(object: Record<string, unknown>, field: string, value: unknown): void {
  if (field !== '__proto__') object[field] = value;
  else Object.defineProperty(object, field, { value, enumerable: true, configurable: true, writable: true });
}

/** The field as the object itself has it; undefined for one that only every object has. */
export const ownField = (object: Readonly<Record<string, unknown>>, field: string): unknown =>
  Object.hasOwn(object, field) ? object[field] : undefined;
