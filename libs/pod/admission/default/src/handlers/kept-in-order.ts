/** A list that many add to; a copy is made at each change, so that readers need none. */
export class KeptInOrder<T> {
  private list: readonly { readonly item: T }[] = [];
  private view: readonly T[] = [];

  /** Returns remove, which may be called twice. */
  add(item: T): () => void {
    const entry = { item };
    this.set([...this.list, entry]);
    return () => this.set(this.list.filter((other) => other !== entry));
  }

  items(): readonly T[] {
    return this.view;
  }

  private set(list: readonly { readonly item: T }[]): void {
    this.list = list;
    this.view = list.map(({ item }) => item);
  }
}
