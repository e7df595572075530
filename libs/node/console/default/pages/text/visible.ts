/**
 * What a reader does not see or what changes the order of letters: control characters, zero-width ones, and marks of
 * direction. Shown as their code, so that no name looks like another one.
 * The joiner of two emoji is a part of their picture.
 */

const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/gu;
const hiddenInLog = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/gu;

export const visible = (text: string): string => text.replace(hidden, codeOf);
/** As {@link visible}, but with the tabs and line breaks of a log, and without what only colours it. */
export const visibleLog = (text: string): string =>
  text
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replace(/\r\n/g, '\n')
    .replace(hiddenInLog, codeOf);

const codeOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
