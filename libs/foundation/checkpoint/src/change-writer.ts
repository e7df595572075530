/**
 * Writes a state after changes. All changes in one turn share one write, and all changes during a write share the next.
 * `write` must not reject; after a failure, the next change writes the state again.
 */
export class ChangeWriter {
  private writing: Promise<void> | undefined;
  private isDirty = false;

  constructor(private readonly write: () => Promise<void>) {}

  changed(): void {
    this.isDirty = true;
    this.writing ??= this.writeChanges();
  }

  /** Resolves when all changes so far are written or have failed to be. */
  async flushed(): Promise<void> {
    await this.writing;
  }

  private async writeChanges(): Promise<void> {
    // So that later changes in this turn share the write.
    await Promise.resolve();
    while (this.isDirty) {
      this.isDirty = false;
      await this.write();
    }
    this.writing = undefined;
  }
}
