import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import type { CodecTarget } from './targets.js';
import { decodeFunction, encodeFunction, messageName } from './wire-functions.js';

/**
 * Generates encoders for the messages that one side sends and decoders for those that it receives, as straight code
 * over a small reader and writer. The measurements behind it are in docs/decisions/0010-cri-codec.md.
 */
export function generateCodecs({ proto, side, types }: Omit<CodecTarget, 'kind' | 'output'>): string {
  const { root } = protobuf.parse(readFileSync(proto, 'utf8'), { keepCase: true });
  root.resolveAll();
  const services = servicesOf(root);
  const methods = services.flatMap((service) => service.methodsArray);
  const requests = methods.map((method) => method.resolvedRequestType as protobuf.Type);
  const responses = methods.map((method) => method.resolvedResponseType as protobuf.Type);
  const sent = reachable(side === 'client' ? requests : responses);
  const received = reachable(side === 'client' ? responses : requests);
  const code = [
    ...sent.map(encodeFunction),
    ...received.map(decodeFunction),
    ...services.flatMap((service) => methodTable(service, side)),
  ];
  const wire = ['emptyBytes', 'Reader', 'Writer'].filter((name) => code.some((part) => part.includes(name)));
  const lines = [
    '// Generated from the proto file by tools/codegen. Do not edit.',
    `import type * as t from '${types}';`,
    "import type { DeepPartial } from '@podwright/protobuf-wire';",
    `import { ${wire.join(', ')} } from '@podwright/protobuf-wire';`,
    '',
    ...code,
  ];
  return `${lines.join('\n')}\n`;
}

function servicesOf(root: protobuf.Root): protobuf.Service[] {
  const services: protobuf.Service[] = [];
  const visit = (namespace: protobuf.NamespaceBase): void => {
    for (const nested of namespace.nestedArray) {
      if (nested instanceof protobuf.Service) services.push(nested);
      else if (nested instanceof protobuf.Namespace) visit(nested);
    }
  };
  visit(root);
  return services;
}

/** The messages and all messages in their fields, each once, in a stable order. */
function reachable(roots: readonly protobuf.Type[]): protobuf.Type[] {
  const seen = new Set<protobuf.Type>();
  const visit = (type: protobuf.Type): void => {
    if (seen.has(type)) return;
    seen.add(type);
    for (const field of type.fieldsArray) if (field.resolvedType instanceof protobuf.Type) visit(field.resolvedType);
  };
  roots.forEach(visit);
  return [...seen].sort((a, b) => messageName(a).localeCompare(messageName(b)));
}

function methodTable(service: protobuf.Service, side: 'client' | 'server'): string[] {
  const rows = service.methodsArray.map((method) => {
    const request = messageName(method.resolvedRequestType as protobuf.Type);
    const response = messageName(method.resolvedResponseType as protobuf.Type);
    const [out, back] = side === 'client' ? [request, response] : [response, request];
    const path = `/${service.parent?.fullName.replace(/^\./, '') ?? ''}.${service.name}/${method.name}`;
    const name = method.name.charAt(0).toLowerCase() + method.name.slice(1);
    return (
      `  ${name}: { rpc: '${name}', path: '${path}', stream: ${method.responseStream === true},` +
      ` encode: (m: DeepPartial<t.${out}>): Buffer => { const w = new Writer(); encode${out}(w, m); return w.finish(); },` +
      ` decode: (b: Buffer): t.${back} => { const r = new Reader(b); return decode${back}(r, b.length); } },`
    );
  });
  const table = service.name.charAt(0).toLowerCase() + service.name.slice(1);
  return [`export const ${table}Methods = {`, ...rows, '} as const;', ''];
}
