import type { Answer } from '@podwright/http-answer';
import type { Route, ServerRequest } from '@podwright/server-interface';
import { encodeStructure } from './encode-structure.js';
import { acceptedMediaTypes, negotiateZpage } from './negotiate-zpage.js';

/** One page about the process; its content is created for each request. */
export interface Zpage {
  readonly path: '/flagz' | '/statusz';
  readonly kind: 'Flagz' | 'Statusz';
  /** Whether CBOR is offered too. */
  readonly cbor: boolean;
  /** The text after the heading. */
  text(): string;
  /** The fields after `metadata` in JSON and YAML. */
  fields(): Readonly<Record<string, unknown>>;
}

/** The route of a page. Source: kubernetes v1.36 apiserver/pkg/server/flagz/flagz.go, statusz/statusz.go. */
export function zpageRoute(page: Zpage): Route {
  const name = page.path.slice(1);
  const handle = async (request: ServerRequest): Promise<Answer> => {
    const wish = negotiateZpage(request.headers.accept, page.kind, page.cbor);
    if (wish.form === 'text') {
      return {
        status: 200,
        headers: { 'Content-Type': 'text/plain; charset=utf-8' },
        body: heading(name) + page.text(),
      };
    }
    if (wish.form === 'not-acceptable') {
      const message = `only the following media types are accepted: ${acceptedMediaTypes(page.cbor)}`;
      const status = { ...failure, message, reason: 'NotAcceptable', code: 406 };
      const raw = wish.mediaType === 'raw';
      const body = raw ? JSON.stringify(status, undefined, 2) : await encodeStructure(status, wish.mediaType, request);
      return { status: 406, headers: { 'Content-Type': raw ? 'application/json' : wish.mediaType }, body };
    }
    const { mediaType, version } = wish;
    const value = {
      kind: page.kind,
      apiVersion: `config.k8s.io/${version}`,
      metadata: { name: 'kubelet' },
      ...page.fields(),
    };
    const contentType = `${mediaType};g=config.k8s.io;v=${version};as=${page.kind}`;
    const headers = { 'Content-Type': contentType, ...(version === 'v1alpha1' && { Warning: deprecated(name) }) };
    return { status: 200, headers, body: await encodeStructure(value, mediaType, request) };
  };
  return { path: page.path, methods: 'any', metricPath: name, handle };
}

/** Separators between name and value. Picked at random, so that no program relies on the format. */
export const separators: readonly string[] = [':', ': ', '=', ' '];

const failure = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
const heading = (name: string): string =>
  `\nkubelet ${name}\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.\n`;
const deprecated = (name: string): string =>
  `299 - "This version of the ${name} endpoint is deprecated. Please use a newer version."`;
