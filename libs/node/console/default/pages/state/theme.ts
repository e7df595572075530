import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const themes: readonly Theme[] = ['system', 'light', 'dark'];
const key = 'podwright-console-theme';

export const theme = signal<Theme>(themes.find((each) => each === localStorage.getItem(key)) ?? 'system');
/** Counts the changes of colours, so that canvases know when to draw again. */
export const colours = signal(0);

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
}

effect(() => {
  localStorage.setItem(key, theme.value);
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
  colours.value = colours.peek() + 1;
});
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  colours.value += 1;
});

/** What a custom property of the style sheet comes to now, for a canvas. */
export function colourOf(property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
