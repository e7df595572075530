/**
 * Writes a state after it has changed: changes of one turn become one write, changes during a write one more. `write` must not
 * reject; what it could not write, the next change writes again.
 */
export class ChangeWriter {
  private writing: Promise<void> | undefined;
  private isDirty = false;

  constructor(private readonly write: () => Promise<void>) {}

  changed(): void {
    this.isDirty = true;
    this.writing ??= this.writeChanges();
  }

  /** Resolves when all changes made so far are written, or could not be. */
  async flushed(): Promise<void> {
    await this.writing;
  }

  private async writeChanges(): Promise<void> {
    // What follows in this turn goes into the same write.
    await Promise.resolve();
    while (this.isDirty) {
      this.isDirty = false;
      await this.write();
    }
    this.writing = undefined;
  }
}
