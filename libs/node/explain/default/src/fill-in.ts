/** The sentence with its names filled in; a name that is not given becomes `?`. */
export function fillIn(text: string, about: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => about[name] ?? '?');
}
