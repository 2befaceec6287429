/** The little XML that WebDAV and OCS need. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

export interface Element {
  /** With the customary prefix, e.g. `d:href`; `{namespace}name` where there is none. */
  name: string;
  children: Element[];
  /** Its own text, without that of its children. */
  text: string;
}

export const NAMESPACES: { [prefix: string]: string } = {
  d: 'DAV:',
  s: 'http://sabredav.org/ns',
  oc: 'http://owncloud.org/ns',
  nc: 'http://nextcloud.org/ns',
};
const prefixes = new Map(Object.entries(NAMESPACES).map(([prefix, uri]) => [uri, prefix]));

type Parsed = { [name: string]: Parsed[] } & {
  ':@'?: { [attribute: string]: string };
  '#text'?: string;
};
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  parseTagValue: false,
  ignoreDeclaration: true,
  trimValues: false,
});

/** @throws Error on what is no XML document, also where a prefix is not declared */
export function parseXml(text: string): Element {
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(valid.err.msg);
  const [root] = (parser.parse(text) as Parsed[]).flatMap((one) => element(one, {}));
  if (!root) throw new Error('There is no element.');
  return root;
}

function element(parsed: Parsed, inherited: { [prefix: string]: string }): Element[] {
  const tag = Object.keys(parsed).find((key) => key !== ':@' && key !== '#text');
  if (tag === undefined) return [];
  const scope = { ...inherited };
  for (const [attribute, uri] of Object.entries(parsed[':@'] ?? {})) {
    const [, prefix] = /^@_xmlns(?::(.+))?$/.exec(attribute) ?? ['', null];
    if (prefix !== null) scope[prefix ?? ''] = uri;
  }
  const inside = parsed[tag] ?? [];
  return [
    {
      name: qualified(tag, scope),
      children: inside.flatMap((one) => element(one, scope)),
      text: inside
        .map((one) => one['#text'] ?? '')
        .join('')
        .trim(),
    },
  ];
}

function qualified(tag: string, scope: { [prefix: string]: string }): string {
  const [, prefix = '', local = tag] = /^(?:(.+):)?(.+)$/.exec(tag) ?? [];
  const uri = scope[prefix];
  if (uri === undefined && prefix !== '')
    throw new Error(`Namespace prefix ${prefix} is not defined.`);
  if (uri === undefined) return local;
  return prefixes.has(uri) ? `${prefixes.get(uri)}:${local}` : `{${uri}}${local}`;
}

export const child = (parent: Element | undefined, name: string): Element | undefined =>
  parent?.children.find((one) => one.name === name);

export const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** An element by its qualified name, around markup. */
export function tag(name: string, content = ''): string {
  const [, uri, local] = /^\{(.*)\}(.+)$/.exec(name) ?? [];
  const [open, close] =
    uri === undefined ? [name, name] : [`x:${local} xmlns:x="${escapeXml(uri)}"`, `x:${local}`];
  return content === '' ? `<${open}/>` : `<${open}>${content}</${close}>`;
}

/** An element around text, which may be empty. */
export const textTag = (name: string, text: string): string => `<${name}>${text}</${name}>`;

/** Data as OCS writes it: lists and numbered members are `element`s, true is 1 and false is nothing. */
export function dataXml(name: string, value: unknown, depth = 0): string {
  const indent = ' '.repeat(depth);
  const tagName = /^\d/.test(name) ? 'element' : name;
  if (value === null || (Array.isArray(value) && value.length === 0))
    return `${indent}<${tagName}/>\n`;
  if (typeof value !== 'object')
    return `${indent}<${tagName}>${value === true ? '1' : value === false ? '' : escapeXml(String(value))}</${tagName}>\n`;
  const inside = Object.entries(value).map(([key, one]) => dataXml(key, one, depth + 1));
  return `${indent}<${tagName}>\n${inside.join('')}${indent}</${tagName}>\n`;
}
