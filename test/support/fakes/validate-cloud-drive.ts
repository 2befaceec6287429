/** Holds what the fake is asked and what it answers against the published description of Microsoft Graph. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { header, type Call, type Reply } from '../../../demo/servers/cloud-drive/exchange.js';

const folder = process.env['MOORAGE_REFERENCE_DIR'];

/** Why nothing can be validated; undefined when it can. */
export const validationMissing =
  folder === undefined ? 'MOORAGE_REFERENCE_DIR is not set' : undefined;

let loaded: Contract | undefined;

/** The description, where it is at hand. */
export function contract(): Contract | undefined {
  if (folder === undefined) return undefined;
  return (loaded ??= new Contract(
    JSON.parse(readFileSync(join(folder, 'spec/cloud-drive-openapi.json'), 'utf8')),
  ));
}

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  allOf?: Schema[];
  properties?: { [name: string]: Schema };
  items?: Schema;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}
interface Media {
  [type: string]: { schema: Schema };
}
interface Response {
  $ref?: string;
  headers?: { [name: string]: { required?: boolean; schema: Schema } };
  content?: Media;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Media };
  responses: { [status: string]: Response };
  'x-documented-status'?: number[];
}
interface Description {
  paths: {
    [template: string]: { 'x-path-regex': string; servers?: object[] } & {
      [method: string]: Operation;
    };
  };
  components: { schemas: { [name: string]: Schema } };
  'x-known-properties': { [type: string]: string[] };
  'x-observed-extra': { [type: string]: string[] };
  'x-profiles': { [name: string]: Schema };
}

/** An operation with the JSON pointer to it. */
interface Found {
  pointer: string;
  operation: Operation;
  /** An address as a whole, of which the query says nothing. */
  opaque: boolean;
}

const UPLOAD = '/{upload-url}';
const control = /^@odata\.(context|etag|type|id|count|nextLink|deltaLink)$/;

