/** What git says about the checkout that is to be published. */
export interface CheckoutState {
  /** Lines of `git status --porcelain`. */
  readonly changes: readonly string[];
  readonly commit: string;
  readonly authorEmail: string;
  /** Annotated tags at the commit. */
  readonly tags: readonly { readonly name: string; readonly taggerEmail: string }[];
}

/** Reasons not to publish; none if all is well. A second person approves by tagging the commit. */
export function publishRefusals({ changes, commit, authorEmail, tags }: CheckoutState): readonly string[] {
  const refusals: string[] = [];
  if (changes.length > 0) {
    refusals.push(
      `the working tree has changes; commit or remove them:\n${changes.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  const releases = tags.filter(({ name }) => name.startsWith('release-'));
  const named = releases.map(({ name }) => name).join(', ');
  if (releases.length === 0) {
    refusals.push(
      `no annotated tag release-* is at ${commit.slice(0, 12)}; a second person reviews the commit and approves it: git tag -a release-YYYY-MM-DD`,
    );
  } else if (releases.every(({ taggerEmail }) => taggerEmail.toLowerCase() === authorEmail.toLowerCase())) {
    refusals.push(`${named}: ${authorEmail} made both the tag and the commit; a second person has to tag it`);
  }
  return refusals;
}
