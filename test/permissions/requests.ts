/** How both protocols are asked, and what their answers have in common. */
import type { Answer, App, GraphqlAnswer } from '../support/app.js';
import type { Person } from '../support/factories.js';
import type { Kind } from './expected.js';
import type { Subject } from './targets.js';

export interface Asker {
  app: App;
  person: Person | undefined;
  /** What was looked at, by address. */
  looks: Map<string, Promise<Result>>;
}

export interface Result {
  /** An `Outcome`, or the text of an unexpected answer. */
  outcome: string;
  /** Identifier of the refusal, e.g. `NotFound`; over GraphQL with its code. */
  refusal?: { identifier: string; code?: string };
  /** The refusal as it was sent. */
  refused?: string;
  body: any;
}

export interface Deed {
  /** Refused, it must change nothing; allowed, it must change something. */
  writes?: boolean;
  /** Allowed, it leaves nothing to share. */
  consumes?: boolean;
  rest?(asker: Asker, subject: Subject): Promise<Result>;
  graphql?(asker: Asker, subject: Subject): Promise<Result>;
  /** Whether links and `viewerCan…` fields announce it to somebody who sees the subject; each must agree with the deed. */
  offers?: {
    [offer: string]: {
      only?: (kind: Kind) => boolean;
      ask(asker: Asker, subject: Subject): Promise<boolean>;
    };
  };
  /** What else must answer as if the subject existed or did not. */
  alsoSees?(asker: Asker, subject: Subject): Promise<boolean>;
}

const URN = 'urn:service-org:api:v3:errors:';

export function overRest({ status, body, text }: Answer): Result {
  if (status < 400) return { outcome: 'ok', body };
  return {
    outcome: String(status),
    refusal: { identifier: String(body?.errorIdentifier).replace(URN, '') },
    refused: text,
    body,
  };
}

export function overGraphql({ data, errors }: GraphqlAnswer): Result {
  if (!errors) return { outcome: 'ok', body: data };
  const { status, errorIdentifier, code } = errors[0]!.extensions;
  return {
    outcome: String(status),
    refusal: { identifier: errorIdentifier.replace(URN, ''), code },
    refused: JSON.stringify({ data, errors }),
    body: data,
  };
}

export const rest = async (answer: Promise<Answer>): Promise<Result> => overRest(await answer);
export const ask = async (
  { app, person }: Asker,
  query: string,
  variables: object,
): Promise<Result> => overGraphql(await app.graphql(query, variables, person));

/** What a look at an address shows; taken once, since no deed changes what a caller may do. */
export function once(
  { looks }: Asker,
  address: string,
  take: () => Promise<Result>,
): Promise<Result> {
  const known = looks.get(address) ?? take();
  looks.set(address, known);
  return known;
}

/** The same of a GET. */
export const lookAt = (asker: Asker, path: string): Promise<Result> =>
  once(asker, path, () => rest(asker.app.get(path, asker.person)));

/** The answer of a list, or `out` where something is not in it. */
export const inList = (result: Result, idsIn: (body: any) => number[], id: number): Result =>
  result.outcome === 'ok' && !idsIn(result.body).includes(id)
    ? { ...result, outcome: 'out' }
    : result;

/** Whether `node` knows the global id. */
export async function isNode(asker: Asker, type: string, id: number): Promise<boolean> {
  return (
    (
      await ask(asker, 'query ($id: ID!) { node(id: $id) { id } }', {
        id: Buffer.from(`${type}:${id}`).toString('base64url'),
      })
    ).body.node !== null
  );
}
