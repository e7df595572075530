/**
 * Joins options and values where yargs would not see that they belong together, as kubectl's flags allow: `-ojson` is
 * `-o=json`, `-Aowide` is `-A -o=wide`, `-f -` is `-f=-`. Words after `--` stay. Source: github.com/spf13/pflag
 * parseShortArg.
 */
export function splitShortOptions(words: readonly string[], valueLetters: string): readonly string[] {
  const end = words.indexOf('--');
  const own = end === -1 ? words : words.slice(0, end);
  const split: string[] = [];
  for (const word of own) {
    const before = split.at(-1);
    if (word === '-' && before?.startsWith('-') === true) split[split.length - 1] = `${before}=-`;
    else split.push(...(/^-[A-Za-z]/.test(word) ? splitOne(word, valueLetters) : [word]));
  }
  return end === -1 ? split : [...split, ...words.slice(end)];
}

function splitOne(word: string, valueLetters: string): readonly string[] {
  const at = [...word].findIndex((letter, index) => index > 0 && valueLetters.includes(letter));
  const value = word.slice(at + 1);
  if (at === -1) return [word];
  const flags = word.slice(0, at);
  const option = `-${word[at] ?? ''}`;
  return [...(flags === '-' ? [] : [flags]), value === '' ? option : `${option}=${value.replace(/^=/, '')}`];
}
