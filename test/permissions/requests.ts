/** Sends requests over both protocols and reads their answers in one form. */
import type { Answer, App, GraphqlAnswer } from '../support/app.js';
import type { Person } from '../support/factories.js';
import type { Kind } from './expected.js';
import type { Subject } from './targets.js';

export interface Client {
  app: App;
  person: Person | undefined;
  /** Answers of requests that are sent only once, by address. */
  answers: Map<string, Promise<Result>>;
}

export interface Result {
  /** An `Outcome`, or the text of an unexpected answer. */
  outcome: string;
  /** Identifier of the error, e.g. `NotFound`. Over GraphQL there is a code too. */
  refusal?: { identifier: string; code?: string };
  /** The whole error answer as text. */
  refusalText?: string;
  body: any;
}

/** How one operation is requested over each protocol, and what else depends on its permission. */
export interface OperationRequests {
  /** The operation changes the database if it is allowed. If it is refused, it changes nothing. */
  writes?: boolean;
  /** An allowed request uses up its subject, so each request needs a new one. */
  consumes?: boolean;
  rest?(client: Client, subject: Subject): Promise<Result>;
  graphql?(client: Client, subject: Subject): Promise<Result>;
  /** Links and `viewerCan…` fields that show whether the caller has the permission. Each must agree with the outcome. */
  offers?: {
    [offer: string]: {
      /** Absent: it applies to all kinds. */
      appliesTo?: (kind: Kind) => boolean;
      isOffered(client: Client, subject: Subject): Promise<boolean>;
    };
  };
  /** A second way to read the subject. It must succeed exactly where the operation does. */
  alsoVisible?(client: Client, subject: Subject): Promise<boolean>;
}

const URN = 'urn:service-org:api:v3:errors:';

export function overRest({ status, body, text }: Answer): Result {
  if (status < 400) return { outcome: 'ok', body };
  return {
    outcome: String(status),
    refusal: { identifier: String(body?.errorIdentifier).replace(URN, '') },
    refusalText: text,
    body,
  };
}

export function overGraphql({ data, errors }: GraphqlAnswer): Result {
  if (!errors) return { outcome: 'ok', body: data };
  const { status, errorIdentifier, code } = errors[0]!.extensions;
  return {
    outcome: String(status),
    refusal: { identifier: errorIdentifier.replace(URN, ''), code },
    refusalText: JSON.stringify({ data, errors }),
    body: data,
  };
}

export const rest = async (answer: Promise<Answer>): Promise<Result> => overRest(await answer);
export const queryGraphql = async (
  { app, person }: Client,
  query: string,
  variables: object,
): Promise<Result> => overGraphql(await app.graphql(query, variables, person));

/** Sends a request once for each address. No operation changes the permissions of its caller. */
export function cached(
  { answers }: Client,
  address: string,
  send: () => Promise<Result>,
): Promise<Result> {
  const known = answers.get(address) ?? send();
  answers.set(address, known);
  return known;
}

/** A GET that is sent once for each address. */
export const cachedGet = (client: Client, path: string): Promise<Result> =>
  cached(client, path, () => rest(client.app.get(path, client.person)));

/** The outcome of a list: `out` if the list does not contain the id. */
export const inList = (result: Result, idsIn: (body: any) => number[], id: number): Result =>
  result.outcome === 'ok' && !idsIn(result.body).includes(id)
    ? { ...result, outcome: 'out' }
    : result;

/** Whether a list of everything that the caller sees has the id, on any of its pages. */
export async function isFound(
  client: Client,
  list: 'attachments' | 'fileLinks' | 'users',
  id: number,
): Promise<Result> {
  for (let after: string | null = null; ;) {
    const result: Result = await queryGraphql(
      client,
      `query ($after: String) { found: ${list}(first: 200, after: $after) { nodes { databaseId } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    const ids = ({ found }: any) => found.nodes.map(({ databaseId }: any) => databaseId);
    const page = inList(result, ids, id);
    if (page.outcome !== 'out' || !result.body.found.pageInfo.hasNextPage) return page;
    after = result.body.found.pageInfo.endCursor;
  }
}

/** Whether the GraphQL field `node` finds the record. */
export async function isNode(client: Client, type: string, id: number): Promise<boolean> {
  return (
    (
      await queryGraphql(client, 'query ($id: ID!) { node(id: $id) { id } }', {
        id: Buffer.from(`${type}:${id}`).toString('base64url'),
      })
    ).body.node !== null
  );
}
