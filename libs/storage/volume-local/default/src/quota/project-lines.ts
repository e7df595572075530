import { KubeletError } from '@podwright/errors';

/** Lines of /etc/projects (`<id>:<directory>`) and of /etc/projid (`<name>:<id>`). */
export interface ProjectLines {
  readonly projects: readonly string[];
  readonly names: readonly string[];
}

/** Lowest ID for volumes; smaller ones are for the administrator. */
export const firstProjectId = 1_048_577;

/** The project of a directory; undefined when it has none. */
export function projectOf({ projects }: ProjectLines, directory: string): number | undefined {
  return projects.map(parseProject).find((project) => project?.directory === directory)?.id;
}

/** All IDs that a line of either file has. */
export function idsIn({ projects, names }: ProjectLines): ReadonlySet<number> {
  const ofNames = names.flatMap((line) => /^[^#:][^:]*:(\d+)$/.exec(line)?.[1] ?? []).map(Number);
  return new Set([...projects.flatMap((line) => parseProject(line)?.id ?? []), ...ofNames]);
}

export function withProject(lines: ProjectLines, directory: string, id: number): ProjectLines {
  return { projects: [...lines.projects, `${id}:${directory}`], names: [...lines.names, `volume${id}:${id}`] };
}

/** Without the directory; its project's name goes with the project's last directory. */
export function withoutProject(lines: ProjectLines, directory: string): ProjectLines {
  const id = projectOf(lines, directory);
  if (id === undefined) {
    throw new KubeletError(`cannot find quota associated with path ${directory}`, { code: 'not-found' });
  }
  const projects = lines.projects.filter((line) => parseProject(line)?.directory !== directory);
  const isUsed = projects.some((line) => parseProject(line)?.id === id);
  return { projects, names: isUsed ? lines.names : lines.names.filter((line) => !line.endsWith(`:${id}`)) };
}

function parseProject(line: string): { readonly id: number; readonly directory: string } | undefined {
  const [, id, directory] = /^(\d+):(.*)$/.exec(line) ?? [];
  return id === undefined || directory === undefined ? undefined : { id: Number(id), directory };
}