export class Contract {
  readonly #document: Description;
  readonly #ajv = new Ajv({ strict: false, allErrors: true });
  readonly #templates: { template: string; pattern: RegExp; external: boolean }[];
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Description) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addFormat('base64url', /^[\w-]*=*$/);
    this.#ajv.addSchema(document, 'graph', false, false);
    // The most literal first: `root:/{item-path}` fits `root:/a:/children` too.
    const literal = (template: string) => template.replaceAll(/\{.*?\}/g, '').length;
    this.#templates = Object.entries(document.paths)
      .map(([template, { 'x-path-regex': pattern, servers }]) => ({
        template,
        pattern: new RegExp(pattern),
        external: servers !== undefined,
      }))
      .sort((a, b) => literal(b.template) - literal(a.template));
  }

  /** @param external whether it is for Entra ID or an upload URL; @returns what does not fit */
  request(call: Call, external = false): string | undefined {
    return attempt(`${call.method} ${call.path}`, () => {
      const found = this.#find(call, external);
      this.#checkParameters(found, call);
      this.#checkBody(found, call);
    });
  }

  /** @returns what does not fit */
  answer(call: Call, reply: Reply, external = false): string | undefined {
    return attempt(`${call.method} ${call.path} answered ${reply.status}`, () => {
      const found = this.#find(call, external);
      const [pointer, response] = this.#response(found, reply.status);
      for (const [name, { required, schema }] of Object.entries(response.headers ?? {}))
        this.#checkHeader(name, required, `${pointer}/headers/${name}/schema`, schema, reply);
      this.#checkContent(pointer, response, call, reply);
    });
  }

  #find({ method, path }: Call, external: boolean): Found {
    const template = this.#templates.find(
      (one) => one.external === external && one.pattern.test(path),
    )?.template;
    const operation =
      template === undefined ? undefined : this.#document.paths[template]![method.toLowerCase()];
    if (!operation) throw new Misfit('no such operation is described');
    return {
      pointer: `#/paths/${escaped(template!)}/${method.toLowerCase()}`,
      operation,
      opaque: template === UPLOAD,
    };
  }

  #checkParameters({ pointer, operation, opaque }: Found, call: Call): void {
    const parameters = (operation.parameters ?? []).map((_, index) =>
      this.#resolve<Parameter>(`${pointer}/parameters/${index}`),
    );
    const described = new Map(
      parameters
        .filter(([, { in: place }]) => place === 'query')
        .map(([at, parameter]) => [parameter.name, [at, parameter] as const]),
    );
    for (const [name, value] of opaque ? [] : call.query) {
      const [at, parameter] = described.get(name) ?? [];
      if (!parameter || call.query.getAll(name).length > 1)
        throw new Misfit(`the query parameter ${name} is not described, or is there twice`);
      this.#validate(
        `${at}/schema`,
        coerced(value, parameter.schema),
        `the query parameter ${name}`,
      );
      if (name === '$select') this.#checkSelect(operation, value);
    }
    for (const [at, { name, in: place, required, schema }] of parameters) {
      const value =
        place === 'query' ? (call.query.get(name) ?? undefined) : header(call, name.toLowerCase());
      if (place !== 'path' && required && value === undefined)
        throw new Misfit(`the ${place} parameter ${name} is missing`);
      if (place === 'header' && value !== undefined)
        this.#validate(`${at}/schema`, coerced(value, schema), `the header ${name}`);
    }
  }

  /** Graph refuses to select what a type does not have. */
  #checkSelect({ responses }: Operation, names: string): void {
    const [, { content }] = this.#resolved<Response>(responses['200'] ?? responses['2XX']!);
    const properties = this.#properties(content!['application/json']!.schema);
    const element = properties.get('value')?.items;
    const known = element ? this.#properties(element) : properties;
    for (const name of names.split(','))
      if (!known.has(name))
        throw new Misfit(`$select names ${name}, which is not a known property`);
  }

  #checkBody({ pointer, operation: { requestBody } }: Found, call: Call): void {
    if (call.body.length === 0 && !requestBody?.required) return;
    if (!requestBody) throw new Misfit('a body where none is described');
    const type = mediaType(header(call, 'content-type'));
    const described = type in requestBody.content ? type : '*/*';
    const media = requestBody.content[described];
    // An empty file has an empty body.
    if (!media || (call.body.length === 0 && media.schema.format !== 'binary'))
      throw new Misfit(`the body is missing or its content type is not described: ${type}`);
    if (media.schema.format === 'binary') return;
    const body = type === 'application/x-www-form-urlencoded' ? formOf(call) : parsed(call.body);
    this.#validate(`${pointer}/requestBody/content/${escaped(described)}/schema`, body, 'the body');
    this.#checkKnown(media.schema, body, 'the body');
  }

  /** The description of an answer, with the pointer to it. */
  #response(
    { pointer, operation: { operationId, responses, 'x-documented-status': documented } }: Found,
    status: number,
  ): [string, Response] {
    const exact = String(status);
    const success = documented ? documented.includes(status) : status >= 200 && status < 300;
    const key = [
      exact,
      ...(success && status < 300 ? ['2XX'] : []),
      ...(status >= 400 ? ['default'] : []),
    ].find((one) => one in responses);
    if (key !== undefined) return this.#resolve<Response>(`${pointer}/responses/${key}`);
    if (success && status === 304) return ['', {}];
    throw new Misfit(
      `${operationId} describes ${documented?.join(', ') ?? Object.keys(responses).join(', ')} only`,
    );
  }

  #checkHeader(
    name: string,
    required: boolean | undefined,
    pointer: string,
    schema: Schema,
    { headers }: Reply,
  ): void {
    const value = Object.entries(headers).find(
      ([other]) => other.toLowerCase() === name.toLowerCase(),
    )?.[1];
    if (value === undefined && required) throw new Misfit(`the header ${name} is missing`);
    if (value !== undefined) this.#validate(pointer, coerced(value, schema), `the header ${name}`);
  }

  #checkContent(
    pointer: string,
    { content }: Response,
    call: Call,
    { status, headers, json, content: raw }: Reply,
  ): void {
    const bodiless = json === undefined && (raw === undefined || raw.length === 0);
    if (!content) {
      // Pages have 200 and no described content.
      if (!bodiless && status !== 200) throw new Misfit('a body where none is described');
      return;
    }
    const type = mediaType(headers['Content-Type']);
    const media = content[type];
    if (!media || json === undefined)
      throw new Misfit(`the content type is ${type}, described ${Object.keys(content).join(', ')}`);
    // Members that are undefined do not leave.
    const body = JSON.parse(JSON.stringify(json));
    this.#validate(`${pointer}/content/${escaped(type)}/schema`, body, 'the body');
    this.#checkKnown(media.schema, body, 'the body');
    this.#checkProfiles(media.schema, body, call.query.has('$select'));
  }

  /** Stricter than the description, in which hardly anything is required. */
  #checkProfiles({ $ref = '' }: Schema, body: any, selected: boolean): void {
    const type = $ref.split('/').at(-1);
    const profile = (name: string, value: unknown) =>
      this.#validate(`#/x-profiles/${name}`, value, `the profile ${name}`);
    if (type === 'microsoft.graph.ODataErrors.ODataError') profile('error', body);
    if (type === 'microsoft.graph.driveItemCollectionResponse')
      profile('collection.driveItem', body);
    const items =
      type === 'microsoft.graph.driveItem'
        ? [body]
        : type === 'microsoft.graph.driveItemCollectionResponse'
          ? body.value
          : [];
    for (const item of selected ? [] : items) profile('driveItem.default', item);
  }

  #checkKnown(schema: Schema | undefined, value: unknown, at: string): void {
    if (schema === undefined || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value))
      return value.forEach((element, index) =>
        this.#checkKnown(schema.items, element, `${at}[${index}]`),
      );
    const known = this.#properties(schema);
    for (const [name, inner] of Object.entries(value)) {
      if (known.size > 0 && !known.has(name) && !control.test(name))
        throw new Misfit(`${at}.${name} is not a known property`);
      this.#checkKnown(known.get(name), inner, `${at}.${name}`);
    }
  }

  /** The properties of a type with those that were observed; empty for a type that is open. */
  #properties(schema: Schema): Map<string, Schema> {
    const [pointer, found] = this.#resolved<Schema>(schema);
    const type = pointer.split('/').at(-1) ?? '';
    const names = [
      this.#document['x-known-properties'],
      this.#document['x-observed-extra'],
    ].flatMap((lists) => (type !== '' && lists[type]) || []);
    return new Map([
      ...names.map((name): [string, Schema] => [name, {}]),
      ...(found.allOf ?? []).flatMap((part) => [...this.#properties(part)]),
      ...Object.entries(found.properties ?? {}),
    ]);
  }

  #validate(pointer: string, value: unknown, what: string): void {
    let validate = this.#validators.get(pointer);
    if (!validate)
      this.#validators.set(pointer, (validate = this.#ajv.compile({ $ref: `graph${pointer}` })));
    if (!validate(value))
      throw new Misfit(
        `${what} does not fit: ${this.#ajv.errorsText(validate.errors, { dataVar: '' })}`,
      );
  }

  /** What stands at a pointer, and the pointer to it behind a reference. */
  #resolve<Thing extends { $ref?: string }>(pointer: string): [pointer: string, found: Thing] {
    const found = pointer
      .slice(2)
      .split('/')
      .reduce<any>((at, name) => at[unescaped(name)], this.#document) as Thing;
    return found.$ref === undefined ? [pointer, found] : this.#resolve(found.$ref);
  }

  #resolved<Thing extends { $ref?: string }>(thing: Thing): [pointer: string, found: Thing] {
    return thing.$ref === undefined ? ['', thing] : this.#resolve(thing.$ref);
  }
}

class Misfit extends Error {}

function attempt(place: string, check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Misfit) return `${place}: ${error.message}`;
    throw error;
  }
}

const mediaType = (type = '') => type.split(';')[0]!.trim().toLowerCase();

function coerced(value: string, { type }: Schema): unknown {
  if (type === 'integer') return Number(value);
  if (type === 'boolean') return value === 'true' || (value === 'false' ? false : value);
  return type === 'array' ? value.split(',') : value;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Misfit('the body is not JSON');
  }
}

/** The fields, with the credentials that came as HTTP Basic. */
function formOf(call: Call): object {
  const basic = /^Basic (.+)$/i.exec(header(call, 'authorization') ?? '')?.[1];
  const [id, secret] =
    basic === undefined ? [] : Buffer.from(basic, 'base64').toString().split(/:(.*)/s);
  return {
    ...(id !== undefined && { client_id: id, client_secret: secret }),
    ...Object.fromEntries(new URLSearchParams(call.body.toString())),
  };
}

const escaped = (name: string) =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
const unescaped = (token: string) =>
  decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
