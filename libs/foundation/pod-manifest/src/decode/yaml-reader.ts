import { KubeletError, messageOf } from '@podwright/errors';
import type { Alias, CST, Document, Scalar } from 'yaml';
import { Composer, isAlias, isMap, isScalar, isSeq, LineCounter, Parser } from 'yaml';
import { isSourceObject, type DecodeFault, type SourceDocument, type SourceValue } from './source-value.js';
import { childPath, maxDepth } from './source-value.js';
import { yamlScalar } from './yaml-scalar.js';

/** The most nodes that aliases may add to a document: enough for shared blocks, far below a YAML bomb. */
const maxAliasedNodes = 10_000;

/**
 * Parses one YAML 1.1 document as {@link readYamlStream} does.
 * @throws KubeletError `invalid-argument` for text that is no YAML, or has more than one document.
 */
export function readYaml(text: string): SourceDocument {
  const documents = readYamlStream(text);
  if (documents.length > 1) {
    throw yamlError(`holds ${documents.length} documents separated by '---', but only one object per file is read`);
  }
  return documents[0] ?? { value: null, faults: [] };
}

/**
 * Parses YAML 1.1 documents as Go's sigs.k8s.io/yaml does. Resolves aliases and merge keys up to a bound per document.
 * Leaves out empty documents.
 * @throws KubeletError `invalid-argument` for text that is no YAML.
 */
export function readYamlStream(text: string): readonly SourceDocument[] {
  const lines = new LineCounter();
  refuseControlCharacters(text);
  const documents = compose([...new Parser(lines.addNewLine).parse(text)], lines);
  const filled = documents.filter((document) => !isEmptyDocument(document));
  return filled.map((document) => new YamlWalk(text, document, lines).run());
}

/**
 * Parses the first YAML 1.1 document of a text, which may be empty, and nothing after it: that may be any text.
 * @throws KubeletError `invalid-argument` for a document that is no YAML.
 */
export function readFirstYaml(text: string): FirstDocument {
  const lines = new LineCounter();
  refuseControlCharacters(text);
  const tokens: CST.Token[] = [];
  let hasMore = false;
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    hasMore = token.type === 'document' && tokens.some(({ type }) => type === 'document');
    if (hasMore) break;
    tokens.push(token);
  }
  const [document] = compose(tokens, lines);
  const read = document === undefined ? { value: null, faults: [] } : new YamlWalk(text, document, lines).run();
  return { ...read, hasMore };
}

/** A document, and whether another one begins after it. */
export interface FirstDocument extends SourceDocument {
  readonly hasMore: boolean;
}

function compose(tokens: readonly CST.Token[], lines: LineCounter): readonly Document.Parsed[] {
  for (const token of tokens) refuseDepth(token, lines);
  const composer = new Composer({
    version: '1.1',
    // All scalars are text for the library.
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: false,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: lines,
  });
  stopAtFirstFault(composer, lines);
  const documents = [...composer.compose(tokens)] as Document.Parsed[];
  for (const document of documents) {
    const [fault] = document.errors;
    if (fault !== undefined) throw yamlError(`at line ${lines.linePos(fault.pos[0]).line}: ${fault.message}`, fault);
  }
  return documents;
}

/**
 * The composer goes on after a fault and collects them all, each with a stack trace: a file of 1 MiB has 100,000 of them. If
 * a later version of the library has no such method, it only takes longer.
 */
function stopAtFirstFault(composer: Composer, lines: LineCounter): void {
  let first: KubeletError | undefined;
  const onError = (source: FaultSource, code: string, message: string, isWarning = false): void => {
    if (isWarning && code === 'TAG_RESOLVE_FAILED') return;
    const offset = typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0];
    // What resolves tags catches it, and reports it as a fault of its own.
    throw (first ??= yamlError(`at line ${lines.linePos(offset).line}: ${message}`));
  };
  Object.assign(composer, { onError });
}

type FaultSource = number | readonly [begin: number, end: number] | { readonly offset: number };

/**
 * The composer recurses into each level, and V8 ends the process when it compiles a regular expression on a stack that is
 * almost full. So this check comes first and does not recurse. A collection is several tokens deep.
 */
function refuseDepth(token: CST.Token, lines: LineCounter): void {
  const open: [token: CST.Token | null | undefined, depth: number][] = [[token, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [each, depth] = next;
    if (each === null || each === undefined) continue;
    if (depth > 2 * maxDepth) {
      throw yamlError(`at line ${lines.linePos(each.offset).line}: nested deeper than ${maxDepth} levels`);
    }
    if (each.type === 'document') open.push([each.value, depth]);
    else if ('items' in each) for (const { key, value } of each.items) open.push([key, depth + 1], [value, depth + 1]);
  }
}

/** As Go's YAML reader. */
function refuseControlCharacters(text: string): void {
  const place = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/);
  if (place < 0) return;
  const line = text.slice(0, place).split('\n').length;
  throw yamlError(`at line ${line}: control characters are not allowed`);
}

