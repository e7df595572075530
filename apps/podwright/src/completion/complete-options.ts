import { commandList, wordOf } from '../command-list.js';
import { commandIn, optionsOf } from '../command-parser.js';

/** Commands, options, and the values of options that have a choice. Undefined when a name is wanted. */
export function completeOptions(words: readonly string[]): readonly string[] | undefined {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const command = commandIn(before);
  if (command === undefined) return current.startsWith('-') ? ['--help'] : commandList.map(wordOf);
  const options = optionsOf(command);
  if (current.startsWith('-'))
    return Object.keys(options.key)
      .filter((key) => key.length > 1)
      .map((key) => `--${key}`);
  const asked = (before.at(-1) ?? '').replace(/^--?/, '');
  const isOption = before.at(-1)?.startsWith('-') === true;
  if (wordOf(command) === 'completion') return ['bash', 'zsh'];
  if (!isOption || asked === 'c' || asked === 'container') return undefined;
  const choices = options.choices[asked];
  if (choices !== undefined) return choices;
  // The value is free, perhaps a file, which the shell completes.
  return options.string.includes(asked) ? [] : undefined;
}
