import path from 'node:path';

/** A link from a page to another file of the repository. Links to other sites are left out. */
export interface PageLink {
  /** Relative to the repository; the page itself for a bare `#heading`. */
  readonly file: string;
  /** Heading anchor without `#`; empty when the link has none. */
  readonly anchor: string;
}

export function pageLinks(markdown: string, page: string): readonly PageLink[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return targets
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      return { file: file === '' ? page : path.join(path.dirname(page), file), anchor };
    });
}

/** Anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): readonly string[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