function isEmptyDocument({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.type === 'PLAIN' && yamlScalar(contents) === null);
}

function yamlError(message: string, cause?: unknown): KubeletError {
  return new KubeletError(`invalid YAML ${message}`, { code: 'invalid-argument', cause });
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly aliased: boolean;
}

class YamlWalk {
  private readonly faults: DecodeFault[] = [];
  private readonly open = new Set<unknown>();
  private aliasedNodes = 0;

  constructor(
    private readonly text: string,
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
  ) {}

  run(): SourceDocument {
    return { value: this.value(this.document.contents, { path: '', depth: 0, aliased: false }), faults: this.faults };
  }

  private value(node: unknown, place: Place): SourceValue {
    if (place.depth > maxDepth) throw yamlError(`at ${place.path}: nested deeper than ${maxDepth} levels`);
    if (place.aliased && (this.aliasedNodes += 1) > maxAliasedNodes) {
      throw yamlError(`at ${place.path}: aliases add more than ${maxAliasedNodes} nodes`);
    }
    if (node === null || node === undefined) return null;
    if (isScalar(node)) return this.scalar(node, place.path);
    if (this.open.has(node)) throw yamlError(`at ${place.path}: an anchor contains itself`);
    this.open.add(node);
    try {
      if (isAlias(node)) return this.value(this.anchored(node), { ...place, aliased: true });
      if (isSeq(node)) return this.list(node.items, place);
      if (isMap(node)) return this.object(node.items, place);
    } finally {
      this.open.delete(node);
    }
    throw yamlError(`at ${place.path}: unsupported node`);
  }

  private list(items: readonly unknown[], place: Place): SourceValue {
    return items.map((item, index) =>
      this.value(item, { path: `${place.path}[${index}]`, depth: place.depth + 1, aliased: place.aliased }),
    );
  }

  private object(pairs: readonly { key: unknown; value: unknown }[], place: Place): SourceValue {
    const result = Object.create(null) as Record<string, SourceValue>;
    const own = new Set<string>();
    for (const pair of pairs) {
      const below = (path: string): Place => ({ path, depth: place.depth + 1, aliased: place.aliased });
      if (isMergeKey(pair.key)) {
        // As in Go, what comes later counts, a merge or a key.
        const sources = [this.value(pair.value, below(place.path))].flat();
        for (const source of sources.reverse()) mergeInto(result, source, place.path);
        continue;
      }
      const key = this.key(pair.key, place);
      const path = childPath(place.path, key);
      if (own.has(key))
        this.faults.push({ kind: 'duplicate-key', path, message: `duplicate key${this.lineOf(pair.key)}` });
      own.add(key);
      result[key] = this.value(pair.value, below(path));
    }
    return result;
  }

  private key(node: unknown, place: Place): string {
    const target = isAlias(node) ? this.anchored(node) : node;
    const value = isScalar(target) ? this.scalar(target, place.path) : undefined;
    if (value === undefined || value === null || typeof value === 'object') {
      throw yamlError(`${this.lineOf(node).trim()}: a key must be a plain value`);
    }
    return String(value);
  }

  private anchored(alias: Alias): unknown {
    const target = alias.resolve(this.document);
    if (target === undefined)
      throw yamlError(`${this.lineOf(alias).trim()}: unknown anchor '${alias.source}' referenced`);
    return target;
  }

  private scalar(node: Scalar, path: string): SourceValue {
    let value: SourceValue;
    try {
      value = yamlScalar(node);
    } catch (error) {
      throw yamlError(`at ${path}: ${messageOf(error)}`);
    }
    if (typeof value === 'number' && !Number.isFinite(value)) throw yamlError(`at ${path}: ${value} has no JSON form`);
    if (typeof value !== 'string') return value;
    if (/\p{Surrogate}/u.test(value)) throw yamlError(`at ${path}: found invalid Unicode character escape code`);
    return this.endsTornBlock(node) ? value.replace(/\n$/, '') : value;
  }

  /** The library adds the line break that a block at the end of a text lacks. */
  private endsTornBlock({ type, range }: Scalar): boolean {
    const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
    return isBlock && range?.[1] === this.text.length && !this.text.endsWith('\n');
  }

  private lineOf(node: unknown): string {
    const offset = (isScalar(node) || isAlias(node)) && node.range ? node.range[0] : undefined;
    return offset === undefined ? '' : ` (line ${this.lines.linePos(offset).line})`;
  }
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN' && key.tag === undefined;
}

function mergeInto(result: Record<string, SourceValue>, source: SourceValue, path: string): void {
  if (!isSourceObject(source)) {
    throw yamlError(`at ${path === '' ? 'the top' : path}: '<<' takes an object or a list of objects`);
  }
  for (const [key, value] of Object.entries(source)) result[key] = value as SourceValue;
}
