import { KubeletError } from '@podwright/errors';

/**
 * Collects the faults of a query's fields and reports them together. Texts: kubernetes v1.36
 * apimachinery/pkg/util/validation/field.
 */
export class FieldFaults {
  private readonly messages = new Set<string>();

  /** `shown`: the value as the message shows it, with quotes if it is text. */
  invalid(field: string, shown: string, detail: string): void {
    this.messages.add(`${field}: Invalid value: ${shown}: ${detail}`);
  }

  required(field: string, detail: string): void {
    this.messages.add(`${field}: Required value: ${detail}`);
  }

  tooMany(field: string, actual: number, most: number): void {
    this.messages.add(`${field}: Too many: ${actual}: must have at most ${most} items`);
  }

  /** Throws `invalid-argument`. */
  throwIfAny(): void {
    const all = [...this.messages];
    if (all.length === 0) return;
    throw new KubeletError(all.length === 1 ? (all[0] ?? '') : `[${all.join(', ')}]`, { code: 'invalid-argument' });
  }
}
